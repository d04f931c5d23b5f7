// The Transformer beyond the laws: limits, counts, errors. And batches.
#include "libtr/models/transformer.h"

#include <ATen/autocast_mode.h>
#include <ATen/ops/arange.h>

#include "small_models.h"
#include "tests/support.h"

using namespace tr;
using namespace tr::test;
using models::Transformer;
using models::TransformerOptions;

TEST_CASE("a batch pads on the right, shifts the target and knows its real tokens") {
  const auto batch = models::make_batch({{{7, 8, 2}, {9, 2}}, {{5, 2}, {6, 7, 8, 2}}});
  const auto row = [](const torch::Tensor& x, int64_t i) {
    const auto values = x[i].to(at::kLong).contiguous();
    return std::vector<int64_t>(values.data_ptr<int64_t>(), values.data_ptr<int64_t>() + values.numel());
  };
  using Ids = std::vector<int64_t>;
  CHECK(row(batch.source.ids, 0) == Ids{7, 8, 2});
  CHECK(row(batch.source.ids, 1) == Ids{5, 2, 0});
  CHECK(row(batch.source.mask, 1) == Ids{1, 1, 0});
  CHECK(row(batch.target.ids, 0) == Ids{1, 9, 0, 0});
  CHECK(row(batch.target.ids, 1) == Ids{1, 6, 7, 8});
  CHECK(row(batch.target.lengths.unsqueeze(0), 0) == Ids{2, 4});
  CHECK(row(batch.target_rows.unsqueeze(0), 0) == Ids{0, 1, 4, 5, 6, 7});
  CHECK(row(batch.target_output.unsqueeze(0), 0) == Ids{9, 2, 6, 7, 8, 2});
  CHECK(row(batch.noise.slots.unsqueeze(0), 0) == Ids{0, 1});
  CHECK(batch.source.any_padding);
  CHECK(batch.target_tokens() == 6);
  const auto numbered = at::arange(8, at::kFloat).view({2, 4, 1});
  CHECK(row(models::drop_pads(numbered, batch).view({1, -1}), 0) == Ids{0, 1, 4, 5, 6, 7});
  CHECK_FALSE(models::make_source_batch({{5, 2}, {6, 2}}).source.any_padding);
  CHECK_FALSE(models::make_source_batch({{5, 2}}).target.ids.defined());
}

TEST_CASE("sinusoidal positions take an input of 6000 tokens [F13]") {
  const torch::NoGradGuard no_grad;
  TransformerOptions options{.d_model = 8, .encoder_layers = 1, .decoder_layers = 1, .heads = 1, .d_hidden = 8};
  Transformer model(options, {kSmallVocab, kSmallVocab, true});
  model.eval();
  CHECK(model.longest_sentence() == 0);
  data::Example example{tokenizer::Ids(5999, 7), {8, 9}};
  example.source.push_back(tokenizer::kEos);
  example.target.push_back(tokenizer::kEos);
  CHECK(model.hidden(models::make_batch({example})).isfinite().all().item<bool>());
}

TEST_CASE("learned positions name their limit") {
  const torch::NoGradGuard no_grad;
  TransformerOptions options{.d_model = 8, .encoder_layers = 1, .decoder_layers = 1, .heads = 1, .d_hidden = 8};
  options.positions = {"learned", nn::LearnedPositionsOptions{.longest = 10}};
  Transformer model(options, {kSmallVocab, kSmallVocab, true});
  CHECK(model.longest_sentence() == 10);
  const auto batch = models::make_source_batch({tokenizer::Ids(11, 7)});
  CHECK(error_of([&] { model.start(batch, {.capacity = 4}); }) ==
        "positions: got a sentence of 11 tokens, learned positions end at 10");
}

