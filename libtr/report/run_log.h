// The run's diary: events.jsonl, one JSON object a line, flushed as it happens.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "libtr/train/listener.h"

namespace tr::report {

/// Appends to RUN/events.jsonl; a resumed run goes on in the same file behind a line of its own. Types of events:
///   run_start   seed, update resumed from, parameters, environment
///   train       update, epoch, loss and nll_per_token (nats), accuracy, gradient_norm, learning_rate, target_tokens,
///               target_tokens_per_second, padding_share, seconds_per_update, seconds (of training so far)
///   valid       update, nll_per_token, perplexity, accuracy, bleu, chrf, best, stalled, averaged, seconds
///   checkpoint  update, folder, best
///   test        name, nll_per_token, perplexity, bleu, chrf, decode_seconds
///   run_end     outcome, reason, update, wall_time_seconds
class RunLog : public train::TrainListener {
 public:
  /// `start` is merged into the run_start event: seed, environment and the like. Drops a torn last line that a killed
  /// run left. Throws DataError if the file cannot be written.
  RunLog(const std::filesystem::path& run, nlohmann::ordered_json start);

  void run_started(const train::RunStarted& event) override;
  void update_logged(const train::UpdateLogged& event) override;
  void validated(const train::Validated& event) override;
  void checkpoint_saved(const train::CheckpointSaved& event) override;
  void tested(const train::Tested& event) override;
  void run_ended(const train::RunEnded& event) override;

 private:
  void write(const nlohmann::ordered_json& event);

  std::filesystem::path path_;
  std::ofstream file_;
  nlohmann::ordered_json start_;
};

/// The value, or null where it is not finite: JSON has no other way to say so.
nlohmann::ordered_json finite_or_null(double value);

/// {"data", "forward", "loss", "backward", "optimizer"}: means of an update; null if none was timed.
nlohmann::ordered_json seconds_per_update(const train::PhaseTimes& phases);

/// "finished", "stalled", "interrupted", "diverged"
const char* name_of(train::Outcome outcome);

}  // namespace tr::report
