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
    : file_(::open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (file_ < 0) throw DataError(folder.string(), std::string("cannot be written to: ") + std::strerror(errno));
  // Any other failure means that the file system knows no locks; training there is still possible.
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(file_);
    throw DataError(folder.string(), "is in use by another process");
  }
}

FolderLock::~FolderLock() { ::close(file_); }

RunFolder::RunFolder(fs::path folder, const Json& config, Resume resume) : path_(std::move(folder)) {
  if (resume == Resume::no && fs::exists(path_)) {
    throw UsageError("--run", path_.string() + " exists; --resume goes on with it, nothing is ever overwritten");
  }
  fs::create_directories(path_);
  lock_.emplace(path_);
  const fs::path stored = path_ / "config.json";
  if (fs::exists(stored)) {
    const Json before = Json::parse(read_file(stored), nullptr, /*allow_exceptions=*/false);
    if (before.is_discarded()) throw DataError(stored.string(), "is not JSON");
    check_settings(before, config);
  } else if (fs::exists(path_ / "result.json")) {
    throw UsageError("--run", path_.string() + " is not the folder of one run: it has result.json but no config.json");
  }
  config::write_json(stored, config);
}

void RunFolder::check_settings(const Json& before, const Json& now) {
  const auto change = [&](const std::string& path) {
    return format("the run has {}, the configuration now says {}", config::shown(value_at(before, path)),
                  config::shown(value_at(now, path)));
  };
  for (const auto& path : differing_paths(before, now)) {
    if (!path.starts_with("/train/budget")) {
      throw UsageError(path, change(path) + "; a run is resumed with its own settings, all but /train/budget");
    }
    notes_.push_back(path + ": " + change(path) + ", which counts from here on");
  }
  // Its learning rates followed the old budget to the end: trained on, it would not be a run with the new one.
  if (!notes_.empty() && has_result()) {
    throw UsageError("/train/budget", change("/train/budget") + "; " + path_.string() +
                                          " has finished, another budget needs a new --run");
  }
}

bool RunFolder::has_result() const { return fs::exists(path_ / "result.json"); }

Json RunFolder::result() const { return Json::parse(read_file(path_ / "result.json")); }

bool RunFolder::has_checkpoint() const { return fs::exists(path_ / "checkpoints" / "last"); }

void RunFolder::write_result(const Json& result) const { config::write_json(path_ / "result.json", result); }

}  // namespace tr::experiment
