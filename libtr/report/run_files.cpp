// Reads what a run left on the disk, for reports.
#include "libtr/report/run_files.h"

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "libtr/base/error.h"
#include "libtr/base/files.h"

namespace tr::report {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
namespace {

constexpr size_t kTrainEventsShown = 500;  // as many as a curve has pixels

Json parse(const std::string& text) { return Json::parse(text, /*cb=*/nullptr, /*allow_exceptions=*/false); }

bool is_type(const Json& event, const char* type) {
  return event.is_object() && event.contains("type") && event["type"] == type;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool has_number(const Json& object, const char* key) { return object.contains(key) && object[key].is_number(); }

// A resumed run redoes the updates after its checkpoint: what was said of them before no longer counts.
void supersede(Json& events, const Json& start) {
  const double resumed_from =
      has_number(start, "resumed_from_update") ? start["resumed_from_update"].get<double>() : -1;
  Json kept = Json::array();
  for (Json& event : events) {
    if (!has_number(event, "update") || event["update"].get<double>() <= resumed_from) kept.push_back(std::move(event));
  }
  events = std::move(kept);
}

Json of_type(const Json& events, const char* type) {
  Json found = Json::array();
  for (const Json& event : events) {
    if (is_type(event, type)) found.push_back(event);
  }
  return found;
}

// Every n-th event, the last among them.
Json thinned(const Json& events) {
  const size_t step = (events.size() + kTrainEventsShown - 1) / kTrainEventsShown;
  Json kept = Json::array();
  for (size_t i = 0; i < events.size(); ++i) {
    if ((events.size() - 1 - i) % step != 0) continue;
    kept.push_back(events[i]);
    kept.back().erase("seconds_per_update");  // no curve shows it
  }
  return kept;
}

void round_weights(Json& value) {
  if (value.is_number_float()) value = std::round(value.get<double>() * 1e4) / 1e4;
  if (value.is_structured()) {
    for (Json& part : value) round_weights(part);
  }
}

Json read_samples(const fs::path& file) {
  Json samples = read_object(file).value("samples", Json::array());
  for (Json& sample : samples) {
    if (!sample.is_object()) throw DataError(file.string(), "a sample is " + sample.dump() + ", expected an object");
    if (sample.contains("attention")) round_weights(sample["attention"]);
  }
  return samples;
}

Json seed_of(const Json& result, const Json& config) {
  if (result.contains("seed")) return result["seed"];
  return config.is_object() ? config.value("seed", Json()) : Json();
}

}  // namespace

Json read_object(const fs::path& file) {
  Json value = parse(read_file(file));
  if (!value.is_object()) throw DataError(file.string(), "is not a JSON object");
  return value;
}

Json read_events(const fs::path& file) {
  const std::vector<std::string> lines = lines_of(read_file(file));
  Json events = Json::array();
  for (size_t i = 0; i < lines.size(); ++i) {
    Json event = parse(lines[i]);
    if (!event.is_object()) {
      if (i + 1 == lines.size() || is_type(parse(lines[i + 1]), "run_start")) continue;
      throw DataError(file.string() + ":" + std::to_string(i + 1), "is not a JSON object");
    }
    if (is_type(event, "run_start")) supersede(events, event);
    events.push_back(std::move(event));
  }
  return events;
}

Json read_run(const fs::path& folder) {
  if (!fs::exists(folder)) throw UsageError(folder.string(), "does not exist, expected the folder of a run");
  const fs::path result_file = folder / "result.json";
  if (!fs::exists(result_file)) {
    throw DataError(folder.string(), "has no result.json, expected the folder of a finished train or compare");
  }
  const auto if_there = [&](const char* name, auto&& read) {
    return fs::exists(folder / name) ? read(folder / name) : Json();
  };
  const Json config = if_there("config.json", read_object);
  const Json events = if_there("events.jsonl", read_events);
  const Json samples = if_there("samples.json", read_samples);
  const Json result = read_object(result_file);
  return {{"seed", seed_of(result, config)},
          {"config", config},
          {"result", result},
          {"train", thinned(of_type(events, "train"))},
          {"valid", of_type(events, "valid")},
          {"samples", samples.is_array() ? samples : Json::array()}};
}

Json statistic(const Json& values) {
  double sum = 0, squares = 0;
  for (const Json& value : values) {
    if (!value.is_number()) return {{"mean", nullptr}, {"sd", nullptr}, {"values", values}};
    sum += value.get<double>();
  }
  const double count = static_cast<double>(values.size()), mean = sum / count;
  for (const Json& value : values) squares += std::pow(value.get<double>() - mean, 2);
  const Json sd = values.size() > 1 ? Json(std::sqrt(squares / (count - 1))) : Json();
  return {{"mean", values.empty() ? Json() : Json(mean)}, {"sd", sd}, {"values", values}};
}

}  // namespace tr::report
