#include "libtr/experiment/compare.h"

#include <cstdio>
#include <set>

#include "libtr/base/error.h"
#include "libtr/config/json_text.h"
#include "libtr/experiment/comparison_folder.h"
#include "libtr/experiment/environment.h"
#include "libtr/experiment/file_name.h"
#include "libtr/experiment/significance.h"
#include "libtr/experiment/tokenizer_cache.h"
#include "libtr/report/page.h"
#include "libtr/report/run_files.h"

namespace tr::experiment {
namespace fs = std::filesystem;
using config::Json;
using config::value_at;
namespace {

// Batches, budget and stopping rule settle which batches a model sees; threads, device and fast hold for the process.
constexpr const char* kShared[] = {"/data",
                                   "/tokenizer",
                                   "/threads",
                                   "/device",
                                   "/fast",
                                   "/decode",
                                   "/evaluate",
                                   "/train/batch_tokens",
                                   "/train/batch_sentences",
                                   "/train/batch_window",
                                   "/train/workers",
                                   "/train/budget",
                                   "/train/early_stopping",
                                   "/train/valid_every",
                                   "/train/best_metric"};

// A part of an experiment file: the name of a configuration file, or the configuration itself.
config::Document part(const Json& value, const config::Place& place, const fs::path& experiment_file) {
  if (value.is_object()) return config::load_part(value, experiment_file);
  if (!value.is_string()) place.fail("expected a file name or an object, got " + config::type_name(value));
  const fs::path file = experiment_file.parent_path() / value.get<std::string>();
  if (!fs::exists(file)) place.fail("there is no file " + file.lexically_normal().string());
  return config::load(file.lexically_normal());
}

struct ExperimentFile {
  std::string name;
  std::vector<int64_t> seeds = {1};
};

// Of one model, given where an experiment belongs.
bool is_configuration(const Json& json) {
  if (json.contains("models")) return false;
  const Json known = config::write_value(RunOptions{});
  for (const auto& [key, value] : json.items()) {
    if (key == "extends" || known.contains(key)) return true;
  }
  return false;
}

void refuse_configuration(const Json& json, const fs::path& file) {
  if (!json.is_object() || !is_configuration(json)) return;
  throw UsageError(file.string(),
                   "is the configuration of one model, which libtr train runs; expected an experiment, with /models");
}

ExperimentFile read_head(const Json& json, const config::Place& top) {
  if (!json.is_object()) top.fail("expected an object, got " + config::type_name(json));
  config::refuse_unknown_keys(json, top, {"name", "base", "models", "seeds"});
  ExperimentFile head;
  if (json.contains("name")) config::read_value(json["name"], top.child("name"), {}, head.name);
  if (json.contains("seeds")) config::read_value(json["seeds"], top.child("seeds"), config::at_least(0), head.seeds);
  if (!json.contains("models") || !json["models"].is_object()) {
    top.child("models").fail("expected an object with at least one model");
  }
  return head;
}

std::string path_of(const ExperimentModel& model) { return "/models/" + config::escape_pointer(model.name); }

// Names become folders.
void check_names(const std::vector<ExperimentModel>& models) {
  std::set<std::string> names;
  for (const auto& model : models) {
    if (!is_file_name(model.name)) {
      throw UsageError(path_of(model), "a model's name is the name of its folder: no '/', not empty, no '.' in front");
    }
    if (is_taken(model.name)) {
      throw UsageError(path_of(model), "the folder of a comparison has a file or folder of this name already");
    }
    if (!names.insert(model.name).second) throw UsageError(path_of(model), "two models have this name");
  }
}

void check_seeds(const std::vector<int64_t>& seeds) {
  const std::set<int64_t> different(seeds.begin(), seeds.end());
  if (!seeds.empty() && different.size() == seeds.size() && *different.begin() >= 0) return;
  throw UsageError("/seeds", "expected different seeds, at least one, none below 0, got " + config::shown(Json(seeds)));
}

void check_shared(const Experiment& experiment) {
  const Json first = config::write_value(experiment.models.front().options);
  for (const auto& model : experiment.models) {
    const Json other = config::write_value(model.options);
    for (const char* shared : kShared) {
      const Json a = value_at(first, shared), b = value_at(other, shared);
      if (a == b) continue;
      const auto paths = differing_paths(a, b);
      const std::string path = shared + (paths.empty() ? "" : paths.front());
      throw UsageError(path_of(model), path + " is " + config::shown(value_at(other, path)) + " but " +
                                           config::shown(value_at(first, path)) + " for " +
                                           experiment.models.front().name + "; models that are compared share it");
    }
  }
}

// Whether an experiment comes from a file or from a program.
void validate(const Experiment& experiment) {
  if (experiment.models.empty()) throw UsageError("/models", "expected at least one model");
  check_names(experiment.models);
  check_seeds(experiment.seeds);
  for (const auto& model : experiment.models) config::validate(model.options, path_of(model));
  check_shared(experiment);
}

Json statistics_of(const Json& runs, const std::string& test, const std::string& key) {
  Json values = Json::array();
  for (const Json& run : runs) {
    values.push_back(key == "train_seconds" ? run["wall_time_seconds"]["train"]
                                            : value_at(run, "/test/" + config::escape_pointer(test) + "/" + key));
  }
  return report::statistic(values);
}

// The update that diverged took its batch too.
int64_t batches_of(const Json& run) { return run["updates"].get<int64_t>() + (run["diverged"] == true ? 1 : 0); }

// Of the last run of each, which have the same seed. Runs of different length (a budget in seconds, early stopping,
// divergence) are each held against the batches that the data, the options and the seed give.
void check_same_batches(const Json& first_model, const Json& model, const data::BatchOptions& options,
                        Material& material) {
  const Json &first = first_model["runs"].back(), &run = model["runs"].back();
  const auto is_as_recomputed = [&](const Json& one) {
    return one["batches_sha256"] == batches_sha256(material, options, one["seed"].get<uint64_t>(), batches_of(one));
  };
  const bool same = batches_of(run) == batches_of(first) ? run["batches_sha256"] == first["batches_sha256"]
                                                         : is_as_recomputed(run) && is_as_recomputed(first);
  if (same) return;
  throw DataError("/models/" + model["name"].get<std::string>(),
                  "saw other batches than " + first_model["name"].get<std::string>() + " with seed " +
                      run["seed"].dump() + ": the conditions are not identical");
}

// It would have no effect.
void refuse_seed(const config::Document& model) {
  if (!model.json().contains("seed")) return;
  const config::Place place = config::Place(model.stages.back().sources).child("seed");
  const std::string seed = config::shown(model.json()["seed"]);
  place.fail("a comparison takes its seeds from the experiment, expected /seeds=[" + seed + "] there");
}

Json train_all(const Experiment& experiment, const fs::path& folder, const train::Runtime& runtime, bool quiet) {
  const RunOptions& first = experiment.models.front().options;
  Inputs inputs = read_inputs(first);
  check_corpora(experiment, folder, inputs.corpus);
  Material material = make_material(first, std::move(inputs), folder / kTokenizer);
  Json models = Json::array();
  for (const auto& [name, model_options] : experiment.models)
    models.push_back({{"name", name}, {"runs", Json::array()}});
  for (const int64_t seed : experiment.seeds) {
    for (size_t i = 0; i < experiment.models.size(); ++i) {
      const std::string& name = experiment.models[i].name;
      const RunOptions options = options_of(experiment.models[i], seed);
      const fs::path path = run_of(folder, name, seed);
      const RunFolder run(path, options, fs::exists(path) ? Resume::yes : Resume::no);
      const std::string label = experiment.seeds.size() > 1 ? name + ", seed " + std::to_string(seed) : name;
      const Json result = train_run(options, material, run, runtime, {label, quiet});
      models[i]["parameters"] = result["parameters"];
      models[i]["runs"].push_back(result);
      check_same_batches(models[0], models[i], options.train.batches, material);
    }
  }
  return models;
}

}  // namespace

Experiment load_experiment(const fs::path& file, const std::vector<std::string>& overrides) {
  std::vector<std::string> of_experiment, of_models;
  for (const auto& text : overrides) (text.starts_with("/seeds") ? of_experiment : of_models).push_back(text);
  const Json parsed = config::parse_file(file);
  refuse_configuration(parsed, file);  // before its values are read: a null may stand in it
  config::Document document = config::document_of(parsed, file.string());
  config::apply_overrides(document, of_experiment);
  const Json& json = document.json();
  const config::Place top(document.stages.back().sources);
  const ExperimentFile head = read_head(json, top);
  Experiment experiment{head.name.empty() ? file.stem().string() : head.name, {}, head.seeds, {}};
  const config::Document base = part(json.contains("base") ? json["base"] : Json::object(), top.child("base"), file);
  for (const auto& [name, value] : json["models"].items()) {
    config::Document model = config::merge(base, part(value, top.child("models").child(name), file));
    config::apply_overrides(model, of_models);
    refuse_seed(model);
    experiment.models.push_back({name, read_run_options(model)});
    experiment.notes.insert(experiment.notes.end(), model.notes.begin(), model.notes.end());
  }
  try {
    validate(experiment);
  } catch (const UsageError& error) {
    config::Place(top.sources(), error.where()).fail(error.problem());  // names the file, or --set
  }
  return experiment;
}

Json conditions_of(const Experiment& experiment) {
  std::vector<Json> configs;
  std::set<std::string> differing;
  for (const auto& [name, options] : experiment.models) {
    Json config = config::write_value(options);
    config.erase("model");
    config.erase("seed");
    configs.push_back(config);
    for (const auto& path : differing_paths(configs.front(), config)) differing.insert(path);
  }
  Json differences = Json::array();
  for (const auto& path : differing) {
    Json values = Json::object();
    for (size_t i = 0; i < configs.size(); ++i) values[experiment.models[i].name] = value_at(configs[i], path);
    differences.push_back({{"path", path}, {"values", values}});
  }
  Json shared = configs.front().flatten();
  for (const auto& path : differing) shared.erase(path);
  return {{"conditions", shared.empty() ? Json::object() : shared.unflatten()}, {"differences", differences}};
}

Json compare(const Experiment& experiment, const fs::path& folder, Resume resume, bool quiet) {
  validate(experiment);
  const ComparisonFolder own(experiment, folder, resume);
  const RunOptions& first = experiment.models.front().options;
  const train::Runtime runtime = train::set_up_runtime(first.runtime());
  if (!quiet) {
    for (const auto& note : runtime.notes) std::fprintf(stderr, "%s\n", note.c_str());
  }
  Json models = train_all(experiment, folder, runtime, quiet);
  const std::string main_test = first.data.test.empty() ? "" : first.data.test.front().first;
  for (Json& model : models) {
    for (const char* key : {"bleu", "chrf", "perplexity", "train_seconds"}) {
      model[key] = statistics_of(model["runs"], main_test, key);
    }
  }
  Json result = {{"experiment", experiment.name}, {"main_test", main_test}, {"seeds", experiment.seeds}};
  result.update(conditions_of(experiment));
  result["models"] = models;
  result["significance"] = significance(experiment, folder);
  result["environment"] = environment(first, runtime);
  config::write_json(folder / "result.json", result);
  report::write_page({folder}, folder / "report.html");
  return result;
}

}  // namespace tr::experiment
