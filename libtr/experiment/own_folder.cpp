#include "libtr/experiment/own_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "libtr/base/error.h"

namespace tr::experiment {
namespace fs = std::filesystem;
namespace {

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
  return entries;
}

// Of a folder that is_begun. What it was begun with is replaced whole later on, so that it is known for ours all the
// time; whether the tokenizer can be used again, cached_tokenizers judges.
void clear(const fs::path& folder) {
  const std::vector<std::string> kept = {kLock, "config.json", "experiment.json", "tokenizer"};
  for (const auto& entry : entries_of(folder)) {
    if (std::find(kept.begin(), kept.end(), entry.filename()) == kept.end()) fs::remove_all(entry);
  }
}

}  // namespace

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

OwnFolder::OwnFolder(fs::path path, Resume resume, IsBegun is_begun, const Check& check)
    : path_(std::move(path)),
      is_begun_(is_begun),
      made_(!fs::exists(path_)),
      new_(made_ || (fs::is_directory(path_) && fs::is_empty(path_))) {
  const auto refuse_without_resume = [&] {
    if (resume == Resume::yes) return;
    throw UsageError("--run", path_.string() + " exists; --resume goes on with it, nothing is ever overwritten");
  };
  if (!new_) {  // before the lock, which would already touch a folder of others
    refuse_without_resume();
    if (!is_begun_(path_)) check(path_);
  }
  fs::create_directories(path_);
  lock_.emplace(path_);
  if (is_begun_(path_)) {
    clear(path_);
  } else {
    refuse_without_resume();  // another process may have been at work meanwhile
    check(path_);
  }
}

OwnFolder::~OwnFolder() {
  try {
    if (!new_ || !is_begun_(path_)) return;
    for (const auto& entry : entries_of(path_)) fs::remove_all(entry);
    if (made_) fs::remove(path_);
  } catch (const std::exception&) {
    // The error that ended the run is the one to tell; what cannot be removed is begun, --resume takes it up.
  }
}

bool all_entries(const fs::path& folder, const std::function<bool(const fs::path&)>& pass) {
  if (!fs::is_directory(folder)) return false;
  const auto entries = entries_of(folder);
  return std::all_of(entries.begin(), entries.end(), pass);
}

}  // namespace tr::experiment
