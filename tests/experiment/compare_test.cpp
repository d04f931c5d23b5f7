// The comparison: identical conditions are checked, what differs is listed, finished models are kept.
#include "libtr/experiment/compare.h"

#include <sys/file.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "libtr/models/transformer.h"
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
             {{"model",
               {{"type", "transformer"},
                {"d_model", 16},
                {"encoder_layers", 1},
                {"decoder_layers", 1},
                {"heads", 2},
                {"d_hidden", 32}}},
              {"train", {{"optimizer", {{"learning_rate", 0.002}}}}}}}}},
          {"seeds", {1, 2}}};
}

/// One whose models end at different updates: patched by `base` for all and by `transformer` for one.
Finished compare_uneven(const ScratchFolder& folder, const Json& base, const Json& transformer) {
  Json uneven = experiment();
  uneven["seeds"] = {1};
  uneven["base"].merge_patch({{"train", {{"valid_every", 4}, {"schedule", {{"type", "constant"}}}}}});
  uneven["base"].merge_patch({{"train", base}});
  uneven["models"]["transformer"]["train"] = transformer;
  write_text(folder / "e.json", uneven.dump());
  return libtr("compare " + (folder / "e.json") + " --run " + (folder / "c") + " --resume");
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
      CHECK(fs::exists(
          folder / ("c/" + model["name"].get<std::string>() + "/seed-" + std::to_string(seed + 1) + "/result.json")));
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

TEST_CASE("early stopping of one model is no difference in batches, another batch is") {
  ScratchFolder folder;
  const Json stopping = {{"early_stopping", {{"type", "patience"}, {"validations", 1}}}};
  const Json standing_still = {{"optimizer", {{"type", "adam"}, {"learning_rate", 0}}}};
  const Finished finished = compare_uneven(folder, stopping, standing_still);
  INFO(finished.errors);
  REQUIRE(finished.status == 0);
  const Json models = Json::parse(read_file(folder / "c/result.json"))["models"];
  CHECK(models[1]["runs"][0]["outcome"] == "stalled");
  CHECK(models[1]["runs"][0]["updates"] == 8);
  CHECK(models[0]["runs"][0]["updates"].get<int64_t>() > 8);
  for (const std::string model : {"seq2seq", "transformer"}) {
    const std::string file = folder / ("c/" + model + "/seed-1/result.json"), before = read_file(file);
    Json run = Json::parse(before);
    run["batches_sha256"] = "0";
    write_text(file, run.dump());
    const Finished again = compare_uneven(folder, stopping, standing_still);
    CHECK(again.status == 1);
    CHECK(
        last_line(again.errors).starts_with("error: /models/transformer: saw other batches than seq2seq with seed 1"));
    write_text(file, before);
  }
}

TEST_CASE("models with a budget in seconds are compared") {
  ScratchFolder folder;
  const Json budget = {{"updates", nullptr}, {"seconds", 0.3}};
  const Finished finished = compare_uneven(folder, {{"budget", budget}}, Json::object());
  INFO(finished.errors);
  CHECK(finished.status == 0);
}

TEST_CASE("a model that diverges has seen the same batches, that of its last update among them") {
  ScratchFolder folder;
  const Json diverging = {{"optimizer", {{"type", "sgd"}, {"learning_rate", 1e30}}}, {"clip_norm", 0}};
  const Finished finished = compare_uneven(folder, Json::object(), diverging);
  CHECK(finished.status == 1);
  CHECK(last_line(finished.errors).starts_with("error: transformer: update "));
  CHECK(fs::exists(folder / "c/result.json"));
}

TEST_CASE("other batches are found before the next seed is trained") {
  ScratchFolder folder;
  write_text(folder / "e.json", experiment().dump());
  const std::string call = "compare " + (folder / "e.json") + " --run " + (folder / "c") + " --resume";
  REQUIRE(libtr(call + " --set /seeds=[1]").status == 0);
  Json run = Json::parse(read_file(folder / "c/transformer/seed-1/result.json"));
  run["batches_sha256"] = "0";
  write_text(folder / "c/transformer/seed-1/result.json", run.dump());
  CHECK(libtr(call).status == 1);
  CHECK_FALSE(fs::exists(folder / "c/seq2seq/seed-2"));
}

TEST_CASE("an experiment whose models do not share data, batches, budget, stopping, search or metrics is refused") {
  ScratchFolder folder;
  const auto error_with = [&](const Json& transformer) {
    Json other = experiment();
    other["models"]["transformer"].merge_patch(transformer);
    write_text(folder / "e.json", other.dump());
    const Finished finished = libtr("compare " + (folder / "e.json") + " --run " + (folder / "c"));
    CHECK(finished.status == 2);
    CHECK_FALSE(fs::exists(folder / "c"));
    return finished.errors;
  };
  const std::string at = "error: " + (folder / "e.json") + ": /models/transformer: ";
  CHECK(error_with({{"data", {{"train", {{"pairs", 200}}}}}})
            .starts_with(at + "/data/train/pairs is 200 but 300 for seq2seq; models that are compared share it"));
  CHECK(error_with({{"train", {{"batch_tokens", 300}}}}).starts_with(at + "/train/batch_tokens is 300 but 400"));
  CHECK(error_with({{"train", {{"budget", {{"updates", 8}}}}}}).starts_with(at + "/train/budget/updates is 8 but 24"));
  const Json patience = {{"type", "patience"}};
  CHECK(error_with({{"train", {{"early_stopping", patience}}}}).starts_with(at + "/train/early_stopping"));
  CHECK(error_with({{"train", {{"valid_every", 4}}}}).starts_with(at + "/train/valid_every is 4 but 8"));
  CHECK(error_with({{"fast", false}}).starts_with(at + "/fast is false but true for seq2seq"));
  CHECK(error_with({{"decode", {{"beam", 3}}}}).starts_with(at + "/decode/beam is 3 but 2 for seq2seq"));
  CHECK(error_with({{"evaluate", {{"bleu", {{"lowercase", true}}}}}}).starts_with(at + "/evaluate/bleu/lowercase is"));
}

TEST_CASE("the seeds of a comparison are those of the experiment, which --set replaces") {
  ScratchFolder folder;
  Json one = experiment();
  one["models"].erase("transformer");
  write_text(folder / "e.json", one.dump());
  const std::string call = "compare " + (folder / "e.json") + " --quiet --run " + (folder / "c");
  CHECK(libtr(call + " --set /seed=7").errors ==
        "error: --set /seed: a comparison takes its seeds from the experiment, expected /seeds=[7] there\n");
  CHECK(libtr(call + " --set /seeds=[3,3]").errors.starts_with("error: --set /seeds: expected different seeds"));
  CHECK_FALSE(fs::exists(folder / "c"));
  REQUIRE(libtr(call + " --set /seeds=[3] --set /train/budget/updates=4").status == 0);
  CHECK(Json::parse(read_file(folder / "c/result.json"))["seeds"] == Json::array({3}));
  CHECK(fs::exists(folder / "c/seq2seq/seed-3/result.json"));
  CHECK_FALSE(fs::exists(folder / "c/seq2seq/seed-1"));
  one["base"]["seed"] = 7;
  write_text(folder / "e.json", one.dump());
  const Finished seed_in_base = libtr(call + " --resume");
  CHECK(seed_in_base.status == 2);
  CHECK(seed_in_base.errors.starts_with("error: " + (folder / "e.json") + ": /seed: a comparison takes its seeds"));
}

TEST_CASE("a comparison that another process works on is left alone") {
  ScratchFolder folder;
  write_text(folder / "e.json", experiment().dump());
  fs::create_directories(folder / "c");
  const int other = ::open((folder / "c/.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  REQUIRE(::flock(other, LOCK_EX | LOCK_NB) == 0);
  const Finished finished = libtr("compare " + (folder / "e.json") + " --resume --run " + (folder / "c"));
  CHECK(finished.status == 1);
  CHECK(last_line(finished.errors) == "error: " + (folder / "c") + ": is in use by another process");
  CHECK_FALSE(fs::exists(folder / "c/seq2seq"));
  ::close(other);
}

TEST_CASE("a comparison whose start failed leaves its name free, one that was killed begins anew with --resume") {
  ScratchFolder folder;
  write_text(folder / "e.json", experiment().dump());
  const std::string call =
      "compare " + (folder / "e.json") + " --quiet --run " + (folder / "c") + " --set /seeds=[1] --set ";
  CHECK(libtr(call + "/tokenizer/vocab_size=5").status == 2);
  CHECK_FALSE(fs::exists(folder / "c"));
  CHECK(libtr(call + "/data/filter/max_target_tokens=1").status == 1);
  CHECK_FALSE(fs::exists(folder / "c"));
  CHECK(libtr(call + "/train/initialize_from=none").status == 2);  // the first run has begun by then
  CHECK_FALSE(fs::exists(folder / "c"));

  const std::string short_run = call + "/train/budget/updates=4";
  REQUIRE(libtr(short_run + " --set /tokenizer/vocab_size=320").status == 0);
  // As if killed in its first run.
  for (const char* later : {"result.json", "report.html", "transformer", "seq2seq/seed-1/checkpoints",
                            "seq2seq/seed-1/result.json", "seq2seq/seed-1/samples.json", "seq2seq/seed-1/hypotheses"})
    fs::remove_all(folder / ("c/" + std::string(later)));
  CHECK(libtr(short_run).status == 2);
  const Finished mended = libtr(short_run + " --resume");
  INFO(mended.errors);
  REQUIRE(mended.status == 0);
  CHECK(Json::parse(read_file(folder / "c/tokenizer/made_from.json"))["tokenizer"]["vocab_size"] == 300);
  CHECK(Json::parse(read_file(folder / "c/experiment.json"))["models"]["seq2seq"]["tokenizer"]["vocab_size"] == 300);

  const Finished other = libtr(short_run + " --set /tokenizer/vocab_size=320 --resume");
  CHECK(other.status == 2);
  CHECK(last_line(other.errors)
            .starts_with("error: " + (folder / "c/seq2seq/seed-1") +
                         ": /tokenizer/vocab_size: the run has 300, the configuration now says 320; "));
  CHECK(Json::parse(read_file(folder / "c/tokenizer/made_from.json"))["tokenizer"]["vocab_size"] == 300);
}

TEST_CASE("a folder of others is not touched by a comparison, that of a run neither") {
  ScratchFolder folder;
  write_text(folder / "e.json", experiment().dump());
  write_text(folder / "c.json", tiny_config());
  fs::create_directories(folder / "other/tokenizer");
  write_text(folder / "other/.lock", "");
  write_text(folder / "other/tokenizer/joint.model", "mine");
  REQUIRE(libtr("train " + (folder / "c.json") + " --quiet --set /train/budget/updates=4 --run " + (folder / "run"))
              .status == 0);
  fs::copy(folder / "run", folder / "begun", fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  for (const char* trained : {"checkpoints", "result.json", "samples.json", "hypotheses"})
    fs::remove_all(folder / ("begun/" + std::string(trained)));
  const auto before = content_of(folder.path());
  for (const std::string name : {"other", "run", "begun"}) {
    const std::string call = "compare " + (folder / "e.json") + " --quiet --run " + (folder / name);
    CHECK(libtr(call).status == 2);
    CHECK(libtr(call + " --resume").errors ==
          "error: --run: " + (folder / name) +
              (name == "other" ? " is not the folder of a comparison: it is not empty, but has no experiment.json\n"
                               : " is the folder of a run: it has config.json, expected a comparison's\n"));
  }
  CHECK((content_of(folder.path()) == before));
}

TEST_CASE("a comparison that goes on takes more models and seeds, and loses none") {
  ScratchFolder folder;
  const auto call_with = [&](const Json& changed) {
    write_text(folder / "e.json", changed.dump());
    return libtr("compare " + (folder / "e.json") + " --quiet --resume --set /train/budget/updates=4 --run " +
                 (folder / "c"));
  };
  Json one = experiment(), all = experiment();
  one["seeds"] = {1};
  one["models"].erase("transformer");
  REQUIRE(call_with(one).status == 0);
  const auto time = fs::last_write_time(folder / "c/seq2seq/seed-1/result.json");
  REQUIRE(call_with(all).status == 0);
  CHECK(fs::last_write_time(folder / "c/seq2seq/seed-1/result.json") == time);
  CHECK(Json::parse(read_file(folder / "c/result.json"))["models"][1]["runs"].size() == 2);

  const auto before = content_of(folder / "c");
  CHECK(call_with(one).errors == "error: /seeds: " + (folder / "c/seq2seq/seed-2") +
                                     " has trained, but the experiment names no seed 2; --resume can only add seeds\n");
  Json renamed = all;
  renamed["models"]["lstm"] = renamed["models"]["seq2seq"];
  renamed["models"].erase("seq2seq");
  CHECK(call_with(renamed).errors ==
        "error: /models: " + (folder / "c/seq2seq/seed-1") +
            " has trained, but the experiment names no seq2seq; --resume can only add models\n");
  renamed = all;
  renamed["name"] = "other";
  CHECK(call_with(renamed).errors ==
        "error: /name: the comparison in " + (folder / "c") + " has \"tiny\", the experiment now says \"other\"\n");
  CHECK((content_of(folder / "c") == before));
}

TEST_CASE("a comparison goes on with the text that its models saw, or not at all") {
  ScratchFolder folder;
  write_toy_files(folder / "t");
  const auto files = [](const std::string& set) {
    return Json{{"type", "parallel"}, {"source", "t/" + set + ".en"}, {"target", "t/" + set + ".ko"}};
  };
  Json of_files = experiment();
  of_files["base"]["data"] = {
      {"train", files("train")}, {"valid", files("valid")}, {"test", {{"test", files("test")}}}};
  write_text(folder / "e.json", of_files.dump());
  const std::string call = "compare " + (folder / "e.json") +
                           " --quiet --set /seeds=[1] --set /train/budget/updates=4 --run " + (folder / "c");
  REQUIRE(libtr(call).status == 0);
  fs::remove_all(folder / "c/transformer");
  const auto time = fs::last_write_time(folder / "c/tokenizer");
  const bool older = GENERATE(false, true);  // a finished run from before there was corpus.json
  if (older) fs::remove(folder / "c/seq2seq/seed-1/corpus.json");
  for (const std::string set : {"train", "valid", "test"}) {
    const std::string file = folder / ("t/" + set + ".ko"), before = read_file(file);
    write_text(file, before.substr(before.find('\n') + 1) + "x\n");
    const Finished refused = libtr(call + " --resume");
    CHECK(refused.status == 1);
    const std::string place = set == "test" ? "/data/test/test" : "/data/" + set;
    CHECK(refused.errors.starts_with("error: " + place + ": " + file + " has sha256 "));
    CHECK(refused.errors.find("but " + (folder / "c/seq2seq/seed-1") + " began with ") != std::string::npos);
    CHECK(fs::last_write_time(folder / "c/tokenizer") == time);
    CHECK_FALSE(fs::exists(folder / "c/transformer"));
    write_text(file, before);
  }
  CHECK(libtr(call + " --resume").status == 0);
}

TEST_CASE("an experiment given to train and a configuration given to compare name the right command") {
  ScratchFolder folder;
  const std::string e = folder / "e.json", c = folder / "c.json", x = folder / "x.json",
                    run = " --run " + (folder / "r");
  write_text(e, experiment().dump());
  write_text(c, tiny_config());
  write_text(x, R"({"extends": "c.json", "data": {"test": {"test": null}}})");
  const std::string is_experiment = "error: " + e +
                                    ": is an experiment, which libtr compare runs; expected the configuration of one "
                                    "model, as its /models and /base name them\n";
  for (const std::string& call : {"train " + e + run, "config " + e}) {
    CHECK(libtr(call).status == 2);
    CHECK(libtr(call).errors == is_experiment);
  }
  for (const std::string& file : {c, x}) {
    const Finished finished = libtr("compare " + file + run);
    CHECK(finished.status == 2);
    CHECK(finished.errors == "error: " + file +
                                 ": is the configuration of one model, which libtr train runs; expected an experiment, "
                                 "with /models\n");
  }
  CHECK_FALSE(fs::exists(folder / "r"));
  CHECK(libtr("train " + c + run + " --set /models/heads=2").errors.find("did you mean model?") != std::string::npos);
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
  CHECK(error_with(R"({"models": {}})") == at + "/models: expected at least one model\n");
  CHECK(error_with(R"({"models": {"a": "none.json"}})").starts_with(at + "/models/a: there is no file"));
  CHECK(error_with(R"({"models": {"a": {}}, "seeds": [1, 1]})").starts_with(at + "/seeds: expected different seeds"));
  CHECK(error_with(R"({"models": {"../a": {}}})")
            .starts_with(at + "/models/..~1a: a model's name is the name of its folder"));
  CHECK(error_with(R"({"models": {"tokenizer": {}}})")
            .starts_with(at + "/models/tokenizer: the folder of a comparison has a file or folder of this name"));
}

TEST_CASE("an experiment that a program made is held to the rules of a file, before anything is written") {
  const ScratchFolder folder;
  write_text(folder / "e.json", experiment().dump());
  const experiment::Experiment right = experiment::load_experiment(folder / "e.json", {});
  const auto error_with = [&](const std::function<void(experiment::Experiment&)>& change) {
    experiment::Experiment wrong = right;
    change(wrong);
    const std::string error =
        error_of([&] { experiment::compare(wrong, folder / "c", experiment::Resume::no, /*quiet=*/true); });
    CHECK_FALSE(fs::exists(folder / "c"));
    return error;
  };
  using Experiment = experiment::Experiment;
  const std::string seeds = "/seeds: expected different seeds, at least one, none below 0, got ";
  CHECK(error_with([](Experiment& wrong) { wrong.models.clear(); }) == "/models: expected at least one model");
  CHECK(error_with([](Experiment& wrong) { wrong.seeds.clear(); }) == seeds + "[]");
  CHECK(error_with([](Experiment& wrong) { wrong.seeds = {2, 1, 2}; }) == seeds + "[2,1,2]");
  CHECK(error_with([](Experiment& wrong) { wrong.seeds = {-1}; }) == seeds + "[-1]");
  CHECK(error_with([](Experiment& wrong) { wrong.models[1].name = "../x"; }) ==
        "/models/..~1x: a model's name is the name of its folder: no '/', not empty, no '.' in front");
  CHECK(error_with([](Experiment& wrong) { wrong.models[1].name = "tokenizer"; }) ==
        "/models/tokenizer: the folder of a comparison has a file or folder of this name already");
  CHECK(error_with([](Experiment& wrong) { wrong.models[1].name = "seq2seq"; }) ==
        "/models/seq2seq: two models have this name");
  CHECK(error_with([](Experiment& wrong) { wrong.models[1].options.train.batches.batch_tokens = 300; }) ==
        "/models/transformer: /train/batch_tokens is 300 but 400 for seq2seq; models that are compared share it");
  CHECK(error_with([](Experiment& wrong) {
          for (auto& model : wrong.models) model.options.decode.beam = 0;
        }) == "/models/seq2seq/decode/beam: got 0, expected a number at least 1");
  CHECK(error_with([](Experiment& wrong) {
          auto options = wrong.models[1].options.model.as<models::TransformerOptions>();
          options.heads = 3;
          wrong.models[1].options.model = {"transformer", options};
        }).starts_with("/models/transformer/model/heads: got 3, which does not divide"));
}

}  // namespace
}  // namespace tr::test
