// Laws that every model in the table must keep, whatever its options.
#include <ATen/autocast_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "libtr/nn/fast_paths.h"
#include "small_models.h"

using namespace tr;
using namespace tr::test;
using models::Batch;
using models::DecoderState;
using models::EncoderDecoder;

namespace {

constexpr double kTolerance = 1e-5;

/// Rows [first, first + count) of a batch's hidden states belong to its sentences in order.
torch::Tensor logits(EncoderDecoder& model, const Batch& batch) { return model.output().logits(model.hidden(batch)); }

/// Gradients of the summed cross-entropy of the batches, one flat vector.
torch::Tensor gradients(EncoderDecoder& model, const std::vector<Batch>& batches) {
  model.zero_grad();
  for (const auto& batch : batches) {
    at::cross_entropy_loss(logits(model, batch), batch.target_output, {}, at::Reduction::Sum).backward();
  }
  std::vector<torch::Tensor> flat;
  for (const auto& parameter : model.parameters()) {
    flat.push_back(parameter.grad().defined() ? parameter.grad().flatten().clone()
                                              : at::zeros_like(parameter).flatten());
  }
  return at::cat(flat);
}

Batch slice(const std::vector<data::Example>& examples, size_t first, size_t count) {
  const auto begin = examples.begin() + static_cast<std::ptrdiff_t>(first);
  auto batch = models::make_batch({begin, begin + static_cast<std::ptrdiff_t>(count)});
  batch.noise.key = 99;
  batch.noise.slots = batch.noise.slots + static_cast<int64_t>(first);
  return batch;
}

/// What a search does: rows by index, sentences untouched.
void gather(DecoderState& state, const torch::Tensor& index) {
  for (auto& [name, rows] : state.rows) rows = rows.index_select(0, index);
  state.sentence_of_row = state.sentence_of_row.index_select(0, index);
  state.position = state.position.index_select(0, index);
}

/// Hidden states of teacher forcing, [batch, target_time, width], zero on padding.
torch::Tensor padded_hidden(EncoderDecoder& model, const Batch& batch) {
  const auto hidden = model.hidden(batch);
  const auto padded = hidden.new_zeros({batch.sentences() * batch.target.time(), hidden.size(1)});
  return padded.index_copy(0, batch.target_rows, hidden).view({batch.sentences(), batch.target.time(), -1});
}

}  // namespace

TEST_CASE("a sentence gives the same logits alone, in any batch, in any order [F5][F14]") {
  const torch::NoGradGuard no_grad;
  const auto examples = random_examples(9, 12);
  for (const auto& variant : every_variant()) {
    INFO(variant.name);
    const auto model = make_model(variant);
    model->eval();
    std::vector<torch::Tensor> alone;
    for (const auto& example : examples) alone.push_back(logits(*model, models::make_batch({example})));
    CHECK(largest_difference(logits(*model, models::make_batch(examples)), at::cat(alone)) < kTolerance);
    const std::vector<data::Example> backwards(examples.rbegin(), examples.rend());
    std::reverse(alone.begin(), alone.end());
    CHECK(largest_difference(logits(*model, models::make_batch(backwards)), at::cat(alone)) < kTolerance);
  }
}

TEST_CASE("a future target token changes nothing before it [F26]") {
  const torch::NoGradGuard no_grad;
  auto examples = random_examples(6, 12);
  for (auto& example : examples) example.target = {10, 11, 12, 13, 14, 15, 16, tokenizer::kEos};
  auto changed = examples;
  for (auto& example : changed) example.target[3] = 30;  // read at position 4
  for (const auto& variant : every_variant()) {
    INFO(variant.name);
    const auto model = make_model(variant);
    model->eval();
    const auto before = padded_hidden(*model, models::make_batch(examples));
    const auto after = padded_hidden(*model, models::make_batch(changed));
    CHECK(largest_difference(before.narrow(1, 0, 4), after.narrow(1, 0, 4)) == 0.0);
    CHECK(largest_difference(before.narrow(1, 4, 1), after.narrow(1, 4, 1)) > 1e-3);
    CHECK(largest_difference(before.narrow(1, 7, 1), after.narrow(1, 7, 1)) > 1e-5);
  }
}

