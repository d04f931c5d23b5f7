// The recurrent models: their formulas written out for one sentence, the product of their options, and their errors.
#include "libtr/models/seq2seq.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include "libtr/models/seq2seq_attention.h"
#include "small_models.h"
#include "tests/support.h"

using namespace tr;
using namespace tr::test;
using models::EncoderDecoder;

namespace {

/// One sentence pair through a model of one LSTM layer, in double, one vector at a time, from the model's parameters.
class PlainModel {
 public:
  PlainModel(EncoderDecoder& model, bool before_cell, bool input_feeding)
      : parameters_(model.named_parameters()), before_cell_(before_cell), input_feeding_(input_feeding) {}

  /// Hidden states [target_time, width]; `attends` is false for seq2seq.
  torch::Tensor hidden(const data::Example& pair, bool attends) {
    std::vector<torch::Tensor> memory;
    auto state = State{zeros(), zeros()};
    for (const auto id : pair.source) {
      state = step("encoder.forward_0", parameters_["vocabulary.source.weight"][id], state);
      memory.push_back(state.hidden);
    }
    state.hidden = bridged("hidden", state.hidden);
    state.memory = bridged("memory", state.memory);
    std::vector<torch::Tensor> outputs;
    auto attentional = zeros();
    auto id = tokenizer::kBos;
    for (const auto next_id : pair.target) {
      std::vector<torch::Tensor> read{parameters_["vocabulary.target.weight"][id]};
      auto context = attends ? context_of(state.hidden, memory) : torch::Tensor();
      if (before_cell_) read.push_back(context);
      if (input_feeding_) read.push_back(attentional);
      state = step("decoder.cell_0", at::cat(read), state);
      if (attends && !before_cell_) context = context_of(state.hidden, memory);
      if (attends) attentional = at::tanh(at::mv(parameters_["combine.weight"], at::cat({context, state.hidden})));
      outputs.push_back(attends ? attentional : state.hidden);
      id = next_id;
    }
    return at::stack(outputs);
  }

 private:
  struct State {
    torch::Tensor hidden, memory;
  };
  torch::Tensor zeros() { return at::zeros({parameters_["decoder.cell_0.weight_hh"].size(1)}, at::kDouble); }
  torch::Tensor bridged(const std::string& part, const torch::Tensor& x) {
    const auto* weight = parameters_.find("bridge." + part + "_0.weight");
    return weight ? at::tanh(at::mv(*weight, x) + parameters_["bridge." + part + "_0.bias"]) : x;
  }
  State step(const std::string& cell, const torch::Tensor& x, const State& state) {
    const auto sums = at::mv(parameters_[cell + ".weight_ih"], x) + parameters_[cell + ".bias_ih"] +
                      at::mv(parameters_[cell + ".weight_hh"], state.hidden) + parameters_[cell + ".bias_hh"];
    const auto gates = sums.chunk(4);
    const auto memory = gates[1].sigmoid() * state.memory + gates[0].sigmoid() * gates[2].tanh();
    return {gates[3].sigmoid() * memory.tanh(), memory};
  }
  torch::Tensor context_of(const torch::Tensor& query, const std::vector<torch::Tensor>& memory) {
    std::vector<torch::Tensor> scores;
    for (const auto& position : memory) {
      const auto sum =
          at::mv(parameters_["attention.query.weight"], query) + at::mv(parameters_["attention.key.weight"], position);
      scores.push_back(at::dot(parameters_["attention.energy.weight"][0], sum.tanh()));
    }
    return at::mv(at::stack(memory).t(), at::stack(scores).softmax(0));
  }

