// Which validation is the best so far, and for how long there has been no better one.
#pragma once

#include <vector>

#include "libtr/train/evaluation.h"
#include "libtr/train/options.h"

namespace tr::train {

class BestTracker {
 public:
  struct Entry {
    int64_t update = 0;
    double value = 0;
  };

  /// Keeps the `keep` best validations in mind.
  BestTracker(BestMetric metric, int64_t keep) : metric_(metric), keep_(keep) {}

  double value_of(const Evaluation& evaluation) const;
  /// False for a value that is not finite; nll is the better the lower, all others the higher.
  bool is_better(double value, double than) const;
  /// True if `value` is better than all before.
  bool is_new_best(double value) const;

  /// Takes note of a validation; true if it is among the `keep` best.
  bool offer(const Entry& entry);

  const std::vector<Entry>& entries() const { return entries_; }  ///< best first
  int64_t stalled() const { return stalled_; }                    ///< validations since the best

  config::Json state() const;
  void restore(const config::Json& state);

 private:
  BestMetric metric_;
  int64_t keep_;
  std::vector<Entry> entries_;
  int64_t stalled_ = 0;
};

}  // namespace tr::train
