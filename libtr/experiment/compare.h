// The comparison experiment: several models under identical conditions, checked by machine.
#pragma once

#include <filesystem>

#include "libtr/experiment/train_run.h"

namespace tr::experiment {

/// One model of an experiment with its whole configuration.
struct ExperimentModel {
  std::string name;
  RunOptions options;
};

/// {"name", "base": path or object, "models": {name: path or object}, "seeds": [1, 2, 3]}
struct Experiment {
  std::string name;
  std::vector<ExperimentModel> models;
  std::vector<int64_t> seeds;
  std::vector<std::string> notes;  ///< of reading the configurations
};

/// Each model's configuration is the base patched by its own, then by the --set options; /seeds among these is the
/// experiment's. Throws UsageError; also if a model has a /seed of its own, and for what compare() refuses.
Experiment load_experiment(const std::filesystem::path& file, const std::vector<std::string>& overrides);

/// What models have in common, and what they have not: {"conditions": configuration without /model and without what
/// differs, "differences": [{"path", "values": {model: value}}]}.
config::Json conditions_of(const Experiment& experiment);

/// Trains and measures every model with every seed in FOLDER/<model>/seed-<n>/, writes FOLDER/result.json and
/// report.html and returns the result. With `resume`, finished runs are kept (ComparisonFolder says what may change).
/// Throws UsageError before anything is written, whether the experiment comes from a file or not: if it has no model or
/// seed, if two have the same name or seed, for a name that is no folder's, for invalid options, and if the models do
/// not share what nothing could be compared without: /data, /tokenizer, /threads, /device, /fast, /decode, /evaluate,
/// and of /train the batches, the budget and what decides about stopping. Throws DataError if a run saw other text, if
/// two models of one seed saw different batches, as soon as both have a run, and if another process is at work in the
/// folder.
config::Json compare(const Experiment& experiment, const std::filesystem::path& folder, Resume resume, bool quiet);

}  // namespace tr::experiment