  torch::OrderedDict<std::string, torch::Tensor> parameters_;
  bool before_cell_, input_feeding_;
};

/// Sharper than the scheme's values, so that a wrong term shows; on one thread, as many tiny models are faster so.
std::shared_ptr<EncoderDecoder> sharp_model(const Variant& variant) {
  auto model = make_model(variant);
  at::set_num_threads(1);
  const torch::NoGradGuard no_grad;
  for (auto& parameter : model->parameters()) parameter.normal_(0.0, 0.5);
  model->eval();
  return model;
}

Variant plain_variant(const std::string& type, const config::Json& options) {
  Variant variant{options.dump(), {{"type", type}, {"d_embedding", 6}, {"d_hidden", 8}, {"tying", "none"}}};
  variant.model["scale_embedding"] = false;
  variant.model.merge_patch(options);
  return variant;
}

/// Every product of cell, directions, bridge, layers, and what attention offers.
std::vector<Variant> product_of_options() {
  std::vector<config::Json> all{config::Json::object()};
  const auto times = [&](const std::string& key, const std::vector<config::Json>& values) {
    std::vector<config::Json> longer;
    for (const auto& options : all) {
      for (const auto& value : values) {
        longer.push_back(options);
        longer.back()[key] = value;
      }
    }
    all = longer;
  };
  times("cell", {{{"type", "lstm"}}, {{"type", "gru"}}});
  times("bidirectional", {false, true});
  times("layers", {1, 2});
  times("bridge", {"last", "learned", "zero"});
  std::vector<Variant> variants;
  for (const auto& options : all) {
    if (options["bridge"] != "zero") variants.push_back(plain_variant("seq2seq", options));
  }
  times("attention_placement", {"before_cell", "after_cell"});
  times("input_feeding", {false, true});
  times("attention_score",
        {{{"type", "dot"}}, {{"type", "general"}}, {{"type", "scaled_dot"}}, {{"type", "additive"}}});
  for (const auto& options : all) variants.push_back(plain_variant("seq2seq_attention", options));
  return variants;
}

std::string refusal(const std::string& type, const config::Json& options, bool joint = true) {
  return error_of([&] {
    const config::Sources sources;
    config::Choice<models::models> choice;
    choice.read(plain_variant(type, options).model, config::Place(sources, "/model"));
    choice.validate("/model");
    choice.make(models::Vocabularies{40, 50, joint});
  });
}

}  // namespace

TEST_CASE("seq2seq equals its formulas written out") {
  const torch::NoGradGuard no_grad;
  const auto bridge = GENERATE(as<std::string>(), "last", "learned");
  const auto model = sharp_model(plain_variant("seq2seq", {{"bridge", bridge}}));
  model->to(torch::kDouble);
  for (const auto& pair : random_examples(5, 8)) {
    const auto expected = PlainModel(*model, false, false).hidden(pair, /*attends=*/false);
    CHECK(largest_difference(model->hidden(models::make_batch({pair})), expected) < 1e-12);
  }
}

TEST_CASE("seq2seq_attention equals its formulas written out, in both placements, fed or not") {
  const torch::NoGradGuard no_grad;
  const bool before_cell = GENERATE(false, true);
  const bool input_feeding = GENERATE(false, true);
  CAPTURE(before_cell, input_feeding);
  const auto model = sharp_model(
      plain_variant("seq2seq_attention", {{"attention_placement", before_cell ? "before_cell" : "after_cell"},
                                          {"input_feeding", input_feeding},
                                          {"attention_score", {{"type", "additive"}}}}));
  model->to(torch::kDouble);
  for (const auto& pair : random_examples(5, 8)) {
    const auto expected = PlainModel(*model, before_cell, input_feeding).hidden(pair, /*attends=*/true);
    CHECK(largest_difference(model->hidden(models::make_batch({pair})), expected) < 1e-6);
  }
}

TEST_CASE("every product of options: steps equal teacher forcing, and a sentence alone equals the batch", "[F14]") {
  const torch::NoGradGuard no_grad;
  const auto examples = random_examples(4, 7);
  const auto batch = models::make_batch(examples);
  for (const auto& variant : product_of_options()) {
    INFO(variant.model.dump());
    const auto model = sharp_model(variant);
    const auto hidden = model->hidden(batch);
    std::vector<torch::Tensor> alone;
    for (const auto& example : examples) alone.push_back(model->hidden(models::make_batch({example})));
    REQUIRE(largest_difference(hidden, at::cat(alone)) < 1e-5);

    auto state = model->start(batch, {.capacity = batch.target.time()});
    std::vector<torch::Tensor> steps;
    for (int64_t t = 0; t < batch.target.time(); ++t)
      steps.push_back(model->step(batch.target.ids.select(1, t), state));
    REQUIRE(largest_difference(hidden, models::drop_pads(at::stack(steps, 1), batch)) < 1e-5);
  }
}

