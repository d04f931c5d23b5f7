// The folder of a run: who may write into it, and what lies where.
#pragma once

#include <filesystem>

#include "libtr/config/value.h"

namespace tr::experiment {

enum class Resume { no, yes };

/// RUN/config.json, result.json, events.jsonl, samples.json, hypotheses/, tokenizer/, checkpoints/
class RunFolder {
 public:
  /// Makes the folder and stores `config` in it. If it exists: UsageError naming --resume, unless `resume` is yes; then
  /// the stored configuration must equal `config` but for /train/budget (UsageError listing path, stored and new value).
  /// Returns notes for the log through notes().
  RunFolder(std::filesystem::path folder, const config::Json& config, Resume resume);

  const std::filesystem::path& path() const { return path_; }
  const std::vector<std::string>& notes() const { return notes_; }
  bool has_result() const;
  config::Json result() const;
  /// A checkpoint to go on from.
  bool has_checkpoint() const;
  void write_result(const config::Json& result) const;

 private:
  std::filesystem::path path_;
  std::vector<std::string> notes_;
};

/// JSON as the project writes it: indented, UTF-8, a line feed at the end.
void write_json(const std::filesystem::path& file, const config::Json& json);

/// Leaves of `a` and `b` that differ, as JSON paths.
std::vector<std::string> differing_paths(const config::Json& a, const config::Json& b);
/// The value at a JSON path, or null.
config::Json value_at(const config::Json& json, const std::string& path);

}  // namespace tr::experiment
