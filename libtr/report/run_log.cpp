#include "libtr/report/run_log.h"

#include <cerrno>
#include <cmath>
#include <cstring>

#include "libtr/base/error.h"

namespace tr::report {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
namespace {

// A line that a killed run did not finish must not swallow the next one.
void drop_torn_line(const fs::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return;
  auto size = static_cast<int64_t>(file.tellg());
  for (char last = 0; size > 0; --size) {
    file.seekg(size - 1);
    file.get(last);
    if (last == '\n') break;
  }
  file.close();
  fs::resize_file(path, static_cast<uintmax_t>(size));
}

void add_measures(Json& json, const train::Evaluation& evaluation) {
  json["nll_per_token"] = finite_or_null(evaluation.nll_per_token);
  json["perplexity"] = finite_or_null(evaluation.perplexity);
  json["accuracy"] = finite_or_null(evaluation.accuracy);
  if (evaluation.decoded) {
    json["bleu"] = evaluation.decoded->bleu;
    json["chrf"] = evaluation.decoded->chrf;
  }
}

}  // namespace

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json seconds_per_update(const train::PhaseTimes& phases) {
  const auto mean = [&](double seconds) { return finite_or_null(seconds / static_cast<double>(phases.updates)); };
  return {{"data", mean(phases.data)},
          {"forward", mean(phases.forward)},
          {"loss", mean(phases.loss)},
          {"backward", mean(phases.backward)},
          {"optimizer", mean(phases.optimizer)}};
}

const char* name_of(train::Outcome outcome) {
  switch (outcome) {
    case train::Outcome::finished:
      return "finished";
    case train::Outcome::stalled:
      return "stalled";
    case train::Outcome::interrupted:
      return "interrupted";
    case train::Outcome::diverged:
      return "diverged";
  }
  return "unknown";
}

RunLog::RunLog(const fs::path& run, Json start) : path_(run / "events.jsonl"), start_(std::move(start)) {
  drop_torn_line(path_);
  file_.open(path_, std::ios::binary | std::ios::app);
  if (!file_) throw DataError(path_.string(), std::string("cannot be written: ") + std::strerror(errno));
}

void RunLog::write(const Json& event) {
  file_ << event.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
  if (!file_) throw DataError(path_.string(), std::string("cannot be written: ") + std::strerror(errno));
}

void RunLog::run_started(const train::RunStarted& event) {
  Json json = {{"type", "run_start"}, {"resumed", event.resumed}, {"resumed_from_update", event.position.update}};
  json["parameters"] = event.parameters;
  if (!event.notes.empty()) json["notes"] = event.notes;
  json.update(start_);
  write(json);
}

void RunLog::update_logged(const train::UpdateLogged& event) {
  write({{"type", "train"},
         {"update", event.position.update},
         {"epoch", event.position.epoch},
         {"loss", finite_or_null(event.loss)},
         {"nll_per_token", finite_or_null(event.nll_per_token)},
         {"accuracy", finite_or_null(event.accuracy)},
         {"gradient_norm", finite_or_null(event.gradient_norm)},
         {"learning_rate", event.learning_rate},
         {"target_tokens", event.position.target_tokens},
         {"target_tokens_per_second", finite_or_null(event.target_tokens_per_second)},
         {"padding_share", event.padding_share},
         {"seconds_per_update", seconds_per_update(event.phases)},
         {"seconds", event.times.train}});
}

void RunLog::validated(const train::Validated& event) {
  Json json = {{"type", "valid"}, {"update", event.position.update}, {"target_tokens", event.position.target_tokens}};
  add_measures(json, event.evaluation);
  json["best"] = event.best;
  json["stalled"] = event.stalled;
  json["averaged"] = event.averaged;
  json["seconds"] = event.times.train;
  write(json);
}

void RunLog::checkpoint_saved(const train::CheckpointSaved& event) {
  write({{"type", "checkpoint"}, {"update", event.position.update}, {"folder", event.folder}, {"best", event.best}});
}

void RunLog::tested(const train::Tested& event) {
  Json json = {{"type", "test"}, {"name", event.name}};
  add_measures(json, event.evaluation);
  json["decode_seconds"] = event.decode_seconds;
  write(json);
}

void RunLog::run_ended(const train::RunEnded& event) {
  write({{"type", "run_end"},
         {"outcome", name_of(event.outcome)},
         {"reason", event.reason},
         {"update", event.position.update},
         {"wall_time_seconds", event.times.total}});
}

}  // namespace tr::report
