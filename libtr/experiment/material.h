// What every model of an experiment shares: text, tokenizers and ids, made once.
#pragma once

#include <filesystem>
#include <optional>

#include "libtr/data/dataset.h"
#include "libtr/experiment/options.h"
#include "libtr/train/evaluator.h"

namespace tr::experiment {

/// A data set to measure on: its text stays where it is, since the evaluator refers to it.
struct EvaluationSet {
  std::string name;
  std::unique_ptr<const data::ParallelText> text;
  std::unique_ptr<const train::Evaluator> evaluator;
};
EvaluationSet evaluation_set(const std::string& name, data::ParallelText text, const tokenizer::Tokenizers& tokenizers,
                             const train::EvaluateOptions& options);

/// What a run reads: the text, and a tokenizer that is there already.
struct Inputs {
  data::ParallelText train, valid;
  std::vector<std::pair<std::string, data::ParallelText>> tests;
  std::optional<tokenizer::Tokenizers> tokenizers;  ///< of type load
  config::Json corpus;  ///< {"train", "valid", "test": {NAME: …}, "tokenizer" (load)}: each with files and sha256
};
/// Throws UsageError and DataError.
Inputs read_inputs(const RunOptions& options);

struct Material {
  tokenizer::Tokenizers tokenizers;
  data::TrainingSet training;
  EvaluationSet validation;
  std::vector<EvaluationSet> tests;  ///< the first is the main one
  config::Json corpus;               ///< line counts, dropped pairs by reason, sha256: for the result
  std::vector<std::string> notes;    ///< what a reader should know, one line each

  models::Vocabularies vocabularies() const;
};

/// Trains the tokenizer, unless it was loaded or lies in `cache` (cached_tokenizers), and encodes everything. Throws
/// UsageError and DataError.
Material make_material(const RunOptions& options, Inputs inputs, const std::filesystem::path& cache);

/// What a run with `seed` has as batches_sha256 after `batches` updates: made again from the data, without a model.
std::string batches_sha256(Material& material, const data::BatchOptions& options, uint64_t seed, int64_t batches);

}  // namespace tr::experiment
