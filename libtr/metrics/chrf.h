// chrF: Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation", and chrF++: Popović 2017, "chrF++:
// words helping character n-grams", as sacreBLEU 2.6.0 computes them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "libtr/metrics/sentences.h"

namespace tr::metrics {

struct ChrfOptions {
  int64_t char_order = 6;  ///< longest n-gram of code points
  int64_t word_order = 0;  ///< longest n-gram of words; 2 is chrF++
  int64_t beta = 2;        ///< recall weighs beta² times as much as precision
  bool lowercase = false;
  bool whitespace = false;     ///< white space counts as characters
  bool eps_smoothing = false;  ///< F-scores of all orders are averaged (NLTK, Moses), instead of precision and recall
                               ///< of the orders that both texts are long enough for

  /// Throws UsageError.
  void validate() const;
};

struct ChrfScore {
  double score = 0;       ///< 0 … 100
  std::string name;       ///< "chrF2", "chrF2++": 2 is beta
  std::string signature;  ///< "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0"
};

/// Throws DataError if the counts of lines differ (naming both) or are 0, UsageError for options out of range.
ChrfScore corpus_chrf(const std::vector<std::string>& hypotheses, const References& references,
                      const ChrfOptions& options = {});
ChrfScore sentence_chrf(const std::string& hypothesis, const std::vector<std::string>& references,
                        const ChrfOptions& options = {});

/// Columns: for each order (characters, then words) n-grams of the hypothesis, of the reference, and matches. Of
/// several references the row is that of the one with the best score.
SentenceCounts chrf_counts(const std::vector<std::string>& hypotheses, const References& references,
                           const ChrfOptions& options);
/// Score (0 … 100) of a sum of such rows.
double chrf_of_sum(std::span<const int64_t> sum, const ChrfOptions& options);
std::string chrf_signature(const References& references, const ChrfOptions& options);

}  // namespace tr::metrics
