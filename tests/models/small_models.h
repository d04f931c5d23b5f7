// Small models of every kind in the table and of every option that changes how they compute, for the laws.
#pragma once

#include <ATen/Context.h>
#include <torch/utils.h>

#include <memory>
#include <string>
#include <vector>

#include "libtr/base/random.h"
#include "libtr/models/table.h"

namespace tr::test {

constexpr int64_t kSmallVocab = 40;

struct Variant {
  std::string name;
  config::Json model;  ///< as a configuration's /model
};

/// Options small enough for a test; a model that is not named here is taken with its defaults. A Transformer has heads
/// as wide as the fused attention takes them.
inline config::Json small_options(const std::string& type) {
  config::Json json = {{"type", type}};
  if (type == "transformer") {
    json.update(config::Json::parse(R"({"d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "heads": 2,
      "d_hidden": 24, "dropout": 0.3, "attention_dropout": 0.2, "activation_dropout": 0.1, "tying": "all"})"));
  } else if (type == "seq2seq" || type == "seq2seq_attention") {
    json.update(config::Json::parse(R"({"d_embedding": 12, "d_hidden": 16, "layers": 2, "dropout": 0.3})"));
  }
  return json;
}

/// Every model of the table as small_options has it.
inline std::vector<Variant> every_model() {
  std::vector<Variant> variants;
  for (const auto& name : models::models().names()) variants.push_back({name, small_options(name)});
  return variants;
}

/// `type` with single options changed: {"name": {patch}, …}
inline std::vector<Variant> variants_of(const std::string& type, const char* patches) {
  std::vector<Variant> variants;
  const auto all = config::Json::parse(patches);
  for (const auto& [name, patch] : all.items()) {
    Variant variant{type + ", " + name, small_options(type)};
    variant.model.merge_patch(patch);
    variants.push_back(variant);
  }
  return variants;
}

inline std::vector<Variant> transformer_variants() {
  return variants_of("transformer", R"({
    "post-norm": {"norm_placement": "post", "final_norm": false},
    "rms norm": {"norm": {"type": "rms_norm"}},
    "no norm": {"norm": {"type": "none"}, "initialization": {"type": "normal", "deviation": 0.1}},
    "halves": {"positions": {"type": "sinusoidal", "layout": "halves"}},
    "learned positions": {"positions": {"type": "learned", "longest": 30}},
    "no positions": {"positions": {"type": "none"}},
    "gelu": {"activation": {"type": "gelu"}},
    "swish": {"activation": {"type": "swish"}},
    "untied": {"tying": "none", "output_bias": false},
    "tied decoder": {"tying": "decoder", "scale_embedding": false},
    "zero start": {"start": "zero"},
    "narrow heads": {"heads": 4},
    "one head": {"heads": 1, "initialization": {"type": "orthogonal"}},
    "no encoder layer": {"encoder_layers": 0, "decoder_layers": 1}})");
}

inline std::vector<Variant> recurrent_variants() {
  if (models::models().find("seq2seq") == nullptr) return {};
  std::vector<Variant> variants = variants_of("seq2seq", R"({
    "gru": {"cell": {"type": "gru"}},
    "both directions": {"bidirectional": true},
    "reversed": {"reverse_source": true},
    "variational dropout": {"variational_dropout": true},
    "zero start": {"start": "zero"}})");
  const auto attending = variants_of("seq2seq_attention", R"({
    "before the cell": {"attention_placement": "before_cell", "attention_score": {"type": "additive"}},
    "before the cell, fed": {"attention_placement": "before_cell", "input_feeding": true},
    "after the cell, fed": {"input_feeding": true, "attention_score": {"type": "general"}},
    "both directions": {"bidirectional": true, "cell": {"type": "gru"}},
    "reversed": {"reverse_source": true, "variational_dropout": true}})");
  variants.insert(variants.end(), attending.begin(), attending.end());
  return variants;
}

inline std::vector<Variant> every_variant() {
  auto variants = every_model();
  for (const auto& more : {transformer_variants(), recurrent_variants()}) {
    variants.insert(variants.end(), more.begin(), more.end());
  }
  return variants;
}

/// Two threads, a fixed seed and one vocabulary for both sides.
inline std::shared_ptr<models::EncoderDecoder> make_model(const Variant& variant) {
  at::set_num_threads(2);
  torch::manual_seed(1);
  const config::Sources sources;
  config::Choice<models::models> choice;
  choice.read(variant.model, config::Place(sources, "/model"));
  choice.validate("/model");
  return choice.make(models::Vocabularies{kSmallVocab, kSmallVocab, /*joint=*/true});
}

/// Pairs of random ids; lengths from 1 (eos alone) to `longest`.
inline std::vector<data::Example> random_examples(int64_t count, int64_t longest, uint64_t seed = 5) {
  Random random(seed);
  const auto sentence = [&] {
    tokenizer::Ids ids(random.below(static_cast<uint64_t>(longest)));
    for (auto& id : ids) id = 4 + static_cast<int64_t>(random.below(kSmallVocab - 4));
    ids.push_back(tokenizer::kEos);
    return ids;
  };
  std::vector<data::Example> examples;
  for (int64_t i = 0; i < count; ++i) {
    auto source = sentence();
    examples.push_back({std::move(source), sentence()});
  }
  return examples;
}

inline double largest_difference(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

}  // namespace tr::test
