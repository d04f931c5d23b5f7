// The section "train" of a configuration.
#pragma once

#include "libtr/data/batcher.h"
#include "libtr/train/optimizer.h"
#include "libtr/train/schedule.h"

namespace tr::train {

/// How long to train, in one of three units: {"updates": 3000}, {"target_tokens": 2e7} or {"seconds": 600}.
class Budget {
 public:
  enum class Unit { updates, target_tokens, seconds };

  Budget() = default;
  Budget(Unit unit, double amount) : unit_(unit), amount_(amount) {}
  Unit unit() const { return unit_; }
  double amount() const { return amount_; }

  void read(const config::Json& json, const config::Place& place);
  config::Json write() const;
  config::Json schema() const;
  void validate(const std::string& at) const;

 private:
  Unit unit_ = Unit::updates;
  double amount_ = 10000;
};
inline auto names_of(Budget::Unit) {
  return std::vector<std::pair<Budget::Unit, const char*>>{{Budget::Unit::updates, "updates"},
                                                           {Budget::Unit::target_tokens, "target_tokens"},
                                                           {Budget::Unit::seconds, "seconds"}};
}

/// Which classes share what label smoothing takes from the right one.
enum class SmoothingOver {
  others,  ///< epsilon / (vocab - 1) for each other class
  all,     ///< epsilon / vocab for each class, the right one included (Szegedy et al. 2016, section 7)
};
inline auto names_of(SmoothingOver) {
  return std::vector<std::pair<SmoothingOver, const char*>>{{SmoothingOver::others, "others"},
                                                            {SmoothingOver::all, "all"}};
}

/// What decides which validation is the best.
enum class BestMetric { nll, accuracy, bleu, chrf };
inline auto names_of(BestMetric) {
  return std::vector<std::pair<BestMetric, const char*>>{{BestMetric::nll, "nll"},
                                                         {BestMetric::accuracy, "accuracy"},
                                                         {BestMetric::bleu, "bleu"},
                                                         {BestMetric::chrf, "chrf"}};
}

/// How validation translates.
enum class ValidDecoding { none, greedy, search };
inline auto names_of(ValidDecoding) {
  return std::vector<std::pair<ValidDecoding, const char*>>{
      {ValidDecoding::none, "none"}, {ValidDecoding::greedy, "greedy"}, {ValidDecoding::search, "search"}};
}

/// Validations without a new best after which training stops; 0: never.
using EarlyStoppings = config::Registry<int64_t>;
EarlyStoppings& early_stoppings();  ///< none, patience

/// Which checkpoints are averaged at the end.
struct AveragingRule {
  enum class Which { none, last, best };
  Which which = Which::none;
  int64_t checkpoints = 0;
};
using Averagings = config::Registry<AveragingRule>;
Averagings& averagings();  ///< none, last, best

struct PatienceOptions {
  int64_t validations = 10;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("validations", self.validations, "validations without a new best after which training stops",
          config::at_least(1));
  }
};

struct AveragingOptions {
  int64_t checkpoints = 5;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("checkpoints", self.checkpoints, "checkpoints whose parameters are averaged", config::at_least(2));
  }
};

struct TrainOptions {
  data::BatchOptions batches;
  int64_t accumulation = 1;
  int64_t workers = 0;
  Budget budget;
  int64_t valid_every = 500;
  int64_t checkpoint_every = 500;
  int64_t log_every = 50;
  double label_smoothing = 0.1;
  SmoothingOver label_smoothing_over = SmoothingOver::others;
  config::Choice<optimizers> optimizer{"adam"};
  config::Choice<schedules> schedule{"inverse_square_root"};
  double clip_norm = 1.0;
  config::Choice<early_stoppings> early_stopping{"none"};
  BestMetric best_metric = BestMetric::nll;
  config::Choice<averagings> averaging{"none"};
  int64_t keep_checkpoints = 2;
  config::Path initialize_from;
  ValidDecoding valid_decoding = ValidDecoding::greedy;
  int64_t valid_sentences = 0;

  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    data::BatchOptions::fields(self.batches, field);
    field("accumulation", self.accumulation, "parts that a worker's share of an update is computed in, to save memory",
          config::at_least(1));
    field("workers", self.workers,
          "threads of a CPU that share out the sentences of an update, each with a gradient of its own; 0: as many of "
          "the run's threads as get 128 target tokens each",
          config::at_least(0));
    field("budget", self.budget, "how long to train: one of updates, target_tokens, seconds");
    field("valid_every", self.valid_every, "updates from one validation to the next", config::at_least(1));
    field("checkpoint_every", self.checkpoint_every, "updates from one checkpoint to the next", config::at_least(1));
    field("log_every", self.log_every, "updates from one log line to the next", config::at_least(1));
    field("label_smoothing", self.label_smoothing, "probability taken from the right class", config::below_one());
    field("label_smoothing_over", self.label_smoothing_over,
          "classes that share it: the others, or all (Szegedy et al. 2016, section 7)");
    field("optimizer", self.optimizer, "how gradients change parameters");
    field("schedule", self.schedule, "how the learning rate changes");
    field("clip_norm", self.clip_norm, "largest norm of the gradient; 0: no limit", config::at_least(0));
    field("early_stopping", self.early_stopping, "whether training ends before the budget does");
    field("best_metric", self.best_metric, "what decides which checkpoint is the best");
    field("averaging", self.averaging, "average of checkpoints, at the end; the best if it is better");
    field("keep_checkpoints", self.keep_checkpoints,
          "latest checkpoints that are kept; the best and those for averaging are kept besides", config::at_least(1));
    field("initialize_from", self.initialize_from,
          "checkpoint whose parameters are the start, by name and shape; empty: none");
    field("valid_decoding", self.valid_decoding, "how validation translates: none, greedy, search (as /decode says)");
    field("valid_sentences", self.valid_sentences, "sentences that validation translates; 0: all", config::at_least(0));
  }
  /// Workers of a run on a CPU with so many threads. Throws UsageError if more were asked for.
  int64_t workers_of(int64_t threads) const;
  /// Conditions between fields; throws UsageError.
  void validate(const std::string& at) const;
};

}  // namespace tr::train
