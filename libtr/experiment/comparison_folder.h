// The folder of a comparison: experiment.json, tokenizer/, MODEL/seed-N/ (each a run), result.json, report.html.
#pragma once

#include "libtr/experiment/compare.h"

namespace tr::experiment {

std::filesystem::path run_of(const std::filesystem::path& folder, const std::string& model, int64_t seed);
RunOptions options_of(const ExperimentModel& model, int64_t seed);

/// True for what the folder holds beside its models.
bool is_taken(const std::string& name);

class ComparisonFolder {
 public:
  /// As OwnFolder; stores the experiment in it. UsageError for a folder that is no comparison's, for an experiment of
  /// another name, and for one in which a run that has trained is missing or has other settings (changes_since): models
  /// and seeds may only be added.
  ComparisonFolder(const Experiment& experiment, const std::filesystem::path& folder, Resume resume);

 private:
  OwnFolder own_;
};

/// check_corpus for every run that has trained.
void check_corpora(const Experiment& experiment, const std::filesystem::path& folder, const config::Json& corpus);

}  // namespace tr::experiment
