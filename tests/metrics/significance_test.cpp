#include "libtr/metrics/significance.h"

#include <cmath>

#include "libtr/base/random.h"
#include "tests/support.h"

namespace tr::metrics {
namespace {

/// Rows (value, 1): the score is the mean value, whose sampling theory is known.
SentenceCounts column(const std::vector<int64_t>& values) {
  SentenceCounts counts(2);
  for (const int64_t value : values) counts.add(std::vector<int64_t>{value, 1});
  return counts;
}

const ScoreOfSum kMean = [](std::span<const int64_t> sum) {
  return static_cast<double>(sum[0]) / static_cast<double>(sum[1]);
};

std::vector<int64_t> noise(size_t count, int64_t shift, uint64_t seed) {
  Random random(seed);
  std::vector<int64_t> values;
  for (size_t i = 0; i < count; ++i) values.push_back(shift + static_cast<int64_t>(random.below(101)));
  return values;
}

TEST_CASE("randomisation agrees with all 2^n permutations") {
  const std::vector<int64_t> a{5, 7, 1, 9, 4, 8, 6, 3}, b{4, 5, 2, 6, 4, 5, 6, 1};
  int64_t observed = 0, extreme = 0;
  for (size_t i = 0; i < a.size(); ++i) observed += a[i] - b[i];
  for (unsigned coins = 0; coins < 256; ++coins) {
    int64_t difference = 0;
    for (size_t i = 0; i < a.size(); ++i) difference += (coins >> i & 1 ? -1 : 1) * (a[i] - b[i]);
    extreme += std::abs(difference) >= observed;
  }
  const auto test = approximate_randomization(column(a), column(b), kMean, {.permutations = 40000});
  CHECK(test.difference == Approx(observed / 8.0));
  CHECK(test.p_value == Approx(static_cast<double>(extreme) / 256).margin(0.01));
}

TEST_CASE("the bootstrap has the mean and width of sampling theory") {
  const auto values = noise(400, 0, 7);
  double mean = 0, variance = 0;
  for (const auto value : values) mean += static_cast<double>(value) / 400;
  for (const auto value : values) variance += std::pow(static_cast<double>(value) - mean, 2) / 400;
  const double half_width = 1.96 * std::sqrt(variance / 400);
  const auto test = paired_bootstrap(column(values), column(noise(400, 0, 8)), kMean, {.samples = 4000});
  CHECK(test.a.mean == Approx(mean).margin(0.1));
  CHECK(test.a.low == Approx(mean - half_width).margin(0.06 * half_width));
  CHECK(test.a.high == Approx(mean + half_width).margin(0.06 * half_width));
}

TEST_CASE("the bootstrap draws the same sentences for both systems") {
  auto a = noise(50, 0, 1), b = a;
  for (auto& value : b) value -= 1;  // always one below: only paired samples see it each time
  const auto test = paired_bootstrap(column(a), column(b), kMean, {.samples = 500});
  CHECK(test.difference_interval.low == Approx(1));
  CHECK(test.difference_interval.high == Approx(1));
  CHECK(test.p_value == Approx(1.0 / 501));
  const auto reverse = paired_bootstrap(column(b), column(a), kMean, {.samples = 500});
  CHECK(reverse.difference == Approx(-1));
  CHECK(reverse.p_value == Approx(1.0 / 501));
}

TEST_CASE("a system does not differ from itself") {
  const auto counts = column(noise(30, 0, 2));
  CHECK(paired_bootstrap(counts, counts, kMean).p_value == 1);
  CHECK(approximate_randomization(counts, counts, kMean).p_value == 1);
}

TEST_CASE("a clear difference has the least possible p-value") {
  const auto a = column(noise(100, 200, 3)), b = column(noise(100, 0, 4));
  CHECK(paired_bootstrap(a, b, kMean).p_value == Approx(1.0 / 1001));
  CHECK(approximate_randomization(a, b, kMean).p_value == Approx(1.0 / 10001));
}

TEST_CASE("under the null hypothesis p-values below 0.2 occur in about a fifth of the cases") {
  int small = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const auto a = column(noise(40, 0, 1000 + 2 * seed)), b = column(noise(40, 0, 1001 + 2 * seed));
    small += approximate_randomization(a, b, kMean, {.permutations = 400, .seed = seed}).p_value < 0.2;
  }
  CHECK(small > 20);
  CHECK(small < 62);
}

TEST_CASE("the seed decides the outcome of both tests") {
  const auto a = column(noise(100, 3, 5)), b = column(noise(100, 0, 6));
  CHECK(paired_bootstrap(a, b, kMean, {.seed = 9}).a.mean == paired_bootstrap(a, b, kMean, {.seed = 9}).a.mean);
  CHECK(paired_bootstrap(a, b, kMean, {.seed = 9}).a.mean != paired_bootstrap(a, b, kMean, {.seed = 10}).a.mean);
  CHECK(approximate_randomization(a, b, kMean, {.seed = 9}).p_value ==
        approximate_randomization(a, b, kMean, {.seed = 9}).p_value);
}

TEST_CASE("BLEU and chrF can be tested") {
  std::vector<std::string> references, good, bad;
  for (int i = 0; i < 40; ++i) {
    references.push_back("the number " + std::to_string(i) + " is not the last of all numbers");
    good.push_back(references.back());
    bad.push_back(i % 2 == 0 ? references.back() : "the number is the last of numbers");
  }
  const auto bleu =
      paired_bootstrap(bleu_counts(good, references, {}), bleu_counts(bad, references, {}), bleu_score({}));
  CHECK(bleu.difference == Approx(100 - corpus_bleu(bad, references).score));
  CHECK(bleu.p_value < 0.01);
  const auto chrf =
      approximate_randomization(chrf_counts(good, references, {}), chrf_counts(bad, references, {}), chrf_score({}));
  CHECK(chrf.difference == Approx(100 - corpus_chrf(bad, references).score));
  CHECK(chrf.p_value < 0.01);
}

TEST_CASE("systems that cannot be compared are errors") {
  const auto two = column({1, 2}), three = column({1, 2, 3});
  CHECK(test::error_of([&] { paired_bootstrap(two, three, kMean); }) ==
        "significance: 2 sentences of the one system, 3 of the other, expected equal counts");
  CHECK(test::error_of([&] { approximate_randomization(two, three, kMean); }) ==
        "significance: 2 sentences of the one system, 3 of the other, expected equal counts");
  CHECK(test::error_of([&] { paired_bootstrap(SentenceCounts(2), SentenceCounts(3), kMean); }) ==
        "significance: 2 columns of the one system, 3 of the other, expected the same metric");
  CHECK(test::error_of([&] { paired_bootstrap(column({}), column({}), kMean); }) ==
        "significance: 0 sentences, expected at least one");
  CHECK(test::error_of([&] { paired_bootstrap(two, two, kMean, {.samples = 0}); }) ==
        "significance: 0 repetitions, expected at least 1");
}

}  // namespace
}  // namespace tr::metrics