/// Plain paths while it lives, if asked for.
struct PathsOf {
  explicit PathsOf(bool fast) { nn::set_fast_paths(fast); }
  ~PathsOf() { nn::set_fast_paths(true); }
};

TEST_CASE("start and step give what teacher forcing gives, on the fast path and on the plain one") {
  const torch::NoGradGuard no_grad;
  const auto batch = models::make_batch(random_examples(7, 12));
  for (const auto& variant : every_variant()) {
    for (const bool fast : {true, false}) {
      INFO(variant.name << (fast ? ", fast" : ", plain"));
      const PathsOf paths(fast);
      const auto model = make_model(variant);
      model->eval();
      const auto expected = padded_hidden(*model, batch);
      auto state = model->start(batch, {.capacity = batch.target.time()});
      for (int64_t time = 0; time < batch.target.time(); ++time) {
        const auto hidden = model->step(batch.target.ids.select(1, time), state);
        const auto real = batch.target.mask.select(1, time).unsqueeze(1);
        REQUIRE(largest_difference(hidden * real, expected.select(1, time)) < kTolerance);
      }
    }
  }
}

TEST_CASE("steps under bfloat16 stay near those of float32, on the fast path and on the plain one") {
  const torch::NoGradGuard no_grad;
  const auto batch = models::make_batch(random_examples(5, 8));
  for (const auto& variant : every_model()) {
    for (const bool fast : {true, false}) {
      INFO(variant.name << (fast ? ", fast" : ", plain"));
      const PathsOf paths(fast);
      const auto model = make_model(variant);
      model->eval();
      const auto last = [&](bool low) {
        at::autocast::set_autocast_enabled(at::kCPU, low);
        auto state = model->start(batch, {.capacity = batch.target.time()});
        torch::Tensor hidden;
        for (int64_t time = 0; time < 3; ++time) hidden = model->step(batch.target.ids.select(1, time), state);
        at::autocast::set_autocast_enabled(at::kCPU, false);
        at::autocast::clear_cache();
        return hidden.to(at::kFloat);
      };
      const auto exact = last(false);
      const double difference = largest_difference(last(true), exact);
      CHECK(difference > 0);  // or nothing was computed in bfloat16
      CHECK(difference < 0.05 * exact.abs().max().item<double>());
    }
  }
}

TEST_CASE("rows may be repeated, reordered, dropped and joined by rows that have not stepped yet") {
  const torch::NoGradGuard no_grad;
  auto examples = random_examples(4, 12);
  for (auto& example : examples) example.target = {10, 11, 12, 13, 14, tokenizer::kEos};
  for (size_t i = 0; i < examples.size(); ++i) examples[i].target[1] = 20 + static_cast<int64_t>(i);
  const auto batch = models::make_batch(examples);
  for (const auto& variant : every_variant()) {
    INFO(variant.name);
    const auto model = make_model(variant);
    model->eval();
    const auto expected = padded_hidden(*model, batch);
    const auto step_and_check = [&](DecoderState& state) {
      const auto ids = batch.target.ids.index({state.sentence_of_row, state.position});
      const auto place = expected.index({state.sentence_of_row, state.position});
      REQUIRE(largest_difference(model->step(ids, state), place) < kTolerance);
    };
    auto state = model->start(batch, {.capacity = 8});
    step_and_check(state);
    gather(state, at::tensor({0, 0, 1, 1, 2, 2, 3, 3}));  // a beam of two
    step_and_check(state);
    gather(state, at::tensor({1, 0, 3, 3, 4, 5, 7, 6}));
    step_and_check(state);
    gather(state, at::tensor({7, 0, 2, 5}));  // rows move to other sentences' places
    step_and_check(state);
    auto fresh = model->start(batch, {.capacity = 8});
    for (auto& [name, rows] : state.rows) rows = at::cat({rows, fresh.rows.at(name)});
    state.sentence_of_row = at::cat({state.sentence_of_row, fresh.sentence_of_row});
    state.position = at::cat({state.position, fresh.position});
    step_and_check(state);
    step_and_check(state);
  }
}

