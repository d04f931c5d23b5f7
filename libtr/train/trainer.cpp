#include "libtr/train/trainer.h"

#include <ATen/autocast_mode.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/base/random.h"
#include "libtr/io/parameters.h"
#include "libtr/train/run.h"
#include "libtr/train/stopwatch.h"

namespace tr::train {
namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

torch::DeviceType device_of(const TrainSetup& setup) { return setup.model->output().weight.device().type(); }

/// Validation and test pairs are cut where they do not fit; trained on, they would teach that sentences end there.
void check_lengths(const TrainSetup& setup) {
  const int64_t longest = setup.model->longest_sentence();
  if (longest == 0) return;
  for (const auto& [source, target] : data::lengths_of(setup.training_set->examples())) {
    if (std::max(source, target) <= longest) continue;
    throw UsageError("/data/filter",
                     format("leaves a training pair of {} source and {} target tokens, eos counted, but the model "
                            "learns {} positions; expected lower max_source_tokens and max_target_tokens or more "
                            "positions",
                            source, target, longest));
  }
  // Each epoch draws other lengths, within the filter's limits.
  const auto [source, target] = setup.training_set->limits();
  const auto may_exceed = [longest](int64_t limit) { return limit == 0 || limit > longest; };
  if (!setup.training_set->varies() || (!may_exceed(source) && !may_exceed(target))) return;
  throw UsageError("/data/filter", format("with subword sampling a sentence may be longer in another epoch than the {} "
                                          "positions that the model learns, expected max_source_tokens and "
                                          "max_target_tokens from 1 to {}, or more positions",
                                          longest, longest - 1));
}

UpdaterOptions updater_options(const TrainSetup& setup) {
  const auto& options = setup.options;
  return {.loss = {.label_smoothing = options.label_smoothing, .over = options.label_smoothing_over},
          .parts = options.accumulation,
          .seed = setup.seed};
}

std::vector<torch::nn::Module*> copies_of(const TrainSetup& setup) {
  return {setup.copies.begin(), setup.copies.end()};
}

std::vector<models::SequenceModel*> workers_of(const TrainSetup& setup) {
  std::vector<models::SequenceModel*> workers{setup.model};
  workers.insert(workers.end(), setup.copies.begin(), setup.copies.end());
  return workers;
}

/// The best of a run that averages its best checkpoints are several.
int64_t validations_to_keep(const AveragingRule& rule) {
  return rule.which == AveragingRule::Which::best ? rule.checkpoints : 1;
}

std::string text_of(const Budget& budget) {
  const config::Json json = budget.write();  // {"updates": 3000}
  return json.begin().value().dump() + " " + json.begin().key();
}

std::string reason_of(Outcome outcome, const std::string& diagnosis, int64_t stalled) {
  switch (outcome) {
    case Outcome::finished:
      return "the budget is used up";
    case Outcome::stalled:
      return format("no better validation for {} in a row", stalled);
    case Outcome::interrupted:
      return "asked to stop";
    case Outcome::diverged:
      return diagnosis;
  }
  return "";
}

}  // namespace

Trainer::Trainer(TrainSetup setup) : run_(std::make_unique<Run>(std::move(setup))) {}
Trainer::~Trainer() = default;
void Trainer::resume() { run_->resume(); }
TrainResult Trainer::run(TrainListener& listener, const std::atomic<bool>& stop) { return run_->train(listener, stop); }

Trainer::Run::Run(TrainSetup setup)
    : setup_(std::move(setup)),
      parameters_(std::make_shared<FlatParameters>(*setup_.model, copies_of(setup_))),
      optimizer_(setup_.options.optimizer.make(parameters_)),
      schedule_(setup_.options.schedule.make(setup_.model->output().weight.size(1))),
      stream_(setup_.training_set->batches(setup_.options.batches, setup_.seed)),
      updater_(workers_of(setup_), updater_options(setup_)),
      tracker_(setup_.options.best_metric, validations_to_keep(setup_.options.averaging.make())),
      checkpoints_(setup_.run, {setup_.options.checkpoint_every, setup_.options.keep_checkpoints,
                                setup_.options.averaging.make()}) {
  check_lengths(setup_);
}

std::vector<std::string> Trainer::Run::start() {
  std::vector<std::string> notes = setup_.notes;
  const auto& from = setup_.options.initialize_from;
  if (!resumed_ && !from.empty()) {
    for (auto& note : initialize_from(*setup_.model, from.value)) notes.push_back(std::move(note));
  }
  const std::string cut = setup_.validation->note_of_cut(*setup_.model);
  if (!cut.empty()) notes.push_back("valid: " + cut);
  return notes;
}

