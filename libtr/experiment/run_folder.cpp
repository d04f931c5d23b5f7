#include "libtr/experiment/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/base/format.h"
#include "libtr/config/json_text.h"

namespace tr::experiment {
namespace fs = std::filesystem;
using config::Json;
using config::value_at;
namespace {

constexpr const char* kConfig = "config.json";
constexpr const char* kResult = "result.json";
constexpr size_t kChangesNamed = 5;

bool all_leftovers(const fs::path& folder);

// "checkpoints" without one in it counts, and of a comparison MODEL/seed-N.
bool is_leftover(const fs::path& path) {
  const std::string name = path.filename().string();
  if (name == "tokenizer") return fs::exists(path / kMadeFrom);
  if (name.find(".tmp") != std::string::npos) return true;  // what was being written, by base/files.h or make_material
  if (fs::is_directory(path) && !fs::is_symlink(path)) return all_leftovers(path);
  return name == kLock || name == kConfig || name == "events.jsonl";
}

bool all_leftovers(const fs::path& folder) {
  return std::all_of(fs::directory_iterator(folder), fs::directory_iterator(),
                     [](const fs::directory_entry& entry) { return is_leftover(entry.path()); });
}

}  // namespace

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

FolderLock::FolderLock(const fs::path& folder)
    : file_(::open((folder / kLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (file_ < 0) throw DataError(folder.string(), std::string("cannot be written to: ") + std::strerror(errno));
  // Any other failure means that the file system knows no locks; training there is still possible.
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(file_);
    throw DataError(folder.string(), "is in use by another process");
  }
}

FolderLock::~FolderLock() { ::close(file_); }

bool is_unused(const fs::path& folder) {
  // What lies there without the lock is somebody else's.
  if (!fs::exists(folder / kLock)) return fs::is_directory(folder) && fs::is_empty(folder);
  return all_leftovers(folder);
}

void start_anew(const fs::path& folder) {
  fs::remove(folder / kConfig);
  fs::remove(folder / "events.jsonl");
}

std::vector<std::string> changes_since(const fs::path& folder, const Json& config) {
  if (!fs::exists(folder / kConfig)) {
    throw UsageError("--run",
                     folder.string() + " is not the folder of one run: it is not empty, but has no config.json");
  }
  const Json before = Json::parse(read_file(folder / kConfig), nullptr, /*allow_exceptions=*/false);
  if (before.is_discarded()) throw DataError((folder / kConfig).string(), "is not JSON");
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

RunFolder::RunFolder(fs::path folder, const Json& config, Resume resume) : path_(std::move(folder)) {
  if (fs::exists(path_) && !is_unused(path_)) {  // before the lock, which would already touch a folder of others
    if (resume == Resume::no) {
      throw UsageError("--run", path_.string() + " exists; --resume goes on with it, nothing is ever overwritten");
    }
    changes_since(path_, config);
  }
  fs::create_directories(path_);
  lock_.emplace(path_);
  if (is_unused(path_)) {
    start_anew(path_);
  } else {
    notes_ = changes_since(path_, config);
  }
  config::write_json(path_ / kConfig, config);
}

bool RunFolder::has_result() const { return fs::exists(path_ / kResult); }

Json RunFolder::result() const { return Json::parse(read_file(path_ / kResult)); }

bool RunFolder::has_checkpoint() const { return fs::exists(path_ / "checkpoints" / "last"); }

void RunFolder::write_result(const Json& result) const { config::write_json(path_ / kResult, result); }

}  // namespace tr::experiment
