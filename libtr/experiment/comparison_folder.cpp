#include "libtr/experiment/comparison_folder.h"

#include <algorithm>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/base/format.h"
#include "libtr/config/json_text.h"
#include "libtr/experiment/corpus_record.h"
#include "libtr/experiment/tokenizer_cache.h"

namespace tr::experiment {
namespace fs = std::filesystem;
using config::Json;
namespace {

// The experiment as it was resolved: itself an experiment file.
constexpr const char* kExperiment = "experiment.json";

Json written(const Experiment& experiment) {
  Json models = Json::object();
  for (const auto& [name, options] : experiment.models) {
    models[name] = config::write_value(options);
    models[name].erase("seed");
  }
  return {{"name", experiment.name}, {"models", models}, {"seeds", experiment.seeds}};
}

std::optional<Experiment> stored_experiment(const fs::path& folder) {
  try {
    return load_experiment(folder / kExperiment, {});
  } catch (const Error&) {
    return std::nullopt;
  }
}

const ExperimentModel* find(const Experiment& experiment, const std::string& model) {
  const auto found = std::find_if(experiment.models.begin(), experiment.models.end(),
                                  [&](const ExperimentModel& candidate) { return candidate.name == model; });
  return found == experiment.models.end() ? nullptr : &*found;
}

bool is_begun_seed(const fs::path& run) { return run.filename().string().starts_with("seed-") && is_begun_run(run); }

bool is_begun_comparison(const fs::path& folder) {
  const auto experiment = stored_experiment(folder);
  const bool described = fs::exists(folder / kExperiment);
  if (described && !experiment) return false;
  return all_entries(folder, [&](const fs::path& entry) {
    const std::string name = entry.filename().string(), finished = finished_name(name);
    if (name == kLock || finished == kExperiment) return true;
    if (!described) return false;  // nothing is written before it
    if (name == kTokenizer) return is_kept_tokenizer(entry);
    if (find(*experiment, name) != nullptr) return all_entries(entry, is_begun_seed);
    return name == kExperiment || finished == kTokenizer;
  });
}

bool has_trained(const fs::path& run) { return fs::exists(run) && !is_begun_run(run); }

// A run that has trained keeps its model, seed and settings.
void check_run(const fs::path& run, const std::string& model, int64_t seed, const Experiment& experiment) {
  if (!has_trained(run)) return;
  const ExperimentModel* found = find(experiment, model);
  if (found == nullptr) {
    throw UsageError("/models", format("{} has trained, but the experiment names no {}; --resume can only add models",
                                       run.string(), model));
  }
  if (std::find(experiment.seeds.begin(), experiment.seeds.end(), seed) == experiment.seeds.end()) {
    throw UsageError(
        "/seeds",
        format("{} has trained, but the experiment names no seed {}; --resume can only add seeds", run.string(), seed));
  }
  try {
    changes_since(run, options_of(*found, seed));
  } catch (const UsageError& error) {
    throw UsageError(run.string(), error.what());  // whose settings
  }
}

void check_resumed(const Experiment& experiment, const fs::path& folder) {
  if (fs::exists(folder / "config.json")) {
    throw UsageError("--run", folder.string() + " is the folder of a run: it has config.json, expected a comparison's");
  }
  if (!fs::exists(folder / kExperiment)) {
    throw UsageError("--run", format("{} is not the folder of a comparison: it is not empty, but has no {}",
                                     folder.string(), kExperiment));
  }
  const Experiment stored = load_experiment(folder / kExperiment, {});
  if (stored.name != experiment.name) {
    throw UsageError("/name", format("the comparison in {} has \"{}\", the experiment now says \"{}\"", folder.string(),
                                     stored.name, experiment.name));
  }
  for (const auto& model : stored.models) {
    for (const int64_t seed : stored.seeds) {
      check_run(run_of(folder, model.name, seed), model.name, seed, experiment);
    }
  }
}

}  // namespace

fs::path run_of(const fs::path& folder, const std::string& model, int64_t seed) {
  return folder / model / ("seed-" + std::to_string(seed));
}

RunOptions options_of(const ExperimentModel& model, int64_t seed) {
  RunOptions options = model.options;
  options.seed = seed;
  return options;
}

bool is_taken(const std::string& name) {
  const std::vector<std::string> taken = {"config.json", kExperiment, kTokenizer, "result.json", "report.html"};
  return std::find(taken.begin(), taken.end(), name) != taken.end();
}

ComparisonFolder::ComparisonFolder(const Experiment& experiment, const fs::path& folder, Resume resume)
    : own_(folder, resume, is_begun_comparison, [&](const fs::path& path) { check_resumed(experiment, path); }) {
  config::write_json(folder / kExperiment, written(experiment));
}

void check_corpora(const Experiment& experiment, const fs::path& folder, const Json& corpus) {
  for (const auto& model : experiment.models) {
    for (const int64_t seed : experiment.seeds) {
      const fs::path run = run_of(folder, model.name, seed);
      if (has_trained(run)) check_corpus(run, corpus);
    }
  }
}

}  // namespace tr::experiment
