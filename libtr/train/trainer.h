// The training loop: rate, micro-batches, clip, step, log, validate, checkpoint; stops and resumes at any update.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "libtr/data/dataset.h"
#include "libtr/decode/options.h"
#include "libtr/models/interface.h"
#include "libtr/train/evaluator.h"
#include "libtr/train/listener.h"
#include "libtr/train/operator_profile.h"
#include "libtr/train/options.h"
#include "libtr/train/runtime.h"

namespace tr::train {

/// What a run is made of. Pointers are not owned and must outlive the trainer.
struct TrainSetup {
  models::EncoderDecoder* model = nullptr;           ///< on its device, initialised
  std::vector<models::EncoderDecoder*> copies = {};  ///< built alike: further workers, for a CPU
  data::TrainingSet* training_set = nullptr;
  const Evaluator* validation = nullptr;              ///< data set, scored by valid_every
  const tokenizer::Tokenizers* tokenizers = nullptr;  ///< stored in every checkpoint
  config::Json config;                                ///< resolved configuration, stored in every checkpoint
  std::string run;                                    ///< folder; checkpoints/ in it holds update-N, last and best
  TrainOptions options;
  decode::DecodeOptions decoding;  ///< of validation, if it searches
  uint64_t seed = 1;
  Precision precision = Precision::float32;
  std::vector<std::string> notes = {};  ///< what a reader should know, told with the start
  OperatorProfile* profile = nullptr;   ///< to fill with what updates do
};

struct TrainResult {
  Outcome outcome = Outcome::finished;
  std::string reason;  ///< one line; a diagnosis if the run diverged
  Position position;
  int64_t best_update = 0;      ///< 0: no validation yet
  double best_value = 0;        ///< of train.best_metric at that update
  std::string best_checkpoint;  ///< folder; the average of checkpoints if that was better
  std::string batches_sha256;   ///< chained over ids and masks of every batch consumed
  WallTimes times;
  PhaseTimes phases;  ///< of the updates of this sitting
};

class Trainer {
 public:
  /// Throws UsageError if the options do not fit (a training pair longer than positions that the model learns, say).
  explicit Trainer(TrainSetup setup);
  ~Trainer();

  /// Takes up the run that left its last checkpoint in setup.run, with the same bits as if it had never stopped.
  /// Throws DataError if there is none or if it belongs to other data, batches or parameters.
  void resume();
  /// Trains until the budget is used up, early stopping, divergence or `stop`; the update in progress is finished and
  /// the state saved in each case but divergence. A warm start comes first unless the run was resumed; throws
  /// UsageError if its checkpoint does not serve.
  TrainResult run(TrainListener& listener, const std::atomic<bool>& stop);

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

}  // namespace tr::train
