// The gradient of one update: the batch in parts, each forward and backward, summed and divided once. Several workers
// take parts at the same time.
#pragma once

#include <string>
#include <vector>

#include "libtr/data/dataset.h"
#include "libtr/models/interface.h"
#include "libtr/train/listener.h"
#include "libtr/train/loss.h"
#include "libtr/train/runtime.h"

namespace tr::train {

/// Sums over the target tokens of an update, or of several.
struct UpdateSums {
  double loss = 0;  ///< smoothed, nats
  double nll = 0;
  int64_t correct = 0;
  int64_t tokens = 0;
  PhaseTimes phases;

  UpdateSums& operator+=(const UpdateSums& other);
};

/// SHA-256 over ids and masks of every batch so far: hash of (hash before, batch), so that it can be saved as text.
class BatchHash {
 public:
  const std::string& hex() const { return hex_; }
  void add(const models::Batch& batch);
  void restore(const std::string& hex) { hex_ = hex; }

 private:
  std::string hex_;
};

struct UpdaterOptions {
  LossOptions loss;
  int64_t parts = 1;  ///< into which a worker's share is divided to save memory; no part is empty
  uint64_t seed = 1;  ///< of dropout
};

class Updater {
 public:
  /// `workers`: one model, and copies that share its parameters but have gradients of their own (FlatParameters). More
  /// than one are for the CPU.
  Updater(std::vector<models::SequenceModel*> workers, const UpdaterOptions& options);

  /// Adds the gradient of the mean loss of `examples` to the workers' gradients. `update` settles the dropout masks; a
  /// sentence's place in `examples` is its slot, whatever part it falls into.
  UpdateSums add_gradient(const std::vector<data::Example>& examples, int64_t update);

  BatchHash& hash() { return hash_; }
  const BatchHash& hash() const { return hash_; }

 private:
  UpdateSums backward(models::SequenceModel& model, models::Batch batch, int64_t update,
                      int64_t tokens_of_update) const;

  std::vector<models::SequenceModel*> workers_;
  UpdaterOptions options_;
  BatchHash hash_;
};

}  // namespace tr::train
