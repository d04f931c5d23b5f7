// Is system a better than system b, or did this test set happen to suit it? Paired bootstrap (Koehn 2004, "Statistical
// Significance Tests for Machine Translation Evaluation") and approximate randomisation (Riezler and Maxwell 2005, "On
// Some Pitfalls in Automatic Evaluation and Significance Testing for MT"). Both speak about the choice of test
// sentences, not about that of training seeds.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "libtr/metrics/bleu.h"
#include "libtr/metrics/chrf.h"
#include "libtr/metrics/sentences.h"

namespace tr::metrics {

/// A corpus score from the sum of rows of SentenceCounts.
using ScoreOfSum = std::function<double(std::span<const int64_t>)>;
ScoreOfSum bleu_score(const BleuOptions& options);
ScoreOfSum chrf_score(const ChrfOptions& options);

/// Mean of bootstrap samples and their middle 95 %.
struct Interval {
  double mean = 0, low = 0, high = 0;
};

struct BootstrapTest {
  int64_t samples = 0;
  double difference = 0;         ///< score of a - score of b on all sentences
  Interval a, b;                 ///< of the scores
  Interval difference_interval;  ///< of a - b
  /// (c + 1) / (samples + 1), c = samples in which the system that is better on all sentences is not the better one;
  /// one-sided, as Koehn reads it. 1 for equal scores.
  double p_value = 1;
};

struct RandomizationTest {
  int64_t permutations = 0;
  double difference = 0;  ///< score of a - score of b
  /// (c + 1) / (permutations + 1), c = permutations whose absolute difference is at least the observed one; two-sided.
  double p_value = 1;
};

struct SignificanceOptions {
  int64_t samples = 1000;        ///< of the bootstrap
  int64_t permutations = 10000;  ///< of the randomisation
  uint64_t seed = 1;             ///< same seed, same result
};

/// Test sets are drawn with replacement from the sentences, the same for a and b. Throws DataError naming both counts
/// if a and b differ in sentences or columns, or are empty; UsageError unless samples > 0.
BootstrapTest paired_bootstrap(const SentenceCounts& a, const SentenceCounts& b, const ScoreOfSum& score,
                               const SignificanceOptions& options = {});

/// In each permutation every sentence's pair of outputs changes sides with probability 1/2. Errors as above.
RandomizationTest approximate_randomization(const SentenceCounts& a, const SentenceCounts& b, const ScoreOfSum& score,
                                            const SignificanceOptions& options = {});

}  // namespace tr::metrics