TEST_CASE("gradients of one batch of 64 are those of four batches of 16 with dropout on") {
  const auto examples = random_examples(64, 10);
  for (const auto& variant : every_variant()) {
    INFO(variant.name);
    const auto model = make_model(variant);
    model->train();
    const auto whole = gradients(*model, {slice(examples, 0, 64)});
    const auto parts = gradients(
        *model, {slice(examples, 0, 16), slice(examples, 16, 16), slice(examples, 32, 16), slice(examples, 48, 16)});
    const double size = whole.abs().max().item<double>();
    CHECK(size > 0.1);
    CHECK(largest_difference(whole, parts) < 1e-4 * size);
    const torch::NoGradGuard no_grad;
    auto other = slice(examples, 0, 64);
    const auto hidden = model->hidden(other);
    CHECK(largest_difference(hidden, model->hidden(other)) == 0.0);
    other.noise.key = 100;
    CHECK(largest_difference(hidden, model->hidden(other)) > 1e-2);
  }
}

TEST_CASE("the same seed draws the same parameters and no parameter is registered twice") {
  for (const auto& variant : every_variant()) {
    INFO(variant.name);
    const auto one = make_model(variant), two = make_model(variant);
    std::vector<const void*> addresses;
    const auto parameters = one->named_parameters();
    for (const auto& parameter : parameters) {
      CHECK(parameter->equal(two->named_parameters()[parameter.key()]));
      CHECK(parameter->isfinite().all().item<bool>());
      addresses.push_back(parameter->const_data_ptr());
    }
    std::sort(addresses.begin(), addresses.end());
    CHECK(std::adjacent_find(addresses.begin(), addresses.end()) == addresses.end());
  }
}

TEST_CASE("attention sums to 1 over real source tokens and is exactly 0 on padding [F15]") {
  const torch::NoGradGuard no_grad;
  const auto batch = models::make_batch(random_examples(9, 12));
  for (const auto& variant : every_variant()) {
    INFO(variant.name);
    const auto model = make_model(variant);
    model->eval();
    for (const auto& map : model->attention(batch)) {
      INFO(map.name);
      REQUIRE(map.weights.sizes() == at::IntArrayRef{9, batch.target.time(), batch.source.time()});
      const auto rows = map.weights.flatten(0, 1).index_select(0, batch.target_rows);
      CHECK((rows.sum(-1) - 1).abs().max().item<double>() < kTolerance);
      CHECK(map.weights.masked_select(batch.source.mask.logical_not().unsqueeze(1)).abs().max().item<double>() == 0.0);
    }
  }
}

TEST_CASE("a step leaves the attention of the last layer, mean over heads, if start was asked to") {
  const torch::NoGradGuard no_grad;
  const auto batch = models::make_batch(random_examples(5, 12));
  for (const auto& variant : every_model()) {
    INFO(variant.name);
    const auto model = make_model(variant);
    model->eval();
    const auto maps = model->attention(batch);
    auto state = model->start(batch, {.capacity = 4, .attention = true});
    REQUIRE(state.rows.contains("attention") == !maps.empty());
    if (maps.empty()) continue;
    const std::string last_layer = maps.back().name.substr(0, maps.back().name.find(','));
    torch::Tensor expected;
    int64_t heads = 0;
    for (const auto& map : maps) {
      if (!map.name.starts_with(last_layer)) continue;
      expected = expected.defined() ? expected + map.weights : map.weights;
      ++heads;
    }
    model->step(batch.target.ids.select(1, 0), state);
    CHECK(largest_difference(state.rows.at("attention"), expected.select(1, 0) / heads) < kTolerance);
    CHECK_FALSE(model->start(batch, {.capacity = 4}).rows.contains("attention"));
  }
}