TrainResult Trainer::Run::train(TrainListener& listener, const std::atomic<bool>& stop) {
  const auto notes = start();
  const PrecisionGuard precision(setup_.precision, device_of(setup_));
  for (auto* worker : workers_of(setup_)) worker->train();
  sitting_start_ = steady_seconds();
  processor_start_ = processor_seconds();
  listener.run_started({.position = position(),
                        .resumed = resumed_,
                        .parameters = parameters_->count(),
                        .notes = notes,
                        .training_pairs = static_cast<int64_t>(setup_.training_set->size()),
                        .budget = text_of(setup_.options.budget)});

  std::optional<Outcome> outcome;
  while (!(outcome = end_of_training())) {
    if (!take_update()) {
      outcome = Outcome::diverged;
      break;
    }
    if (update_ % setup_.options.log_every == 0) log(listener);
    if (update_ % setup_.options.valid_every == 0) validate(listener);
    if (checkpoints_.due(update_) || worth_keeping_) save(listener);
    if (stop.load()) {
      outcome = Outcome::interrupted;
      break;
    }
  }
  finish(listener, *outcome);
  const TrainResult result = this->result(*outcome);
  listener.run_ended({result.outcome, result.reason, result.position, result.times});
  return result;
}

std::optional<Outcome> Trainer::Run::end_of_training() const {
  if (fraction() >= 1) return Outcome::finished;
  const int64_t patience = setup_.options.early_stopping.make();
  if (patience > 0 && tracker_.stalled() >= patience) return Outcome::stalled;
  return std::nullopt;
}

bool Trainer::Run::take_update() {
  const Stopwatch stopwatch(times_.train);
  const OperatorProfile::Section section(setup_.profile);
  const int64_t update = update_ + 1;
  learning_rate_ = optimizer_->learning_rate() * schedule_->factor({update, fraction()});
  PhaseTimes phases;
  timed(phases.optimizer, [&] { parameters_->zero_gradients(); });
  const auto examples = timed(phases.data, [&] { return setup_.training_set->next(stream_, setup_.seed); });
  UpdateSums sums = updater_.add_gradient(examples, update);
  timed(phases.optimizer, [&] {
    parameters_->add_up_gradients();
    gradient_norm_ = parameters_->gradient_norm();
  });
  if (!std::isfinite(sums.loss) || !std::isfinite(gradient_norm_)) {
    diagnosis_ = format(
        "update {}: loss {} and gradient norm {} at learning rate {}; try a lower learning rate, a "
        "longer warm-up or a lower clip_norm",
        update, sums.loss / static_cast<double>(sums.tokens), gradient_norm_, learning_rate_);
    return false;
  }
  timed(phases.optimizer, [&] {
    if (setup_.options.clip_norm > 0) parameters_->clip_gradients(gradient_norm_, setup_.options.clip_norm);
    optimizer_->step(learning_rate_);
  });
  at::autocast::clear_cache();  // its copies of the parameters are stale now
  update_ = update;
  epoch_ = stream_.epoch() + 1;
  target_tokens_ += sums.tokens;
  sums.phases += phases;
  sums_ += sums;
  phases_ += sums.phases;
  return true;
}

void Trainer::Run::log(TrainListener& listener) {
  add_total_time();
  const auto tokens = static_cast<double>(sums_.tokens);
  listener.update_logged({.position = position(),
                          .loss = sums_.loss / tokens,
                          .nll_per_token = sums_.nll / tokens,
                          .accuracy = static_cast<double>(sums_.correct) / tokens,
                          .gradient_norm = gradient_norm_,
                          .learning_rate = learning_rate_,
                          .target_tokens_per_second = tokens / (times_.train - seconds_at_log_),
                          .padding_share = stream_.padding().both,
                          .phases = sums_.phases,
                          .times = times_});
  sums_ = {};
  seconds_at_log_ = times_.train;
}