TEST_CASE("multiply-adds and parameters are those counted by hand") {
  TransformerOptions options{.d_model = 4, .encoder_layers = 1, .decoder_layers = 1, .heads = 2, .d_hidden = 8};
  options.tying = nn::Tying::all;
  Transformer model(options, {10, 10, true});
  // Encoder: 3 tokens of 4 * 16 + 2 * 32, attention 2 * 9 * 4. Decoder: self 2 * 64 + 2 * 4 * 4, cross 2 * 32 + 3 * 32
  // + 2 * 6 * 4, feed-forward 2 * 64. Output: 2 * 40.
  CHECK(model.multiply_adds(3, 2) == 456 + 160 + 208 + 128 + 80);
  int64_t parameters = 0;
  for (const auto& parameter : model.parameters()) parameters += parameter.numel();
  // Embedding 40 and bias 10; attention 80 three times; feed-forward 76 twice; norms 8, of layers 5, final 2.
  CHECK(parameters == 50 + 3 * 80 + 2 * 76 + 7 * 8);
}

TEST_CASE("tying decides how many embeddings there are") {
  const auto vocabulary_parameters = [](nn::Tying tying) {
    TransformerOptions options{.d_model = 4, .encoder_layers = 1, .decoder_layers = 1, .heads = 2, .d_hidden = 8};
    options.tying = tying;
    std::vector<std::string> names;
    for (const auto& parameter : Transformer(options, {10, 10, true}).named_parameters()) {
      if (parameter.key().starts_with("vocabulary.")) names.push_back(parameter.key().substr(11));
    }
    return join(names);
  };
  CHECK(vocabulary_parameters(nn::Tying::all) == "output_bias, shared.weight");
  CHECK(vocabulary_parameters(nn::Tying::decoder) == "output_bias, source.weight, target.weight");
  CHECK(vocabulary_parameters(nn::Tying::none) == "output_weight, output_bias, source.weight, target.weight");
}

TEST_CASE("a Transformer whose options do not fit is refused in one line") {
  TransformerOptions options{.d_model = 128, .heads = 3};
  CHECK(error_of([&] { options.validate("/model"); }) ==
        "/model/heads: got 3, which does not divide /model/d_model 128");
  options = {.d_model = 8, .heads = 2, .tying = nn::Tying::all};
  CHECK(error_of([&] {
          Transformer(options, {10, 12, false});
        }) == "/model/tying: got \"all\", which needs a joint vocabulary; the sides have one each");
}

TEST_CASE("products in bfloat16 change a Transformer's hidden states little and leave its gradients float32") {
  const auto model = make_model({"", small_options("transformer")});
  auto batch = models::make_batch(random_examples(5, 8));
  const auto exact = model->hidden(batch);
  at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  const auto rounded = model->hidden(batch);
  at::autocast::set_autocast_enabled(at::kCPU, false);
  at::autocast::clear_cache();
  CHECK(largest_difference(exact, rounded) > 0.0);
  CHECK(largest_difference(exact, rounded) < 0.1);
  rounded.square().sum().backward();
  for (const auto& parameter : model->parameters()) {
    if (!parameter.grad().defined()) continue;  // the output layer's bias
    CHECK(parameter.grad().scalar_type() == at::kFloat);
    CHECK(parameter.grad().isfinite().all().item<bool>());
  }
}

TEST_CASE("a zero start symbol reads as the zero vector") {
  const torch::NoGradGuard no_grad;
  auto with_bos = small_options("transformer"), with_zero = with_bos;
  with_zero["start"] = "zero";
  const auto batch = models::make_batch(random_examples(3, 8));
  const auto bos = make_model({"", with_bos}), zero = make_model({"", with_zero});
  bos->eval();
  zero->eval();
  CHECK(largest_difference(bos->hidden(batch), zero->hidden(batch)) > 1e-3);
  bos->named_parameters()["vocabulary.shared.weight"][tokenizer::kBos].zero_();
  CHECK(largest_difference(bos->hidden(batch), zero->hidden(batch)) < 1e-6);
}
