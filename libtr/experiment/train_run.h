// One run: train a model, measure its best checkpoint, leave everything in the run folder.
#pragma once

#include <functional>

#include "libtr/experiment/material.h"
#include "libtr/experiment/run_folder.h"
#include "libtr/train/trainer.h"

namespace tr::experiment {

using Models = std::vector<std::shared_ptr<models::EncoderDecoder>>;
/// The model with the parameters of the run's seed, on its device, and a copy for each further worker.
Models new_models(const RunOptions& options, const models::Vocabularies& vocabularies, const train::Runtime& runtime);
/// What a trainer needs to train them on `material` in the folder `run`; all must outlive it.
train::TrainSetup train_setup(const RunOptions& options, Material& material, const Models& models,
                              const std::filesystem::path& run);

/// How a run shows itself.
struct Display {
  std::string label;     ///< stands before progress lines
  bool quiet = false;    ///< no progress
  bool profile = false;  ///< leave profile.json: where the time of this sitting's updates went; a note if it made none
};

/// Trains `options` on `material` in `folder`, or goes on where it stopped, and returns result.json. A run that has
/// finished is not touched: its result is returned. The process must be set up (train::set_up_runtime). Throws
/// Interrupted after the state is saved.
config::Json train_run(const RunOptions& options, Material& material, const RunFolder& folder,
                       const train::Runtime& runtime, const Display& display);

/// The same from nothing: sets up the process and makes the material.
config::Json train_alone(const RunOptions& options, const std::filesystem::path& folder, Resume resume,
                         const Display& display);

/// Teacher-forced measures and scores of translations of one data set; `progress` is told how many sentences are
/// translated: 0 when the search begins.
train::Tested test_model(models::EncoderDecoder& model, const EvaluationSet& set, const RunOptions& options,
                         std::function<void(int64_t)> progress = {});

}  // namespace tr::experiment
