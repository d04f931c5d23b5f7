#include "libtr/experiment/run_folder.h"

#include <algorithm>
#include <set>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/base/format.h"
#include "libtr/config/json_text.h"
#include "libtr/experiment/corpus_record.h"
#include "libtr/experiment/tokenizer_cache.h"
#include "libtr/io/run_folder.h"

namespace tr::experiment {
namespace fs = std::filesystem;
using config::Json;
using config::value_at;
namespace {

constexpr const char* kConfig = "config.json";
constexpr const char* kResult = "result.json";
constexpr size_t kChangesNamed = 5;

// Throws UsageError for what is not a configuration as a run stores it.
RunOptions stored_options(const fs::path& file) {
  const Json json = config::parse_file(file);
  if (!json.contains("model")) throw UsageError(file.string(), "is not the configuration of a run: /model is missing");
  return read_run_options(config::document_of(json, file.string()));
}

bool is_run_configuration(const fs::path& file) {
  try {
    stored_options(file);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

bool is_begun_run(const fs::path& folder) {
  const bool described = fs::exists(folder / kConfig);
  if (described && !is_run_configuration(folder / kConfig)) return false;
  return all_entries(folder, [&](const fs::path& entry) {
    const std::string name = entry.filename().string(), finished = finished_name(name);
    if (name == kLock || finished == kConfig) return true;
    if (!described) return false;  // nothing is written before it
    if (name == kTokenizer) return is_kept_tokenizer(entry);
    if (name == "checkpoints") return all_entries(entry, io::is_unfinished);
    return name == kConfig || name == kCorpus || name == "events.jsonl" || finished == kCorpus ||
           finished == kTokenizer;
  });
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

std::vector<std::string> changes_since(const fs::path& folder, const RunOptions& options) {
  if (!fs::exists(folder / kConfig)) {
    throw UsageError("--run",
                     folder.string() + " is not the folder of one run: it is not empty, but has no config.json");
  }
  const Json before = config::write_value(stored_options(folder / kConfig)), config = config::write_value(options);
  const auto change = [&](const std::string& path) {
    return format("the run has {}, the configuration now says {}", config::shown(value_at(before, path)),
                  config::shown(value_at(config, path)));
  };
  std::vector<std::string> refused, notes;
  for (const auto& path : differing_paths(before, config)) {
    if (path.starts_with("/train/budget")) {
      notes.push_back(path + ": " + change(path) + ", which counts from here on");
    } else {
      refused.push_back(path);
    }
  }
  if (!refused.empty()) {
    std::string all = change(refused.front());
    for (size_t i = 1; i < std::min(refused.size(), kChangesNamed); ++i)
      all += "; " + refused[i] + ": " + change(refused[i]);
    if (refused.size() > kChangesNamed) all += format("; {} other values differ too", refused.size() - kChangesNamed);
    throw UsageError(refused.front(), all + "; a run is resumed with its own settings, all but /train/budget");
  }
  // Its learning rates followed the old budget to the end: trained on, it would not be a run with the new one.
  if (!notes.empty() && fs::exists(folder / kResult)) {
    throw UsageError("/train/budget", change("/train/budget") + "; " + folder.string() +
                                          " has finished, another budget needs a new --run");
  }
  return notes;
}

RunFolder::RunFolder(fs::path folder, const RunOptions& options, Resume resume)
    : own_(std::move(folder), resume, is_begun_run,
           [&](const fs::path& path) { notes_ = changes_since(path, options); }) {
  config::write_json(path() / kConfig, config::write_value(options));
}

bool RunFolder::has_result() const { return fs::exists(path() / kResult); }

Json RunFolder::result() const { return Json::parse(read_file(path() / kResult)); }

bool RunFolder::has_checkpoint() const { return fs::exists(path() / "checkpoints" / "last"); }

void RunFolder::write_result(const Json& result) const { config::write_json(path() / kResult, result); }

}  // namespace tr::experiment
