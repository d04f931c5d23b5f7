// The folder of a run: what lies where, and whether a run can go on there.
#pragma once

#include <vector>

#include "libtr/experiment/options.h"
#include "libtr/experiment/own_folder.h"

namespace tr::experiment {

/// True for the folder of a run that has not come to its first checkpoint, as its files tell, and for an empty one.
bool is_begun_run(const std::filesystem::path& folder);

/// What has changed since the run in `folder` began, one line each: notes for its log. Options that the run did not
/// know yet had their defaults. Throws UsageError for anything but /train/budget of a run without a result, naming up
/// to five values with their paths; and for a folder that is not that of a run.
std::vector<std::string> changes_since(const std::filesystem::path& folder, const RunOptions& options);

/// RUN/config.json, corpus.json, result.json, events.jsonl, samples.json, hypotheses/, tokenizer/, checkpoints/;
/// locked.
class RunFolder {
 public:
  /// As OwnFolder; stores `options`, which a run that goes on must have had before (changes_since).
  RunFolder(std::filesystem::path folder, const RunOptions& options, Resume resume);

  const std::filesystem::path& path() const { return own_.path(); }
  /// What changed, for the log.
  const std::vector<std::string>& notes() const { return notes_; }
  bool has_result() const;
  config::Json result() const;
  /// A checkpoint to go on from.
  bool has_checkpoint() const;
  void write_result(const config::Json& result) const;

 private:
  std::vector<std::string> notes_;
  OwnFolder own_;
};

/// Leaves of `a` and `b` that differ, as JSON paths.
std::vector<std::string> differing_paths(const config::Json& a, const config::Json& b);

}  // namespace tr::experiment
