#include "libtr/nn/slot_attention.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <torch/utils.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

using namespace tr;
using namespace tr::nn;

namespace {

/// Rows of lengths 1 … most whose slots stand anywhere; what is behind a length names no slot.
KeyValueSlots random_slots(int64_t rows, int64_t most, int64_t d_model) {
  KeyValueSlots seen{at::randn({40, 2 * d_model}), at::randint(40, {rows, most}, at::kLong),
                     at::randint(1, most + 1, {rows}, at::kLong)};
  for (int64_t row = 0; row < rows; ++row) {
    seen.places[row].slice(0, seen.lengths[row].item<int64_t>()).fill_(int64_t{1} << 40);
  }
  return seen;
}

double widest_difference(const torch::Tensor& a, const torch::Tensor& b) { return (a - b).abs().max().item<double>(); }

}  // namespace

TEST_CASE("attention over slots: kernel and stock operations give what loops give, for each width of a head") {
  const torch::NoGradGuard no_grad;
  torch::manual_seed(5);
  for (const int64_t d_head : {5, 16, 32, 64}) {
    CAPTURE(d_head);
    const int64_t heads = 3, rows = 7, d_model = heads * d_head;
    const auto seen = random_slots(rows, 9, d_model);
    const auto query = at::randn({rows, 3 * d_model}).narrow(1, d_model, d_model);  // not contiguous
    const auto fast = slot_attention(query, seen, heads), plain = plain_slot_attention(query, seen, heads);
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t head = 0; head < heads; ++head) {
        const int64_t length = seen.lengths[row].item<int64_t>();
        const auto slots = seen.key_value.index_select(0, seen.places[row].slice(0, 0, length));
        const auto keys = slots.narrow(1, head * d_head, d_head);
        const auto values = slots.narrow(1, d_model + head * d_head, d_head);
        const auto q = query[row].narrow(0, head * d_head, d_head);
        const auto weights = at::softmax(at::mv(keys, q) / std::sqrt(static_cast<double>(d_head)), 0);
        const auto output = at::mv(values.t(), weights);
        for (const auto* found : {&fast, &plain}) {
          CHECK(widest_difference(found->output[row].narrow(0, head * d_head, d_head), output) < 1e-5);
          const auto own = found->weights[row][head][0];
          CHECK(widest_difference(own.slice(0, 0, length), weights) < 1e-6);
          CHECK(own.slice(0, length).abs().sum().item<double>() == 0);
        }
      }
    }
  }
}

TEST_CASE("attention over slots refuses to lose a gradient") {
  auto seen = random_slots(2, 3, 32);
  CHECK_THROWS_AS(slot_attention(at::randn({2, 32}).requires_grad_(), seen, 2), c10::Error);
  seen.key_value.requires_grad_();
  CHECK_THROWS_AS(slot_attention(at::randn({2, 32}), seen, 2), c10::Error);
}

TEST_CASE("attention over slots reads tensors however they lie in memory") {
  const torch::NoGradGuard no_grad;
  torch::manual_seed(7);
  const auto seen = random_slots(5, 9, 32);
  const auto query = at::randn({5, 32});
  const auto turned = [](const torch::Tensor& x) { return x.t().contiguous().t(); };  // columns side by side
  const auto expected = slot_attention(query, seen, 2);
  const KeyValueSlots other{turned(seen.key_value), turned(seen.places),
                            seen.lengths.repeat_interleave(2).slice(0, 0, 10, 2)};
  const auto found = slot_attention(turned(query), other, 2);
  CHECK(at::equal(found.output, expected.output));
  CHECK(at::equal(found.weights, expected.weights));
}

TEST_CASE("attention over slots refuses shapes and types that its kernel would misread") {
  const torch::NoGradGuard no_grad;
  const auto seen = random_slots(5, 9, 32);
  const auto query = at::randn({5, 32});
  const auto problem_of = [&](const torch::Tensor& of_query, const KeyValueSlots& of_slots, int64_t heads = 2) {
    try {
      slot_attention(of_query, of_slots, heads);
    } catch (const c10::Error& error) {
      return std::string(error.what_without_backtrace());
    }
    return std::string();
  };
  const auto& [key_value, places, lengths] = seen;
  const std::string expected = "slot attention: expected ";
  CHECK(problem_of(query, seen).empty());
  CHECK(problem_of(query.unsqueeze(1), seen).starts_with(expected + "a query [rows, d_model], 2 dividing d_model"));
  CHECK(problem_of(query, seen, 5).starts_with(expected + "a query [rows, d_model], 5 dividing d_model"));
  CHECK(problem_of(query, {key_value.narrow(1, 0, 32), places, lengths}) ==
        expected + "keys and values [slots, 64], got [40, 32]");
  CHECK(problem_of(query, {key_value, places.narrow(0, 0, 4), lengths}) == expected + "places [5, most], got [4, 9]");
  CHECK(problem_of(query, {key_value, places, lengths.narrow(0, 0, 4)}) == expected + "lengths [5], got [4]");
  CHECK(problem_of(query, {key_value.to(at::kBFloat16), places, lengths}) ==
        expected + "keys and values of type Float, got BFloat16");
  CHECK(problem_of(query, {key_value, places.to(at::kInt), lengths}) ==
        expected + "places and lengths of type Long, got Int and Long");
  CHECK(problem_of(query, {key_value, places, lengths.to(at::kInt)}) ==
        expected + "places and lengths of type Long, got Long and Int");
}

TEST_CASE("attention over slots of one row does not depend on the rows beside it") {
  const torch::NoGradGuard no_grad;
  torch::manual_seed(6);
  const auto seen = random_slots(33, 9, 64);
  const auto query = at::randn({33, 64});
  const auto all = slot_attention(query, seen, 2).output;
  for (int64_t row = 0; row < 33; ++row) {
    const KeyValueSlots alone{seen.key_value, seen.places.narrow(0, row, 1), seen.lengths.narrow(0, row, 1)};
    CHECK(at::equal(slot_attention(query.narrow(0, row, 1), alone, 2).output[0], all[row]));
  }
}
