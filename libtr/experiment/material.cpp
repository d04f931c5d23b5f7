#include "libtr/experiment/material.h"

#include "libtr/base/sha256.h"
#include "libtr/experiment/tokenizer_cache.h"
#include "libtr/train/updater.h"

namespace tr::experiment {
namespace fs = std::filesystem;
namespace {

// Of all that it does to a line; the files that it came from may hold other things too.
config::Json record_of(const config::Choice<tokenizer::tokenizers>& choice, const tokenizer::Tokenizers& tokenizers) {
  const std::string all =
      tokenizers.settings.dump() + tokenizers.source->serialized() + tokenizers.target->serialized();
  const config::Json file = {{"path", choice.write()["from"]}, {"sha256", sha256_of_text(all)}};
  return {{"files", config::Json::array({file})}};
}

}  // namespace

models::Vocabularies Material::vocabularies() const {
  return {tokenizers.source->size(), tokenizers.target->size(), tokenizers.joint()};
}

EvaluationSet evaluation_set(const std::string& name, data::ParallelText text, const tokenizer::Tokenizers& tokenizers,
                             const train::EvaluateOptions& options) {
  EvaluationSet set{name, std::make_unique<const data::ParallelText>(std::move(text)), nullptr};
  set.evaluator = std::make_unique<const train::Evaluator>(*set.text, tokenizers, options);
  return set;
}

Inputs read_inputs(const RunOptions& options) {
  Inputs inputs{options.data.train.make("/data/train"), options.data.valid.make("/data/valid"), {}, {}, {}};
  inputs.corpus = {
      {"train", data::to_json(inputs.train)}, {"valid", data::to_json(inputs.valid)}, {"test", config::Json::object()}};
  for (const auto& [name, corpus] : options.data.test) {
    inputs.tests.emplace_back(name, corpus.make("/data/test/" + config::escape_pointer(name)));
    inputs.corpus["test"][name] = data::to_json(inputs.tests.back().second);
  }
  if (options.tokenizer.type() == "load") {
    inputs.tokenizers = tokenizer::make(options.tokenizer, {inputs.train.source, inputs.train.target});
    inputs.corpus["tokenizer"] = record_of(options.tokenizer, *inputs.tokenizers);
  }
  return inputs;
}

Material make_material(const RunOptions& options, Inputs inputs, const fs::path& cache) {
  Material material;
  material.tokenizers =
      inputs.tokenizers ? *inputs.tokenizers : cached_tokenizers(options.tokenizer, inputs.train, cache);
  material.notes = tokenizer::notes_of_size(material.tokenizers);
  material.training = data::make_training_set(inputs.train, material.tokenizers, options.data.filter);
  material.corpus = std::move(inputs.corpus);
  material.corpus["train"].update(material.training.counts().to_json());
  const auto set = [&](const std::string& name, data::ParallelText& text) {
    return evaluation_set(name, std::move(text), material.tokenizers, options.evaluate);
  };
  material.validation = set("valid", inputs.valid);
  for (auto& [name, text] : inputs.tests) material.tests.push_back(set(name, text));
  material.corpus["vocabulary"] = {{"source", material.tokenizers.source->size()},
                                   {"target", material.tokenizers.target->size()},
                                   {"joint", material.tokenizers.joint()}};
  return material;
}

std::string batches_sha256(Material& material, const data::BatchOptions& options, uint64_t seed, int64_t batches) {
  data::BatchStream stream = material.training.batches(options, seed);
  train::BatchHash hash;
  for (int64_t i = 0; i < batches; ++i) hash.add(models::make_batch(material.training.next(stream, seed)));
  return hash.hex();
}

}  // namespace tr::experiment
