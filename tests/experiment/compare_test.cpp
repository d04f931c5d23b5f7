// The comparison: identical conditions are checked, what differs is listed, finished models are kept.
#include <nlohmann/json.hpp>

#include "tests/experiment/program.h"

namespace tr::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json experiment() {
  Json base = Json::parse(tiny_config());
  base.erase("model");
  return {{"name", "tiny"},
          {"base", base},
          {"models",
           {{"seq2seq", {{"model", {{"type", "seq2seq"}, {"d_embedding", 16}, {"d_hidden", 16}}}}},
            {"transformer",
             {{"model", {{"type", "transformer"}, {"d_model", 16}, {"encoder_layers", 1}, {"decoder_layers", 1}, {"heads", 2}, {"d_hidden", 32}}},
              {"train", {{"optimizer", {{"learning_rate", 0.002}}}}}}}}},
          {"seeds", {1, 2}}};
}

TEST_CASE("compare trains every model with every seed on the same batches and lists what differs") {
  ScratchFolder folder;
  write_text(folder / "e.json", experiment().dump());
  const std::string call = "compare " + (folder / "e.json") + " --run " + (folder / "c");
  const Finished finished = libtr(call);
  INFO(finished.errors);
  REQUIRE(finished.status == 0);
  CHECK(finished.output.find("transformer") != std::string::npos);
  CHECK(fs::exists(folder / "c/report.html"));
  const Json result = Json::parse(read_file(folder / "c/result.json"));
  CHECK(result["experiment"] == "tiny");
  REQUIRE(result["models"].size() == 2);
  for (const Json& model : result["models"]) {
    CHECK(model["runs"].size() == 2);
    for (const char* key : {"bleu", "chrf", "perplexity", "train_seconds"}) {
      CHECK(model[key]["values"].size() == 2);
      CHECK(model[key]["sd"].is_number());
    }
    for (const size_t seed : {0, 1}) {
      CHECK(model["runs"][seed]["batches_sha256"] == result["models"][0]["runs"][seed]["batches_sha256"]);
      CHECK(fs::exists(folder / ("c/" + model["name"].get<std::string>() + "/seed-" + std::to_string(seed + 1) + "/result.json")));
    }
  }
  CHECK(result["models"][0]["runs"][0]["batches_sha256"] != result["models"][0]["runs"][1]["batches_sha256"]);
  REQUIRE(result["differences"].size() == 1);
  CHECK(result["differences"][0]["path"] == "/train/optimizer/learning_rate");
  CHECK(result["differences"][0]["values"]["transformer"] == 0.002);
  CHECK_FALSE(result["conditions"].contains("model"));
  CHECK_FALSE(result["conditions"]["train"]["optimizer"].contains("learning_rate"));
  CHECK(result["significance"]["pairs"].size() == 6);  // two metrics: seed 1, seed 2, both

  SECTION("called again it keeps finished runs; without --resume it refuses") {
    CHECK(libtr(call).status == 2);
    const auto before = fs::last_write_time(folder / "c/seq2seq/seed-1/result.json");
    fs::remove_all(folder / "c/transformer/seed-2");
    const Finished again = libtr(call + " --resume");
    CHECK(again.status == 0);
    CHECK(fs::last_write_time(folder / "c/seq2seq/seed-1/result.json") == before);
    CHECK(Json::parse(read_file(folder / "c/result.json"))["models"][1]["bleu"] == result["models"][1]["bleu"]);
  }
  SECTION("a command that needs one run lists those of the comparison") {
    const Finished translated = libtr("translate " + (folder / "c") + " /dev/null");
    CHECK(translated.status == 2);
    CHECK(translated.errors.find("transformer/seed-2") != std::string::npos);
  }
  SECTION("other batches of one model are found") {
    Json run = Json::parse(read_file(folder / "c/transformer/seed-1/result.json"));
    run["batches_sha256"] = "0";
    write_text(folder / "c/transformer/seed-1/result.json", run.dump());
    const Finished again = libtr(call + " --resume");
    CHECK(again.status == 1);
    CHECK(last_line(again.errors) ==
          "error: /models/transformer: saw other batches than seq2seq with seed 1: the conditions are not identical");
  }
}

TEST_CASE("an experiment whose models do not share the data is refused") {
  ScratchFolder folder;
  Json other = experiment();
  other["models"]["transformer"]["data"]["train"]["pairs"] = 200;
  write_text(folder / "e.json", other.dump());
  const Finished finished = libtr("compare " + (folder / "e.json") + " --run " + (folder / "c"));
  CHECK(finished.status == 2);
  CHECK(finished.errors.starts_with("error: /models/transformer: /data/train/pairs is 200 but 300 for seq2seq"));
}

TEST_CASE("a malformed experiment is refused with its place") {
  ScratchFolder folder;
  const auto error_with = [&](const std::string& text) {
    write_text(folder / "e.json", text);
    const Finished finished = libtr("compare " + (folder / "e.json") + " --run " + (folder / "c"));
    CHECK(finished.status == 2);
    return finished.errors;
  };
  const std::string at = "error: " + (folder / "e.json") + ": ";
  CHECK(error_with(R"({"modles": {}})").starts_with(at + "/modles: unknown key; did you mean models?"));
  CHECK(error_with(R"({"name": "x"})").starts_with(at + "/models: expected an object with at least one model"));
  CHECK(error_with(R"({"models": {"a": "none.json"}})").starts_with(at + "/models/a: there is no file"));
  CHECK(error_with(R"({"models": {"a": {}}, "seeds": [1, 1]})").starts_with(at + "/seeds: expected different seeds"));
  CHECK(error_with(R"({"models": {"../a": {}}})").starts_with(at + "/models/..~1a: a model's name is the name of its folder"));
}

}  // namespace
}  // namespace tr::test
