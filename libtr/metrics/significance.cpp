#include "libtr/metrics/significance.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/base/random.h"

namespace tr::metrics {
namespace {

void check(const SentenceCounts& a, const SentenceCounts& b, int64_t repetitions) {
  if (a.sentences() != b.sentences())
    throw DataError("significance", format("{} sentences of the one system, {} of the other, expected equal counts",
                                           a.sentences(), b.sentences()));
  if (a.columns() != b.columns())
    throw DataError("significance", format("{} columns of the one system, {} of the other, expected the same metric",
                                           a.columns(), b.columns()));
  if (a.sentences() == 0) throw DataError("significance", "0 sentences, expected at least one");
  if (repetitions < 1) throw UsageError("significance", format("{} repetitions, expected at least 1", repetitions));
}

double p_value(int64_t exceptions, int64_t repetitions) {
  return static_cast<double>(exceptions + 1) / static_cast<double>(repetitions + 1);
}

Interval interval(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t tail = values.size() / 40;  // 2.5 % on each side
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return {sum / static_cast<double>(values.size()), values[tail], values[values.size() - 1 - tail]};
}

void add_row(std::vector<int64_t>& sum, std::span<const int64_t> row) {
  for (size_t column = 0; column < sum.size(); ++column) sum[column] += row[column];
}

}  // namespace

ScoreOfSum bleu_score(const BleuOptions& options) {
  return [options](std::span<const int64_t> sum) { return bleu_of_sum(sum, options).score; };
}

ScoreOfSum chrf_score(const ChrfOptions& options) {
  return [options](std::span<const int64_t> sum) { return chrf_of_sum(sum, options); };
}

BootstrapTest paired_bootstrap(const SentenceCounts& a, const SentenceCounts& b, const ScoreOfSum& score,
                               const SignificanceOptions& options) {
  check(a, b, options.samples);
  BootstrapTest test;
  test.samples = options.samples;
  test.difference = score(a.sum()) - score(b.sum());
  Random random(stream_seed(options.seed, "bootstrap"));
  std::vector<double> scores_a, scores_b, differences;
  int64_t exceptions = 0;
  for (int64_t sample = 0; sample < options.samples; ++sample) {
    std::vector<int64_t> sum_a(static_cast<size_t>(a.columns()), 0), sum_b = sum_a;
    for (int64_t i = 0; i < a.sentences(); ++i) {
      const auto sentence = static_cast<int64_t>(random.below(static_cast<uint64_t>(a.sentences())));
      add_row(sum_a, a.row(sentence));
      add_row(sum_b, b.row(sentence));
    }
    scores_a.push_back(score(sum_a));
    scores_b.push_back(score(sum_b));
    differences.push_back(scores_a.back() - scores_b.back());
    const bool confirmed = test.difference > 0 ? differences.back() > 0 : differences.back() < 0;
    if (!confirmed || test.difference == 0) ++exceptions;
  }
  test.a = interval(std::move(scores_a));
  test.b = interval(std::move(scores_b));
  test.difference_interval = interval(std::move(differences));
  test.p_value = p_value(exceptions, options.samples);
  return test;
}

RandomizationTest approximate_randomization(const SentenceCounts& a, const SentenceCounts& b, const ScoreOfSum& score,
                                            const SignificanceOptions& options) {
  check(a, b, options.permutations);
  const auto sum_a = a.sum(), sum_b = b.sum();
  RandomizationTest test;
  test.permutations = options.permutations;
  test.difference = score(sum_a) - score(sum_b);
  Random random(stream_seed(options.seed, "randomisation"));
  int64_t exceptions = 0;
  for (int64_t permutation = 0; permutation < options.permutations; ++permutation) {
    auto swapped_a = sum_a, swapped_b = sum_b;
    uint64_t coins = 0;
    for (int64_t i = 0; i < a.sentences(); ++i) {
      coins = i % 64 == 0 ? random.bits() : coins >> 1;
      const int64_t swap = static_cast<int64_t>(coins & 1);  // multiplied in: a branch on a coin is never predicted
      const auto row_a = a.row(i), row_b = b.row(i);
      for (size_t column = 0; column < swapped_a.size(); ++column) {
        const int64_t moved = swap * (row_b[column] - row_a[column]);
        swapped_a[column] += moved;
        swapped_b[column] -= moved;
      }
    }
    if (std::abs(score(swapped_a) - score(swapped_b)) >= std::abs(test.difference)) ++exceptions;
  }
  test.p_value = p_value(exceptions, options.permutations);
  return test;
}

}  // namespace tr::metrics
