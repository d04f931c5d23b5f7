// Every level of the attention kernel that this machine runs, against loops in double.
#include "libtr/kernels/attention.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "libtr/base/random.h"
#include "libtr/kernels/attention_loops.h"
#include "libtr/kernels/dropout.h"
#include "tests/kernels/numbers.h"

using namespace tr;
using namespace tr::kernels;

namespace {

constexpr int64_t kBatch = 3, kHeads = 2;

/// Queries, keys and values of a batch, each row with all heads, and what has to come back.
struct Case {
  AttentionShape shape;
  std::vector<int64_t> query_lengths, key_lengths;
  std::vector<uint64_t> dropout_keys;
  std::vector<float> query, key, value, arriving;

  Case(int64_t d_head, int64_t queries, int64_t keys, bool causal, double dropout, float scale_of_queries = 1)
      : query_lengths{queries, (queries + 1) / 2, 1}, key_lengths{keys, (keys + 1) / 2, 1} {
    const int64_t d_model = kHeads * d_head;
    query = random_numbers(kBatch * queries * d_model, 1);
    for (float& number : query) number *= scale_of_queries;
    key = random_numbers(kBatch * keys * d_model, 2);
    value = random_numbers(kBatch * keys * d_model, 3);
    arriving = random_numbers(kBatch * queries * d_model, 4);
    for (int64_t i = 0; i < kBatch * kHeads * queries; ++i) dropout_keys.push_back(mix(static_cast<uint64_t>(i)));
    shape = {.heads = kHeads,
             .d_head = d_head,
             .query_time = queries,
             .key_time = keys,
             .query_lengths = query_lengths.data(),
             .key_lengths = key_lengths.data(),
             .causal = causal,
             .dropout_keys = dropout > 0 ? dropout_keys.data() : nullptr,
             .dropout = dropout};
  }

  HeadRows<const float> rows(const std::vector<float>& of, int64_t time) const {
    return {of.data(), time * kHeads * shape.d_head, kHeads * shape.d_head};
  }
  HeadRows<float> rows(std::vector<float>& of, int64_t time) const {
    return {of.data(), time * kHeads * shape.d_head, kHeads * shape.d_head};
  }
};

struct Passed {
  std::vector<float> output, weights, query_gradient, key_gradient, value_gradient;
};

Passed by_kernel(const Case& given, const AttentionLoops& loops) {
  const auto& shape = given.shape;
  // Whatever stands there before must not matter.
  Passed passed{std::vector<float>(given.query.size(), NAN),
                std::vector<float>(static_cast<size_t>(kBatch * kHeads * shape.query_time * shape.key_time), NAN),
                std::vector<float>(given.query.size(), NAN), std::vector<float>(given.key.size(), NAN),
                std::vector<float>(given.value.size(), NAN)};
  const auto query = given.rows(given.query, shape.query_time), key = given.rows(given.key, shape.key_time),
             value = given.rows(given.value, shape.key_time), arriving = given.rows(given.arriving, shape.query_time);
  std::vector<float> workspace(attention_workspace(shape), NAN);
  loops.forward(shape, {query, key, value, given.rows(passed.output, shape.query_time), passed.weights.data()}, 0,
                kBatch * kHeads, workspace.data());
  loops.backward(
      shape,
      {query, key, value, arriving, passed.weights.data(), given.rows(passed.query_gradient, shape.query_time),
       given.rows(passed.key_gradient, shape.key_time), given.rows(passed.value_gradient, shape.key_time)},
      0, kBatch * kHeads, workspace.data());
  return passed;
}

Passed by_loops(const Case& given) {
  const auto& shape = given.shape;
  const int64_t d_model = kHeads * shape.d_head;
  const double scale = 1 / std::sqrt(static_cast<double>(shape.d_head));
  Passed passed{std::vector<float>(given.query.size()),
                std::vector<float>(static_cast<size_t>(kBatch * kHeads * shape.query_time * shape.key_time)),
                std::vector<float>(given.query.size()), std::vector<float>(given.key.size()),
                std::vector<float>(given.value.size())};
  for (int64_t b = 0; b < kBatch; ++b) {
    for (int64_t h = 0; h < kHeads; ++h) {
      const auto place = [&](int64_t time, int64_t t, int64_t i) {
        return static_cast<size_t>((b * time + t) * d_model + h * shape.d_head + i);
      };
      for (int64_t t = 0; t < given.query_lengths[static_cast<size_t>(b)]; ++t) {
        const int64_t row = (b * kHeads + h) * shape.query_time + t;
        int64_t seen = given.key_lengths[static_cast<size_t>(b)];
        if (shape.causal) seen = std::min(seen, t + 1);
        std::vector<double> weight(static_cast<size_t>(seen)), kept(weight.size()), gradient(weight.size());
        double sum = 0, weighted = 0;
        for (int64_t s = 0; s < seen; ++s) {
          double score = 0;
          for (int64_t i = 0; i < shape.d_head; ++i) {
            score += static_cast<double>(given.query[place(shape.query_time, t, i)]) *
                     static_cast<double>(given.key[place(shape.key_time, s, i)]);
          }
          sum += weight[static_cast<size_t>(s)] = std::exp(score * scale);
        }
        for (int64_t s = 0; s < seen; ++s) {
          const auto at = static_cast<size_t>(s);
          weight[at] /= sum;
          passed.weights[static_cast<size_t>(row * shape.key_time + s)] = static_cast<float>(weight[at]);
          const bool dropped =
              shape.dropout_keys != nullptr &&
              mask_bits(shape.dropout_keys[row], static_cast<uint32_t>(s)) < mask_threshold(shape.dropout);
          kept[at] = dropped ? 0 : weight[at] / (1 - shape.dropout);
          for (int64_t i = 0; i < shape.d_head; ++i) {
            const auto q = place(shape.query_time, t, i), k = place(shape.key_time, s, i);
            passed.output[q] += static_cast<float>(kept[at] * static_cast<double>(given.value[k]));
            passed.value_gradient[k] += static_cast<float>(kept[at] * static_cast<double>(given.arriving[q]));
            gradient[at] += static_cast<double>(given.arriving[q]) * static_cast<double>(given.value[k]);
          }
          gradient[at] *= dropped ? 0 : 1 / (1 - shape.dropout);
          weighted += gradient[at] * weight[at];
        }
        for (int64_t s = 0; s < seen; ++s) {
          const auto at = static_cast<size_t>(s);
          const double of_score = weight[at] * (gradient[at] - weighted) * scale;
          for (int64_t i = 0; i < shape.d_head; ++i) {
            const auto q = place(shape.query_time, t, i), k = place(shape.key_time, s, i);
            passed.query_gradient[q] += static_cast<float>(of_score * static_cast<double>(given.key[k]));
            passed.key_gradient[k] += static_cast<float>(of_score * static_cast<double>(given.query[q]));
          }
        }
      }
    }
  }
  return passed;
}

double widest_gap(const std::vector<float>& a, const std::vector<float>& b) {
  double widest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double gap = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    widest = gap <= widest ? widest : gap;  // NaN wins
  }
  return widest;
}

}  // namespace