TEST_CASE("a reversed source is read backwards but for its end, and attention keeps the order of the source") {
  const torch::NoGradGuard no_grad;
  const data::Example pair{{4, 5, 6, 7, tokenizer::kEos}, {8, 9, tokenizer::kEos}};
  const data::Example reversed{{7, 6, 5, 4, tokenizer::kEos}, {8, 9, tokenizer::kEos}};
  const data::Example longer{{4, 5, 6, 7, 8, 9, tokenizer::kEos}, {8, tokenizer::kEos}};
  const auto read_backwards = sharp_model(plain_variant("seq2seq_attention", {{"reverse_source", true}}));
  const auto plain = sharp_model(plain_variant("seq2seq_attention", {{"reverse_source", false}}));
  for (const auto& parameter : read_backwards->named_parameters()) {
    parameter.value().copy_(plain->named_parameters()[parameter.key()]);
  }
  const auto batch = models::make_batch({pair, longer});
  const auto expected = plain->attention(models::make_batch({reversed})).front().weights[0];
  const auto found = read_backwards->attention(batch).front().weights[0].narrow(1, 0, 5);
  CHECK(largest_difference(found.narrow(1, 0, 4), expected.narrow(1, 0, 4).flip(1)) < 1e-5);
  CHECK(largest_difference(found.select(1, 4), expected.select(1, 4)) < 1e-5);
}

TEST_CASE("multiply-adds of the recurrent models count every matrix product") {
  const auto seq2seq = make_model(plain_variant("seq2seq", {{"bridge", "learned"}}));
  const double cell = 4 * 8 * (6 + 8), output = 40 * 8;
  CHECK(seq2seq->multiply_adds(5, 3) == 5 * cell + 2 * 8 * 8 + 3 * (cell + output));
  const auto attending = make_model(
      plain_variant("seq2seq_attention", {{"input_feeding", true}, {"attention_score", {{"type", "general"}}}}));
  CHECK(attending->multiply_adds(5, 3) ==
        5 * cell + 5 * 8 * 8 + 3 * (cell + 4 * 8 * 8 + output + 2 * 8 * 8) + 3 * 5 * 2 * 8);
}

TEST_CASE("a tied output layer of another width than the decoder is reached by a projection") {
  const auto model = make_model(plain_variant("seq2seq", {{"tying", "decoder"}}));
  CHECK(model->output().weight.sizes().vec() == std::vector<int64_t>{kSmallVocab, 6});
  CHECK(model->named_parameters().contains("output_projection.weight"));
  CHECK(model->hidden(models::make_batch(random_examples(2, 5))).size(1) == 6);
  CHECK_FALSE(make_model(plain_variant("seq2seq", {{"tying", "decoder"}, {"d_embedding", 8}}))
                  ->named_parameters()
                  .contains("output_projection.weight"));
}

TEST_CASE("options that make no recurrent model are refused") {
  CHECK(
      refusal("seq2seq", {{"bridge", "zero"}}) ==
      "/model/bridge: got \"zero\", expected \"last\" or \"learned\": without attention the source reaches the decoder "
      "through the bridge alone");
  CHECK(refusal("seq2seq_attention", {{"bidirectional", true}, {"d_hidden", 7}}) ==
        "/model/d_hidden: got 7, expected an even width: bidirectional gives each direction half of it");
  CHECK(
      refusal("seq2seq", {{"tying", "all"}}, /*joint=*/false) ==
      "/model/tying: got \"all\" for a source vocabulary of 40 and another target vocabulary of 50, expected one joint "
      "vocabulary, \"decoder\" or \"none\"");
}
