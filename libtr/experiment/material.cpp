#include "libtr/experiment/material.h"

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/config/json_text.h"
#include "libtr/experiment/run_folder.h"
#include "libtr/train/updater.h"

namespace tr::experiment {
namespace fs = std::filesystem;
namespace {

// The folder appears when it is whole: a run that is killed here trains its tokenizer again.
void keep(const tokenizer::Tokenizers& tokenizers, const config::Json& made_from, const fs::path& folder) {
  fs::path unfinished = folder;
  unfinished += ".tmp";
  fs::remove_all(unfinished);
  tokenizers.save(unfinished);
  config::write_json(unfinished / kMadeFrom, made_from);
  fs::remove_all(folder);
  publish_folder(unfinished, folder);
}

// What an earlier sitting left, if it was made from the same settings and text; else made anew.
tokenizer::Tokenizers tokenizers_of(const RunOptions& options, const data::ParallelText& train, const fs::path& cache) {
  const config::Json made_from = {{"tokenizer", options.tokenizer.write()}, {"text", data::to_json(train)}};
  if (fs::exists(cache)) {
    if (!fs::exists(cache / kMadeFrom)) {
      throw DataError(cache.string(),
                      std::string("has no ") + kMadeFrom + ", expected what a run left or no such folder");
    }
    const auto before = config::Json::parse(read_file(cache / kMadeFrom), nullptr, /*allow_exceptions=*/false);
    if (before == made_from) return tokenizer::load(cache);
  }
  const auto tokenizers = tokenizer::make(options.tokenizer, {train.source, train.target});
  keep(tokenizers, made_from, cache);
  return tokenizers;
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
  material.tokenizers = tokenizers_of(options, train, tokenizer_cache);
  material.notes = tokenizer::notes_of_size(material.tokenizers);
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
