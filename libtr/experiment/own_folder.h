// A folder that a process leaves its results in: who may write into it, and what a start that failed leaves.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

namespace tr::experiment {

enum class Resume { no, yes };

/// The first file of every folder of ours.
constexpr const char* kLock = ".lock";

/// Keeps other processes from writing into a folder while it lives: a lock on FOLDER/.lock. The system drops it with
/// the process, so that a killed one leaves nothing to clean up.
class FolderLock {
 public:
  /// Throws DataError if the folder is locked already.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_;
};

/// The folder of a run or comparison, made or taken up, and locked.
class OwnFolder {
 public:
  /// True for a folder that holds nothing but what such a one may hold before its first checkpoint.
  using IsBegun = bool (*)(const std::filesystem::path& folder);
  /// Throws UsageError unless work can go on in a folder where more lies.
  using Check = std::function<void(const std::filesystem::path& folder)>;

  /// Makes `path`, or takes an empty folder. Any other is refused with a UsageError that names --resume unless `resume`
  /// is yes; then one that is_begun is cleared, to begin anew, and another must pass the check. DataError if another
  /// process is at work.
  OwnFolder(std::filesystem::path path, Resume resume, IsBegun is_begun, const Check& check);
  /// A folder that was made or empty at the start and has not come to a checkpoint is as before: its name is free.
  ~OwnFolder();
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  IsBegun is_begun_;
  bool made_, new_;  // new: made or empty
  std::optional<FolderLock> lock_;
};

/// True for a folder whose entries all pass, false for what is no folder.
bool all_entries(const std::filesystem::path& folder,
                 const std::function<bool(const std::filesystem::path& entry)>& pass);

}  // namespace tr::experiment
