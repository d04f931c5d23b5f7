// One training run: its state, and the steps that the loop is made of.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libtr/train/best_tracker.h"
#include "libtr/train/checkpoints.h"
#include "libtr/train/flat_parameters.h"
#include "libtr/train/trainer.h"
#include "libtr/train/updater.h"

namespace tr::train {

class Trainer::Run {
 public:
  explicit Run(TrainSetup setup);

  void resume();
  TrainResult train(TrainListener& listener, const std::atomic<bool>& stop);

 private:
  std::vector<std::string> start();  // the warm start; returns all notes for the reader

  // The loop's steps, in its order.
  std::optional<Outcome> end_of_training() const;
  bool take_update();  // false: loss or gradient is not finite, and the parameters are as they were
  void log(TrainListener& listener);
  void validate(TrainListener& listener);
  void save(TrainListener& listener);
  void finish(TrainListener& listener, Outcome outcome);
  void average(TrainListener& listener);

  Evaluation evaluate();
  Position position() const;
  double fraction() const;
  io::Checkpoint checkpoint() const;
  config::Json state() const;
  void restore_state(const config::Json& state);
  void add_total_time();
  TrainResult result(Outcome outcome) const;

  TrainSetup setup_;
  std::shared_ptr<FlatParameters> parameters_;
  std::shared_ptr<Optimizer> optimizer_;
  std::shared_ptr<Schedule> schedule_;
  data::BatchStream stream_;
  Updater updater_;
  BestTracker tracker_;
  Checkpoints checkpoints_;

  // What the loop counts; saved with every checkpoint.
  int64_t update_ = 0, epoch_ = 0, target_tokens_ = 0;
  int64_t validated_ = 0, saved_ = 0;  // updates of the last validation and checkpoint
  UpdateSums sums_;                    // since the last log line
  double seconds_at_log_ = 0;          // times_.train at that line
  WallTimes times_;
  PhaseTimes phases_;  // of this sitting

  // Of the last update.
  double learning_rate_ = 0, gradient_norm_ = 0;
  bool new_best_ = false, worth_keeping_ = false;  // verdict of the last validation, until it is saved
  bool resumed_ = false;
  std::optional<double> average_value_;  // if the average became the best
  std::string diagnosis_;
  double sitting_start_ = 0, processor_start_ = 0;
};

}  // namespace tr::train
