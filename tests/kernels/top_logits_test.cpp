#include "libtr/kernels/top_logits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "libtr/base/random.h"
#include "tests/support.h"

using namespace tr;

namespace {

std::vector<float> random_logits(Random& random, int64_t vocab, double steps) {
  std::vector<float> logits(static_cast<size_t>(vocab));
  for (auto& logit : logits) logit = static_cast<float>(std::floor(random.uniform() * steps) / steps * 40 - 20);
  return logits;
}

}  // namespace

TEST_CASE("the log of a sum of exponentials is that of a loop in double") {
  Random random(1);
  for (const int64_t vocab : {1, 2, 7, 128, 129, 1000, 10000}) {
    const auto logits = random_logits(random, vocab, 1e6);
    double sum = 0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
    CHECK(kernels::log_sum_exp(logits.data(), vocab) == Approx(std::log(sum)).margin(1e-5));
  }
}

TEST_CASE("a sum of exponentials takes minus infinity as nothing and lets NaN and infinity through") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> logits(200, 1.0f);
  logits[7] = -kInfinity;
  CHECK(kernels::log_sum_exp(logits.data(), 200) == Approx(1 + std::log(199.0)));
  logits[150] = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(std::isfinite(kernels::log_sum_exp(logits.data(), 200)));
  logits[150] = kInfinity;
  CHECK_FALSE(std::isfinite(kernels::log_sum_exp(logits.data(), 200)));
}

TEST_CASE("the top logits are those of a stable sort: of equal ones the lower id first") {
  Random random(2);
  for (const int64_t vocab : {1, 5, 127, 128, 300, 10000}) {
    for (const double steps : {1.0, 4.0, 1e6}) {  // all equal, many equal, hardly any
      auto logits = random_logits(random, vocab, steps);
      if (vocab > 2) logits[1] = -std::numeric_limits<float>::infinity();
      std::vector<int64_t> order(logits.size());
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return logits[static_cast<size_t>(a)] > logits[static_cast<size_t>(b)];
      });
      for (const int64_t width : {int64_t{1}, int64_t{6}, vocab}) {
        if (width > vocab) continue;
        CAPTURE(vocab, steps, width);
        std::vector<int64_t> ids(static_cast<size_t>(width));
        std::vector<float> values(ids.size());
        kernels::top_logits(logits.data(), vocab, width, ids.data(), values.data());
        CHECK(std::equal(ids.begin(), ids.end(), order.begin()));
        for (size_t i = 0; i < ids.size(); ++i) REQUIRE(values[i] == logits[static_cast<size_t>(ids[i])]);
      }
    }
  }
}
