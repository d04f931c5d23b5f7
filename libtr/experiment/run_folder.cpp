#include "libtr/experiment/run_folder.h"

#include <algorithm>
#include <set>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/base/format.h"

namespace tr::experiment {
namespace fs = std::filesystem;
using config::Json;

void write_json(const fs::path& file, const Json& json) {
  write_file(file, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Json value_at(const Json& json, const std::string& path) {
  const Json::json_pointer pointer(path);
  return json.contains(pointer) ? json.at(pointer) : Json(nullptr);
}

std::vector<std::string> differing_paths(const Json& a, const Json& b) {
  const Json flat_a = a.flatten(), flat_b = b.flatten();
  std::set<std::string> paths;
  for (const Json* flat : {&flat_a, &flat_b}) {
    for (const auto& [path, value] : flat->items()) paths.insert(path);
  }
  std::vector<std::string> differing;
  for (const auto& path : paths) {
    if (value_at(a, path) != value_at(b, path)) differing.push_back(path);
  }
  return differing;
}

RunFolder::RunFolder(fs::path folder, const Json& config, Resume resume) : path_(std::move(folder)) {
  const fs::path stored = path_ / "config.json";
  if (resume == Resume::no && fs::exists(path_)) {
    throw UsageError("--run", path_.string() + " exists; --resume goes on with it, nothing is ever overwritten");
  }
  fs::create_directories(path_);
  if (fs::exists(stored)) {
    const Json before = Json::parse(read_file(stored), nullptr, /*allow_exceptions=*/false);
    if (before.is_discarded()) throw DataError(stored.string(), "is not JSON");
    for (const auto& path : differing_paths(before, config)) {
      const std::string change = format("the run has {}, the configuration now says {}",
                                        config::shown(value_at(before, path)), config::shown(value_at(config, path)));
      if (!path.starts_with("/train/budget")) {
        throw UsageError(path, change + "; a run is resumed with its own settings, all but /train/budget");
      }
      notes_.push_back(path + ": " + change + ", which counts from here on");
    }
  } else if (fs::exists(path_ / "result.json")) {
    throw UsageError("--run", path_.string() + " is not the folder of one run: it has result.json but no config.json");
  }
  write_json(stored, config);
}

bool RunFolder::has_result() const { return fs::exists(path_ / "result.json"); }

Json RunFolder::result() const { return Json::parse(read_file(path_ / "result.json")); }

bool RunFolder::has_checkpoint() const { return fs::exists(path_ / "checkpoints" / "last"); }

void RunFolder::write_result(const Json& result) const { write_json(path_ / "result.json", result); }

}  // namespace tr::experiment
