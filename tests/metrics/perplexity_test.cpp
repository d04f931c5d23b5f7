#include "libtr/metrics/perplexity.h"

#include <cmath>

#include "tests/support.h"

namespace tr::metrics {
namespace {

TEST_CASE("perplexity of four probabilities equals the value by hand [F24]", "[F24]") {
  TokenCounts counts;
  for (const double p : {0.2, 0.1, 0.5, 0.8}) counts += TokenCounts{.nll = -std::log(p), .tokens = 1};
  CHECK(perplexity(counts) == Approx(3.3437).margin(5e-5));  // 0.008^(-1/4)
  CHECK(nll_per_token(counts) == Approx(-std::log(0.008) / 4));
}

TEST_CASE("bits per character and shares are quotients of sums") {
  TokenCounts counts{.nll = 8 * std::log(2.0), .tokens = 4, .correct = 3, .unknown = 1, .characters = 16};
  CHECK(bits_per_character(counts) == Approx(0.5));
  CHECK(accuracy(counts) == 0.75);
  CHECK(unknown_rate(counts) == 0.25);
  counts += TokenCounts{.nll = 0, .tokens = 4, .correct = 1, .unknown = 0, .characters = 0};
  CHECK(accuracy(counts) == 0.5);
  CHECK(perplexity(counts) == Approx(2));  // one bit a token: long batches weigh more, not each batch alike
}

TEST_CASE("without tokens there is no perplexity") {
  CHECK(std::isnan(perplexity({})));
  CHECK(std::isnan(bits_per_character({})));
  CHECK(std::isnan(accuracy({})));
}

}  // namespace
}  // namespace tr::metrics
