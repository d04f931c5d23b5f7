#include "libtr/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libtr/base/error.h"

namespace tr::train {
namespace {

struct NoamOptions {
  int64_t warmup = 4000;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("warmup", self.warmup, "updates of linear rise", config::at_least(1));
  }
};

/// Schedules that use up a horizon: the budget, in whatever unit.
struct HorizonOptions {
  WarmupOptions warmup;
  double end = 0;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    WarmupOptions::fields(self.warmup, field);
    field("end", self.end, "share of the full rate at the end of the budget", config::between(0, 1));
  }
};

struct PlateauOptions {
  WarmupOptions warmup;
  double factor = 0.5;
  int64_t patience = 2;
  double smallest = 0.01;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    WarmupOptions::fields(self.warmup, field);
    field("factor", self.factor, "what the rate is multiplied by when validation stalls",
          config::Limits{.low = 0, .high = 1, .without_low = true, .without_high = true});
    field("patience", self.patience, "validations without a new best before that", config::at_least(1));
    field("smallest", self.smallest, "share of the full rate that it does not fall below", config::between(0, 1));
  }
};

/// A schedule that is a function of the moment alone.
class FunctionSchedule : public Schedule {
 public:
  explicit FunctionSchedule(std::function<double(const Moment&)> function) : function_(std::move(function)) {}
  double factor(const Moment& moment) const override { return function_(moment); }

 private:
  std::function<double(const Moment&)> function_;
};

/// Lowers the rate whenever validation has not improved for a while.
class Plateau : public Schedule {
 public:
  explicit Plateau(const PlateauOptions& options) : options_(options) {}

  double factor(const Moment& moment) const override { return warmup_factor(options_.warmup, moment.update) * scale_; }
  void validated(bool improved) override {
    stalled_ = improved ? 0 : stalled_ + 1;
    if (stalled_ < options_.patience) return;
    scale_ = std::max(scale_ * options_.factor, options_.smallest);
    stalled_ = 0;
  }
  std::map<std::string, double> state() const override {
    return {{"scale", scale_}, {"stalled", static_cast<double>(stalled_)}};
  }
  void restore(const std::map<std::string, double>& state) override {
    if (!state.contains("scale") || !state.contains("stalled")) {
      throw DataError("schedule state", "scale or stalled is missing, expected both for plateau");
    }
    scale_ = state.at("scale");
    stalled_ = static_cast<int64_t>(state.at("stalled"));
  }

 private:
  PlateauOptions options_;
  double scale_ = 1;
  int64_t stalled_ = 0;
};

std::shared_ptr<Schedule> function(std::function<double(const Moment&)> factor) {
  return std::make_shared<FunctionSchedule>(std::move(factor));
}

std::shared_ptr<Schedule> make_constant(const WarmupOptions& options, int64_t) {
  return function([options](const Moment& moment) { return warmup_factor(options, moment.update); });
}

std::shared_ptr<Schedule> make_inverse_square_root(const WarmupOptions& options, int64_t) {
  return function([options](const Moment& moment) {
    const int64_t full = std::max<int64_t>(options.warmup, 1);  // the update of the full rate
    if (moment.update < full) return warmup_factor(options, moment.update);
    return std::sqrt(static_cast<double>(full) / static_cast<double>(moment.update));
  });
}

std::shared_ptr<Schedule> make_noam(const NoamOptions& options, int64_t d_model) {
  return function([options, d_model](const Moment& moment) {
    const double update = static_cast<double>(moment.update), warmup = static_cast<double>(options.warmup);
    return std::pow(static_cast<double>(d_model), -0.5) *
           std::min(std::pow(update, -0.5), update * std::pow(warmup, -1.5));
  });
}

std::shared_ptr<Schedule> make_linear(const HorizonOptions& options, int64_t) {
  return function([options](const Moment& moment) {
    return warmup_factor(options.warmup, moment.update) * (1 - (1 - options.end) * moment.fraction);
  });
}

std::shared_ptr<Schedule> make_cosine(const HorizonOptions& options, int64_t) {
  return function([options](const Moment& moment) {
    const double wave = (1 + std::cos(std::numbers::pi * moment.fraction)) / 2;  // 1 … 0
    return warmup_factor(options.warmup, moment.update) * (options.end + (1 - options.end) * wave);
  });
}

std::shared_ptr<Schedule> make_plateau(const PlateauOptions& options, int64_t) {
  return std::make_shared<Plateau>(options);
}

/// The recipe of section 5.3 of the paper warms up for 4000 updates.
struct InverseSquareRootOptions : WarmupOptions {
  InverseSquareRootOptions() { warmup = 4000; }
};

}  // namespace

double warmup_factor(const WarmupOptions& options, int64_t update) {
  if (update >= options.warmup) return 1;
  const double risen = static_cast<double>(update) / static_cast<double>(options.warmup);
  return options.warmup_from + (1 - options.warmup_from) * risen;
}

Schedules& schedules() {
  static Schedules table = [] {
    Schedules filled("schedule");
    filled.add<WarmupOptions>("constant", "the learning rate stays", "", make_constant);
    filled.add<InverseSquareRootOptions>("inverse_square_root",
                                         "falls with the root of the update, from 1 after warm-up",
                                         "Vaswani et al. 2017, section 5.3", make_inverse_square_root);
    filled.add<NoamOptions>("noam", "the same on the paper's scale: times d_model^-0.5; learning_rate 1 is the paper's",
                            "Vaswani et al. 2017, equation 3", make_noam);
    filled.add<HorizonOptions>("linear", "falls in a line over the budget", "", make_linear);
    filled.add<HorizonOptions>("cosine", "falls along half a cosine over the budget",
                               "Loshchilov and Hutter 2017, equation 5, without restarts", make_cosine);
    filled.add<PlateauOptions>("plateau", "falls when validation has not improved for a while", "", make_plateau);
    return filled;
  }();
  return table;
}

}  // namespace tr::train
