// The checkpoints of one run: which are kept, which is the best, and their average.
#pragma once

#include <torch/nn/module.h>

#include <filesystem>
#include <string>
#include <vector>

#include "libtr/io/checkpoint.h"
#include "libtr/train/best_tracker.h"
#include "libtr/train/flat_parameters.h"
#include "libtr/train/options.h"

namespace tr::train {

/// RUN/checkpoints/update-N as io/checkpoint.h lays them out; an average lies in RUN/averaged/checkpoints/update-N,
/// beside the checkpoint of its update, and `best` points there if it is the best.
class Checkpoints {
 public:
  struct Rules {
    int64_t every = 500;    ///< updates
    int64_t keep_last = 1;  ///< by default
    AveragingRule averaging;
  };
  Checkpoints(std::filesystem::path run, const Rules& rules) : run_(std::move(run)), rules_(rules) {}

  /// True if `update` is one at which a checkpoint is due.
  bool due(int64_t update) const { return update % rules_.every == 0; }
  std::filesystem::path save(int64_t update, const io::Checkpoint& checkpoint) const;
  void mark_best(int64_t update) const { io::mark_best(run_, update); }
  /// Removes what no rule keeps: the last ones, the best and what the average will need stay.
  void prune(const BestTracker& tracker) const;

  /// Folders that the rule of averaging chooses; none if it chooses fewer than two.
  std::vector<std::filesystem::path> to_average(const BestTracker& tracker) const;
  /// Saves an average.
  std::filesystem::path save_average(int64_t update, const io::Checkpoint& checkpoint) const;
  void mark_average_best(int64_t update) const;

  /// Folder that `best` points to; empty without one.
  std::string best() const;

 private:
  std::vector<int64_t> kept_for_average(const BestTracker& tracker) const;

  std::filesystem::path run_;
  Rules rules_;
};

/// Copies the parameters of a checkpoint whose name and shape are in the model; returns what was left out on either
/// side, one line each. Throws UsageError at /train/initialize_from if none fits or if there is no whole checkpoint.
std::vector<std::string> initialize_from(torch::nn::Module& model, const std::string& checkpoint);

/// Between the two ways of listing named tensors.
io::NamedTensors to_list(const NamedTensors& tensors);
NamedTensors to_map(const io::NamedTensors& tensors);

}  // namespace tr::train
