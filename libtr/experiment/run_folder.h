// The folder of a run: who may write into it, and what lies where.
#pragma once

#include <filesystem>
#include <optional>

#include "libtr/config/value.h"

namespace tr::experiment {

enum class Resume { no, yes };

/// The first file of every folder that is ours.
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

/// What a run or a comparison puts into its tokenizer/: what that tokenizer was made from.
constexpr const char* kMadeFrom = "made_from.json";

/// True for a folder that is empty or holds nothing but what a run or a comparison leaves before its first checkpoint,
/// when its start fails or is killed. Any other file makes it false.
bool is_unused(const std::filesystem::path& folder);
/// Makes an unused folder as good as new; a tokenizer stays, for make_material to judge.
void start_anew(const std::filesystem::path& folder);

/// What has changed since the run in `folder` began, one line each: notes for its log. Throws UsageError for anything
/// but /train/budget of a run without a result, naming up to five values with their paths.
std::vector<std::string> changes_since(const std::filesystem::path& folder, const config::Json& config);

/// RUN/config.json, result.json, events.jsonl, samples.json, hypotheses/, tokenizer/, checkpoints/; locked.
class RunFolder {
 public:
  /// Makes the folder, or takes one that is_unused, and stores `config` in it. Any other: UsageError naming --resume,
  /// unless `resume` is yes; then it must be that of a run with these settings (changes_since). DataError if another
  /// process is at work.
  RunFolder(std::filesystem::path folder, const config::Json& config, Resume resume);

  const std::filesystem::path& path() const { return path_; }
  /// What changed, for the log.
  const std::vector<std::string>& notes() const { return notes_; }
  bool has_result() const;
  config::Json result() const;
  /// A checkpoint to go on from.
  bool has_checkpoint() const;
  void write_result(const config::Json& result) const;

 private:
  std::filesystem::path path_;
  std::optional<FolderLock> lock_;
  std::vector<std::string> notes_;
};

/// Leaves of `a` and `b` that differ, as JSON paths.
std::vector<std::string> differing_paths(const config::Json& a, const config::Json& b);

}  // namespace tr::experiment
