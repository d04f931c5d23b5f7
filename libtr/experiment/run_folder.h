// The folder of a run: who may write into it, and what lies where.
#pragma once

#include <filesystem>
#include <optional>

#include "libtr/config/value.h"

namespace tr::experiment {

enum class Resume { no, yes };

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

/// RUN/config.json, result.json, events.jsonl, samples.json, hypotheses/, tokenizer/, checkpoints/; locked.
class RunFolder {
 public:
  /// Makes the folder and stores `config` in it. If it exists: UsageError naming --resume, unless `resume` is yes; then
  /// the stored configuration must equal `config` (UsageError with path, stored and new value), but for /train/budget
  /// of a run without a result. Returns notes for the log through notes(). DataError if another process is at work.
  RunFolder(std::filesystem::path folder, const config::Json& config, Resume resume);

  const std::filesystem::path& path() const { return path_; }
  const std::vector<std::string>& notes() const { return notes_; }
  bool has_result() const;
  config::Json result() const;
  /// A checkpoint to go on from.
  bool has_checkpoint() const;
  void write_result(const config::Json& result) const;

 private:
  void check_settings(const config::Json& before, const config::Json& now);

  std::filesystem::path path_;
  std::optional<FolderLock> lock_;
  std::vector<std::string> notes_;
};

/// Leaves of `a` and `b` that differ, as JSON paths.
std::vector<std::string> differing_paths(const config::Json& a, const config::Json& b);

}  // namespace tr::experiment
