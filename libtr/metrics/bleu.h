// BLEU: Papineni et al. 2002, "BLEU: a Method for Automatic Evaluation of Machine Translation", with the tokenizers,
// smoothing and signature of sacreBLEU 2.6.0 (Post 2018), whose scores it reproduces.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libtr/metrics/sentences.h"
#include "libtr/metrics/tokenize.h"

namespace tr::metrics {

/// What an n-gram order without a match counts as: Chen and Cherry 2014, methods 0 to 3.
enum class Smoothing {
  none,   ///< 0, and so is the score
  floor,  ///< smooth_value matches (default 0.1)
  add_k,  ///< smooth_value (default 1) is added to matches and totals of orders above 1
  exp,    ///< 1/2 match, then 1/4, 1/8, …
};

/// "none", "floor", "add-k", "exp".
const std::string& smoothing_name(Smoothing smoothing);
/// Throws UsageError at `where` with the known names.
Smoothing smoothing_of_name(std::string_view name, const std::string& where = "--smooth");

struct BleuOptions {
  Tokenizer tokenizer = Tokenizer::mteval_13a;
  std::string language;    ///< of the text ("de"), for moses-lc alone
  bool lowercase = false;  ///< moses-lc always is
  Smoothing smoothing = Smoothing::exp;
  std::optional<double> smooth_value;  ///< of floor and add-k; nothing: 0.1 and 1
  int64_t max_order = 4;               ///< longest n-gram
  bool effective_order = false;        ///< orders that the hypothesis is too short for do not count
  /// References hold tokens already (lower-cased Moses output): they are lower-cased and split at spaces, no more,
  /// since tokenizing twice splits entities and apostrophes once more. Hypotheses are raw text all the same. moses-lc
  /// alone.
  bool references_tokenized = false;

  /// Throws UsageError.
  void validate() const;
};

struct BleuScore {
  double score = 0;                ///< 0 … 100
  std::vector<double> precisions;  ///< [max_order], 0 … 100, smoothed
  double brevity_penalty = 1;
  int64_t hypothesis_length = 0;  ///< tokens
  int64_t reference_length = 0;   ///< tokens of the reference that is closest in length, the shorter of two
  std::vector<int64_t> matches;   ///< [max_order], clipped, before smoothing
  std::vector<int64_t> totals;    ///< [max_order], before smoothing
  std::string signature;          ///< in sacreBLEU's form
};

/// Throws DataError if the counts of lines differ (naming both) or are 0, UsageError for options out of range.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const References& references,
                      const BleuOptions& options = {});
/// One sentence. Without effective_order, as sacreBLEU advises against, a short sentence may score 0.
BleuScore sentence_bleu(const std::string& hypothesis, const std::vector<std::string>& references,
                        const BleuOptions& options = {});

/// Columns: hypothesis length, reference length, matches[max_order], totals[max_order].
SentenceCounts bleu_counts(const std::vector<std::string>& hypotheses, const References& references,
                           const BleuOptions& options);
/// Score of a sum of such rows; the signature stays empty.
BleuScore bleu_of_sum(std::span<const int64_t> sum, const BleuOptions& options);
/// "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0". For moses-lc, which sacreBLEU does not have:
/// "nrefs:1|case:lc|eff:no|tok:moses-lc-de|smooth:exp|version:libtr-0.1.0", with "ref:tok|" before smooth if the
/// references were tokenized. Like sacreBLEU's it does not name max_order.
std::string bleu_signature(const References& references, const BleuOptions& options);

/// BLEU of the sentences whose source has `first` … `last` words.
struct BleuOfLength {
  int64_t first = 1;
  int64_t last = 0;  ///< 0: no limit
  int64_t sentences = 0;
  BleuScore bleu;
};
/// 5, 10, 15, 20, 30: buckets 1-5, 6-10, 11-15, 16-20, 21-30 and 31 or more.
std::vector<int64_t> default_length_limits();
/// Buckets by the number of white-space separated words of the source; those without a sentence are left out. The first
/// holds empty sources as well. `counts` comes from bleu_counts. Throws DataError if numbers of sentences differ,
/// UsageError unless `limits` rise.
std::vector<BleuOfLength> bleu_by_length(const std::vector<std::string>& sources, const SentenceCounts& counts,
                                         const BleuOptions& options,
                                         const std::vector<int64_t>& limits = default_length_limits());

}  // namespace tr::metrics
