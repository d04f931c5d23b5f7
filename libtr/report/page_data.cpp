// Collects the files of runs for the page.
#include "libtr/report/page_data.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "libtr/base/error.h"
#include "libtr/base/nearest.h"
#include "libtr/base/version.h"
#include "libtr/config/value.h"
#include "libtr/report/run_files.h"

namespace tr::report {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using config::value_at;
namespace {

fs::path normal(const fs::path& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return path.has_filename() ? path : path.parent_path();  // "runs/a/" is "runs/a"
}

std::string ending(const fs::path& path, size_t parts) {
  fs::path name;
  fs::path rest = path;
  for (size_t i = 0; i < parts && rest.has_relative_path(); ++i, rest = rest.parent_path()) {
    name = name.empty() ? rest.filename() : rest.filename() / name;
  }
  return name.string();
}

// The shortest endings of the paths that differ; a seed's folder says too little without its model's.
std::vector<std::string> labels(const std::vector<fs::path>& paths) {
  if (std::set<fs::path>(paths.begin(), paths.end()).size() < paths.size()) {
    throw UsageError("report", "the same folder is given twice");
  }
  const bool seeds = std::any_of(paths.begin(), paths.end(),
                                 [](const fs::path& path) { return ending(path, 1).starts_with("seed-"); });
  for (size_t parts = seeds ? 2 : 1;; ++parts) {
    std::vector<std::string> names;
    for (const fs::path& path : paths) names.push_back(ending(path, parts));
    if (std::set<std::string>(names.begin(), names.end()).size() == paths.size()) return names;
  }
}

// seed-2 stands before seed-10.
std::vector<fs::path> seed_folders(const fs::path& model_folder) {
  std::vector<fs::path> found;
  if (!fs::is_directory(model_folder)) return found;
  for (const auto& entry : fs::directory_iterator(model_folder)) {
    if (entry.is_directory() && entry.path().filename().string().starts_with("seed-")) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    const std::string left = a.filename().string(), right = b.filename().string();
    return left.size() != right.size() ? left.size() < right.size() : left < right;
  });
  return found;
}

std::string main_test(const Json& result) {
  if (value_at(result, "/main_test").is_string()) return result["main_test"];
  const Json tests = value_at(result, "/test");
  return tests.is_object() && !tests.empty() ? tests.items().begin().key() : "";
}

// What the comparison's own summary does not say is computed from the results of its runs.
void summarise(Json& model) {
  const Json first = model["runs"].empty() ? Json::object() : model["runs"][0]["result"];
  const std::string test = "/test/" + main_test(first);
  const std::map<std::string, std::string> places = {{"bleu", test + "/bleu"},
                                                     {"chrf", test + "/chrf"},
                                                     {"perplexity", test + "/perplexity"},
                                                     {"train_seconds", "/wall_time_seconds/train"},
                                                     {"target_tokens_per_second", "/target_tokens_per_second"}};
  for (const auto& [name, place] : places) {
    if (model.contains(name)) continue;
    Json values = Json::array();
    for (const Json& run : model["runs"]) values.push_back(value_at(run["result"], place));
    model[name] = statistic(values);
  }
  model["main_test"] = main_test(first);
  for (const char* name : {"parameters", "multiply_adds_per_target_token"}) {
    if (!model.contains(name)) model[name] = value_at(first, std::string("/") + name);
  }
}

Json models_of_comparison(const fs::path& folder, const Json& result) {
  Json models = Json::array();
  for (const Json& entry : result["models"]) {
    const Json name = value_at(entry, "/name");
    if (!name.is_string()) throw DataError((folder / "result.json").string(), "/models holds an entry without a name");
    Json model = entry;
    model["runs"] = Json::array();
    for (const fs::path& seed : seed_folders(folder / name.get<std::string>())) model["runs"].push_back(read_run(seed));
    if (model["runs"].empty()) {  // result.json alone was kept
      for (const Json& run : entry.value("runs", Json::array())) {
        model["runs"].push_back({{"seed", value_at(run, "/seed")},
                                 {"config", nullptr},
                                 {"result", run},
                                 {"train", Json::array()},
                                 {"valid", Json::array()},
                                 {"samples", Json::array()}});
      }
    }
    models.push_back(model);
  }
  return models;
}

// {"comparison": what compare said beside its models, or null, "models"}
Json read_folder(const fs::path& folder, const std::string& label) {
  const Json run = read_run(folder);
  Json result = run["result"];
  if (!result.contains("models")) {
    Json model;
    model["name"] = label;
    model["runs"] = Json::array({run});
    return {{"comparison", nullptr}, {"models", Json::array({model})}};
  }
  if (!result["models"].is_array()) throw DataError((folder / "result.json").string(), "/models is not a list");
  const Json models = models_of_comparison(folder, result);
  result.erase("models");
  result["folder"] = label;
  return {{"comparison", result}, {"models", models}};
}

std::string title_of(const Json& data, const std::vector<std::string>& names) {
  if (names.size() > 1) return join(names);
  const Json experiment = data["comparisons"].empty() ? Json() : value_at(data["comparisons"][0], "/experiment");
  if (value_at(experiment, "/name").is_string()) return experiment["name"];
  return experiment.is_string() ? experiment.get<std::string>() : names.front();
}

}  // namespace

Json page_data(const std::vector<fs::path>& folders) {
  if (folders.empty()) throw UsageError("report", "no folder of a run is given");
  std::vector<fs::path> paths;
  std::transform(folders.begin(), folders.end(), std::back_inserter(paths), normal);
  const std::vector<std::string> names = labels(paths);
  Json data = {{"title", ""}, {"libtr", version()}, {"comparisons", Json::array()}, {"models", Json::array()}};
  for (size_t i = 0; i < paths.size(); ++i) {
    Json folder = read_folder(paths[i], names[i]);
    const bool prefixed = paths.size() > 1 && !folder["comparison"].is_null();
    for (Json& model : folder["models"]) {
      if (prefixed) model["name"] = names[i] + "/" + model["name"].get<std::string>();
      summarise(model);
      data["models"].push_back(model);
    }
    if (!folder["comparison"].is_null()) data["comparisons"].push_back(folder["comparison"]);
  }
  data["title"] = title_of(data, names);
  return data;
}

}  // namespace tr::report