Evaluation Trainer::Run::evaluate() {
  // A guard of its own: with it end the copies of the parameters that autocast keeps.
  const PrecisionGuard precision(setup_.precision, device_of(setup_));
  Evaluation evaluation;
  {
    const Stopwatch stopwatch(times_.valid);
    evaluation = setup_.validation->forced(*setup_.model, setup_.precision);
  }
  if (setup_.options.valid_decoding == ValidDecoding::none) return evaluation;
  const Stopwatch stopwatch(times_.decode);
  decode::DecodeOptions decoding = setup_.decoding;
  if (setup_.options.valid_decoding == ValidDecoding::greedy) {
    decoding.search = config::Choice<decode::searches>("beam");
    decoding.beam = decoding.n_best = 1;
  }
  evaluation.decoded = setup_.validation->decoded(*setup_.model, decoding, setup_.options.valid_sentences);
  return evaluation;
}

void Trainer::Run::validate(TrainListener& listener) {
  const Evaluation evaluation = evaluate();
  const double value = tracker_.value_of(evaluation);
  new_best_ = tracker_.is_new_best(value);
  worth_keeping_ = tracker_.offer({update_, value});
  schedule_->validated(new_best_);
  validated_ = update_;
  add_total_time();
  listener.validated({.position = position(),
                      .evaluation = evaluation,
                      .best = new_best_,
                      .stalled = tracker_.stalled(),
                      .averaged = false,
                      .times = times_});
}

void Trainer::Run::save(TrainListener& listener) {
  add_total_time();
  saved_ = update_;
  const auto folder = checkpoints_.save(update_, checkpoint());
  if (new_best_) checkpoints_.mark_best(update_);
  checkpoints_.prune(tracker_);
  listener.checkpoint_saved({position(), folder.string(), new_best_});
  new_best_ = worth_keeping_ = false;
}

void Trainer::Run::finish(TrainListener& listener, Outcome outcome) {
  const bool complete = outcome == Outcome::finished || outcome == Outcome::stalled;
  if (complete && sums_.tokens > 0) log(listener);
  if (complete && validated_ != update_) validate(listener);
  // A checkpoint that was saved before it was validated is saved again if it is worth keeping.
  if (outcome != Outcome::diverged && (saved_ != update_ || worth_keeping_)) save(listener);
  if (complete) average(listener);
  add_total_time();
}

void Trainer::Run::average(TrainListener& listener) {
  const auto folders = checkpoints_.to_average(tracker_);
  if (folders.empty()) return;
  io::load_parameters(*setup_.model, io::average_checkpoints(folders), "average");
  io::Checkpoint averaged = checkpoint();
  averaged.training_state = nullptr;
  averaged.training_tensors.clear();
  const auto folder = checkpoints_.save_average(update_, averaged);
  const Evaluation evaluation = evaluate();
  const double value = tracker_.value_of(evaluation);
  const bool best = tracker_.is_new_best(value);
  if (best) checkpoints_.mark_average_best(update_);
  add_total_time();
  listener.validated({.position = position(),
                      .evaluation = evaluation,
                      .best = best,
                      .stalled = tracker_.stalled(),
                      .averaged = true,
                      .times = times_});
  listener.checkpoint_saved({position(), folder.string(), best});
  if (best) average_value_ = value;
}

double Trainer::Run::fraction() const {
  const Budget& budget = setup_.options.budget;
  switch (budget.unit()) {
    case Budget::Unit::updates:
      return std::min(1.0, static_cast<double>(update_) / budget.amount());
    case Budget::Unit::target_tokens:
      return std::min(1.0, static_cast<double>(target_tokens_) / budget.amount());
    case Budget::Unit::seconds:
      return std::min(1.0, times_.train / budget.amount());
  }
  return 1;
}

Position Trainer::Run::position() const { return {update_, epoch_, target_tokens_, fraction()}; }

void Trainer::Run::add_total_time() {
  const double now = steady_seconds(), processor = processor_seconds();
  times_.total += now - std::exchange(sitting_start_, now);
  times_.cpu += processor - std::exchange(processor_start_, processor);
}

TrainResult Trainer::Run::result(Outcome outcome) const {
  TrainResult result{.outcome = outcome,
                     .reason = reason_of(outcome, diagnosis_, tracker_.stalled()),
                     .position = position(),
                     .best_checkpoint = checkpoints_.best(),
                     .batches_sha256 = updater_.hash().hex(),
                     .times = times_,
                     .phases = phases_};
  if (!tracker_.entries().empty()) {
    result.best_update = tracker_.entries().front().update;
    result.best_value = tracker_.entries().front().value;
  }
  if (average_value_) {
    result.best_update = update_;
    result.best_value = *average_value_;
  }
  return result;
}

}  // namespace tr::train
