// Learning rate schedules, and the table that a configuration chooses from.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "libtr/config/registry.h"

namespace tr::train {

/// Where an update stands.
struct Moment {
  int64_t update = 1;   ///< from 1
  double fraction = 0;  ///< of the budget, used up before this update, 0 … 1
};

class Schedule {
 public:
  virtual ~Schedule() = default;
  /// What the optimizer's learning rate is multiplied by.
  virtual double factor(const Moment& moment) const = 0;
  /// Called after each validation; `improved`: best so far by train.best_metric.
  virtual void validated(bool /*improved*/) {}
  /// What a resumed run needs.
  virtual std::map<std::string, double> state() const { return {}; }
  virtual void restore(const std::map<std::string, double>& /*state*/) {}
};

/// The argument is the width of the model's output, d_model, for noam.
using Schedules = config::Registry<std::shared_ptr<Schedule>, int64_t>;
/// constant, inverse_square_root, noam, linear, cosine, plateau; open to more.
Schedules& schedules();

/// Linear rise during the first updates, part of every schedule.
struct WarmupOptions {
  int64_t warmup = 0;
  double warmup_from = 0;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("warmup", self.warmup, "updates of linear rise to the full rate; 0: none", config::at_least(0));
    field("warmup_from", self.warmup_from, "share of the full rate that the rise starts from", config::between(0, 1));
  }
};
/// warmup_from + (1 - warmup_from) update / warmup, at most 1.
double warmup_factor(const WarmupOptions& options, int64_t update);

}  // namespace tr::train
