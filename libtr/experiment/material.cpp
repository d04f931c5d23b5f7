#include "libtr/experiment/material.h"

#include "libtr/base/files.h"
#include "libtr/train/updater.h"

namespace tr::experiment {
namespace fs = std::filesystem;
namespace {

// The folder appears when it is whole: a run that is killed here trains its tokenizer again.
void keep(const tokenizer::Tokenizers& tokenizers, const fs::path& folder) {
  fs::path unfinished = folder;
  unfinished += ".tmp";
  fs::remove_all(unfinished);
  tokenizers.save(unfinished);
  publish_folder(unfinished, folder);
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

Material make_material(const RunOptions& options, const fs::path& tokenizer_cache) {
  const data::ParallelText train = options.data.train.make("/data/train");
  data::ParallelText valid = options.data.valid.make("/data/valid");
  Material material;
  if (fs::exists(tokenizer_cache)) {
    material.tokenizers = tokenizer::load(tokenizer_cache);
  } else {
    material.tokenizers = tokenizer::make(options.tokenizer, {train.source, train.target});
    keep(material.tokenizers, tokenizer_cache);
  }
  material.training = data::make_training_set(train, material.tokenizers, options.data.filter);
  material.corpus = {
      {"train", data::to_json(train)}, {"valid", data::to_json(valid)}, {"test", config::Json::object()}};
  material.validation = evaluation_set("valid", std::move(valid), material.tokenizers, options.evaluate);
  material.corpus["train"].update(material.training.counts().to_json());
  for (const auto& [name, corpus] : options.data.test) {
    data::ParallelText test = corpus.make("/data/test/" + config::escape_pointer(name));
    material.corpus["test"][name] = data::to_json(test);
    material.tests.push_back(evaluation_set(name, std::move(test), material.tokenizers, options.evaluate));
  }
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
