// What the trainer tells about a run while it goes on: plain values, so that logs, bars and tests need no tensors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libtr/train/evaluation.h"

namespace tr::train {

/// Seconds by the steady clock, over all sittings of a run.
struct WallTimes {
  double train = 0;   ///< updates
  double valid = 0;   ///< teacher-forced measures
  double decode = 0;  ///< translations during validation
  double total = 0;   ///< from the start of the first update, checkpoints counted
  double cpu = 0;     ///< processor seconds of all threads during `total`
};

/// Seconds of some updates by phase, by the steady clock; of several workers the mean. What is missing to the whole is
/// mostly their waiting for each other. On a GPU the phases are those of the calls, not of the work.
struct PhaseTimes {
  int64_t updates = 0;
  double data = 0;       ///< batches: ids, padding, hash, the way to the device
  double forward = 0;    ///< the model up to its output layer
  double loss = 0;       ///< output layer and loss; on the fast path with their gradients
  double backward = 0;   ///< all other gradients
  double optimizer = 0;  ///< adding up, norm, clipping, step, zeroing

  PhaseTimes& operator+=(const PhaseTimes& other) {
    updates += other.updates;
    data += other.data;
    forward += other.forward;
    loss += other.loss;
    backward += other.backward;
    optimizer += other.optimizer;
    return *this;
  }
};

/// How far a run has come.
struct Position {
  int64_t update = 0;
  int64_t epoch = 0;          ///< from 1: the pass that the last update belongs to; 0 before the first
  int64_t target_tokens = 0;  ///< pads not counted, eos counted
  double fraction = 0;        ///< of the budget, at most 1
};

struct RunStarted {
  Position position;  ///< zero unless the run is resumed
  bool resumed = false;
  int64_t parameters = 0;
  std::vector<std::string> notes;  ///< what a reader should know, one line each: what a warm start left out, say
  int64_t training_pairs = 0;
  std::string budget;  ///< "3000 updates"
};

/// Means over the updates since the last one.
struct UpdateLogged {
  Position position;
  double loss = 0;           ///< smoothed, nats per target token
  double nll_per_token = 0;  ///< without smoothing, dropout on
  double accuracy = 0;
  double gradient_norm = 0;  ///< before clipping, of the last update
  double learning_rate = 0;  ///< of the last update
  double target_tokens_per_second = 0;
  double padding_share = 0;  ///< share of places in this epoch's batches that hold no token, both sides
  PhaseTimes phases;         ///< of those of these updates that this sitting took
  WallTimes times;
};

struct Validated {
  Position position;
  Evaluation evaluation;
  bool best = false;      ///< better than all before by train.best_metric
  int64_t stalled = 0;    ///< validations since the best
  bool averaged = false;  ///< of the average of checkpoints, at the end of the run
  WallTimes times;
};

struct CheckpointSaved {
  Position position;
  std::string folder;
  bool best = false;
};

/// A test set, evaluated after training; told by whoever tests.
struct Tested {
  std::string name;
  Evaluation evaluation;
  double decode_seconds = 0;
};

enum class Outcome {
  finished,     ///< the budget is used up
  stalled,      ///< early stopping
  interrupted,  ///< asked to stop; the state is saved
  diverged,     ///< loss or gradient not finite; the last good checkpoint is kept
};

struct RunEnded {
  Outcome outcome = Outcome::finished;
  std::string reason;  ///< one line
  Position position;
  WallTimes times;
};

/// Does nothing unless overridden.
class TrainListener {
 public:
  virtual ~TrainListener() = default;
  virtual void run_started(const RunStarted&) {}
  virtual void update_logged(const UpdateLogged&) {}
  virtual void validated(const Validated&) {}
  virtual void checkpoint_saved(const CheckpointSaved&) {}
  virtual void tested(const Tested&) {}
  virtual void run_ended(const RunEnded&) {}
};

}  // namespace tr::train
