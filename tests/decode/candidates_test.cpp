// The kernel behind a search's candidates against stock operations.
#include "libtr/decode/candidates.h"

#include <ATen/ops/randn.h>

#include <algorithm>
#include <limits>

#include "libtr/nn/fast_paths.h"
#include "tests/support.h"

namespace tr::decode {
namespace {

Candidates candidates_of(const torch::Tensor& logits, int64_t width, bool allow_unknown, bool kernel) {
  nn::set_fast_paths(kernel);
  Candidates candidates(logits.clone(), width, allow_unknown);
  nn::set_fast_paths(true);
  return candidates;
}

TEST_CASE("candidates by the kernel are those of stock operations, special tokens left out") {
  torch::manual_seed(9);
  for (const int64_t vocab : {6, 300, 10000}) {
    auto logits = at::randn({7, vocab}) * 3;
    for (const int64_t special : {tokenizer::kPad, tokenizer::kBos, tokenizer::kUnk}) logits.select(1, special) += 20;
    for (const bool allow_unknown : {false, true}) {
      for (const int64_t width : {1, 4, 12}) {
        CAPTURE(vocab, allow_unknown, width);
        const auto fast = candidates_of(logits, width, allow_unknown, true);
        const auto plain = candidates_of(logits, width, allow_unknown, false);
        REQUIRE(fast.width() == plain.width());
        const int64_t possible = std::min(fast.width(), vocab - (allow_unknown ? 2 : 3));
        for (int64_t row = 0; row < 7; ++row) {
          CHECK(fast.end_log_probability(row) == Approx(plain.end_log_probability(row)).margin(1e-4));
          for (int64_t rank = 0; rank < possible; ++rank) {
            REQUIRE(fast.id(row, rank) == plain.id(row, rank));
            REQUIRE(fast.id(row, rank) != tokenizer::kPad);
            REQUIRE(fast.id(row, rank) != tokenizer::kBos);
            REQUIRE((allow_unknown || fast.id(row, rank) != tokenizer::kUnk));
            REQUIRE(fast.log_probability(row, rank) == Approx(plain.log_probability(row, rank)).margin(1e-4));
          }
          for (int64_t rank = possible; rank < fast.width(); ++rank) {
            REQUIRE(fast.log_probability(row, rank) == -std::numeric_limits<double>::infinity());
          }
        }
      }
    }
  }
}

TEST_CASE("scores that are not finite are an error, by the kernel and by stock operations", "[F42]") {
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    auto logits = at::randn({3, 50});
    logits[1][17] = value;
    for (const bool kernel : {true, false}) {
      CHECK(test::error_of([&] { candidates_of(logits, 3, true, kernel); }) ==
            "decoding: the model's scores are not finite: its training diverged");
      nn::set_fast_paths(true);
    }
  }
}

}  // namespace
}  // namespace tr::decode
