// What a run saves and takes up again: everything that the loop decides by.
#include "libtr/base/error.h"
#include "libtr/io/parameters.h"
#include "libtr/train/run.h"

namespace tr::train {
namespace {

config::Json to_json(const WallTimes& times) {
  return {{"train", times.train},
          {"valid", times.valid},
          {"decode", times.decode},
          {"total", times.total},
          {"cpu", times.cpu}};
}

WallTimes times_of(const config::Json& json) {
  const auto at = [&](const char* key) { return json.at(key).get<double>(); };
  return {at("train"), at("valid"), at("decode"), at("total"), at("cpu")};
}

config::Json to_json(const UpdateSums& sums) {
  return {{"loss", sums.loss}, {"nll", sums.nll}, {"correct", sums.correct}, {"tokens", sums.tokens}};
}

UpdateSums sums_of(const config::Json& json) {
  return {json.at("loss").get<double>(), json.at("nll").get<double>(), json.at("correct").get<int64_t>(),
          json.at("tokens").get<int64_t>()};
}

}  // namespace

config::Json Trainer::Run::state() const {
  return {{"update", update_},
          {"epoch", epoch_},
          {"target_tokens", target_tokens_},
          {"validated", validated_},
          {"batches", stream_.state()},
          {"batches_sha256", updater_.hash().hex()},
          {"schedule", schedule_->state()},
          {"best", tracker_.state()},
          {"since_log", to_json(sums_)},
          {"seconds_at_log", seconds_at_log_},
          {"times", to_json(times_)}};
}

void Trainer::Run::restore_state(const config::Json& state) {
  stream_.restore(state.at("batches"));
  update_ = saved_ = state.at("update").get<int64_t>();
  epoch_ = state.at("epoch").get<int64_t>();
  target_tokens_ = state.at("target_tokens").get<int64_t>();
  validated_ = state.at("validated").get<int64_t>();
  updater_.hash().restore(state.at("batches_sha256").get<std::string>());
  schedule_->restore(state.at("schedule").get<std::map<std::string, double>>());
  tracker_.restore(state.at("best"));
  sums_ = sums_of(state.at("since_log"));
  seconds_at_log_ = state.at("seconds_at_log").get<double>();
  times_ = times_of(state.at("times"));
}

io::Checkpoint Trainer::Run::checkpoint() const {
  return {.config = setup_.config,
          .model = io::parameters_of(*setup_.model),
          .training_state = state(),
          .training_tensors = to_list(optimizer_->state()),
          .save_tokenizer = [this](const std::filesystem::path& folder) { setup_.tokenizers->save(folder.string()); }};
}

void Trainer::Run::resume() {
  const auto folder = io::last_checkpoint(setup_.run);
  const auto checkpoint = io::load_checkpoint(folder);
  if (!checkpoint.training_state.is_object()) {
    throw DataError(folder.string(), "holds no training state, expected a checkpoint that training saved");
  }
  io::load_parameters(*setup_.model, checkpoint.model, folder.string());
  optimizer_->restore(to_map(checkpoint.training_tensors));
  try {
    restore_state(checkpoint.training_state);
  } catch (const nlohmann::json::exception& error) {
    throw DataError((folder / "training_state/state.json").string(), std::string("is incomplete: ") + error.what());
  }
  // A run that was killed between the two may have saved its best without marking it.
  if (!tracker_.entries().empty()) checkpoints_.mark_best(tracker_.entries().front().update);
  resumed_ = true;
}

}  // namespace tr::train