TEST_CASE("the attention kernel is its formula and its gradient, at every level of the processor") {
  REQUIRE_FALSE(attention_levels().empty());
  for (const int64_t d_head : {16, 32, 64}) {
    REQUIRE(attention_serves(d_head));
    for (const auto& [queries, keys] : {std::pair{1, 1}, {4, 16}, {7, 3}, {18, 33}, {40, 40}}) {
      for (const bool causal : {false, true}) {
        if (causal && queries != keys) continue;
        for (const double dropout : {0.0, 0.3}) {
          const Case given(d_head, queries, keys, causal, dropout);
          const auto expected = by_loops(given);
          for (const auto* level : attention_levels()) {
            CAPTURE(d_head, queries, keys, causal, dropout);
            const auto passed = by_kernel(given, *level);
            CHECK(widest_gap(passed.output, expected.output) < 2e-6);
            CHECK(widest_gap(passed.weights, expected.weights) < 1e-6);
            CHECK(widest_gap(passed.query_gradient, expected.query_gradient) < 5e-6);
            CHECK(widest_gap(passed.key_gradient, expected.key_gradient) < 5e-6);
            CHECK(widest_gap(passed.value_gradient, expected.value_gradient) < 5e-6);
          }
        }
      }
    }
  }
  CHECK_FALSE(attention_serves(24));
}

TEST_CASE("scores far beyond the range of exp give the weights of a maximum, finite everywhere") {
  const Case given(32, 9, 9, /*causal=*/false, /*dropout=*/0, /*scale_of_queries=*/100);
  const auto expected = by_loops(given);
  for (const auto* level : attention_levels()) {
    const auto passed = by_kernel(given, *level);
    CHECK(widest_gap(passed.output, expected.output) < 1e-3);
    CHECK(widest_gap(passed.weights, expected.weights) < 1e-3);
  }
}

TEST_CASE("without lengths every place is real, and any range of heads may be asked for") {
  Case whole(16, 5, 5, /*causal=*/true, /*dropout=*/0);
  whole.shape.query_lengths = whole.shape.key_lengths = nullptr;
  whole.query_lengths = whole.key_lengths = {5, 5, 5};
  const Case& given = whole;
  const auto expected = by_loops(given);
  CHECK(widest_gap(by_kernel(given, *attention_levels().front()).output, expected.output) < 2e-6);
  std::vector<float> output(given.query.size(), 7.0f), weights(expected.weights.size());
  attention(given.shape,
            {given.rows(given.query, 5), given.rows(given.key, 5), given.rows(given.value, 5), given.rows(output, 5),
             weights.data()},
            /*first=*/1, /*last=*/2);
  for (int64_t t = 0; t < kBatch * 5; ++t) {
    for (int64_t i = 0; i < kHeads * 16; ++i) {
      const auto at = static_cast<size_t>(t * kHeads * 16 + i);
      REQUIRE(output[at] == Approx(t < 5 && i >= 16 ? expected.output[at] : 7.0f).margin(2e-6));
    }
  }
}
