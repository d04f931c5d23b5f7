// A run as train leaves it, made up: what the tests of reports read.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "libtr/base/files.h"

namespace tr::test {

inline nlohmann::ordered_json made_up_result(int seed, double bleu) {
  return nlohmann::ordered_json::parse(R"({
    "seed": 1, "parameters": 1234567, "updates": 40, "best_update": 40,
    "valid": {"bleu": 70.25, "chrf": 80.5, "perplexity": 2.5, "tokens": 900},
    "test": {"news": {"bleu": 0, "chrf": 81.25, "perplexity": 2.25, "tokens": 1000,
                      "bleu_by_length": [{"from": 1, "to": 5, "sentences": 7, "bleu": 75.5}]},
             "held": {"bleu": 41.5, "chrf": 52.5, "perplexity": 5.125, "tokens": 500}},
    "wall_time_seconds": {"train": 58.25, "valid": 2, "decode": 3, "total": 64},
    "target_tokens_per_second": 31045.4})")
      .patch({{{"op", "replace"}, {"path", "/seed"}, {"value", seed}},
              {{"op", "replace"}, {"path", "/test/news/bleu"}, {"value", bleu}}});
}

inline void write_json(const std::filesystem::path& file, const nlohmann::ordered_json& value) {
  std::filesystem::create_directories(file.parent_path());
  write_file(file, value.dump());
}

inline void write_run(const std::filesystem::path& folder, int seed, double bleu) {
  write_json(folder / "result.json", made_up_result(seed, bleu));
  write_json(folder / "config.json", {{"seed", seed}, {"model", {{"type", "transformer"}}}});
  write_file(folder / "events.jsonl",
             "{\"type\":\"run_start\"}\n"
             "{\"type\":\"train\",\"update\":20,\"loss\":4.5,\"seconds\":1.5}\n"
             "{\"type\":\"valid\",\"update\":40,\"bleu\":70.25,\"seconds\":3}\n");
}

/// result.json of a comparison with its runs beside it: seq2seq and transformer, seeds 1 and 2.
inline nlohmann::ordered_json write_comparison(const std::filesystem::path& folder) {
  nlohmann::ordered_json models = nlohmann::ordered_json::array();
  for (const std::string name : {"seq2seq", "transformer"}) {
    const double bleu = name == "seq2seq" ? 60 : 90;
    for (int seed = 1; seed <= 2; ++seed)
      write_run(folder / name / ("seed-" + std::to_string(seed)), seed, bleu + seed);
    nlohmann::ordered_json model = {{"name", name}, {"parameters", 1234567}};
    model["runs"] = {made_up_result(1, bleu + 1), made_up_result(2, bleu + 2)};
    model["bleu"] = {{"mean", bleu + 1.5}, {"sd", 0.7071}, {"values", {bleu + 1, bleu + 2}}};
    model["chrf"] = {{"mean", 81.25}, {"sd", 0.0}, {"values", {81.25, 81.25}}};
    model["perplexity"] = {{"mean", 2.25}, {"sd", 0.0}, {"values", {2.25, 2.25}}};
    model["train_seconds"] = {{"mean", 58.25}, {"sd", 0.0}, {"values", {58.25, 58.25}}};
    models.push_back(model);
  }
  nlohmann::ordered_json result = {{"experiment", "made up"}, {"conditions", {{"decode", {{"beam", 4}}}}}};
  result["differences"] = nlohmann::ordered_json::parse(
      R"([{"path": "/train/optimizer/learning_rate", "values": {"seq2seq": 0.002, "transformer": 0.001}}])");
  result["models"] = models;
  write_json(folder / "result.json", result);
  return result;
}

}  // namespace tr::test
