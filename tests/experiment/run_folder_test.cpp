// Whose folder is it: what a start takes, what it refuses, what it leaves behind when it fails.
#include <nlohmann/json.hpp>

#include "libtr/report/run_files.h"
#include "tests/experiment/program.h"

namespace tr::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json made_from(const std::string& folder) { return Json::parse(read_file(folder + "/tokenizer/made_from.json")); }

/// A folder as a kill before the first checkpoint leaves it.
void write_killed_run(const std::string& run, const std::string& config) {
  fs::create_directories(run + "/tokenizer.tmp-17");
  fs::create_directories(run + "/tokenizer.tmp-old-16");
  fs::create_directories(run + "/checkpoints/update-4.tmp-17");
  write_text(run + "/tokenizer.tmp-old-16/joint.model", "half removed");
  write_text(run + "/.lock", "");
  write_text(run + "/config.json", config);
  write_text(run + "/config.json.tmp-17", "{");
  write_text(run + "/corpus.json", R"({"valid": {"files": [{"path": "v", "sha256": "0"}]}})");
  write_text(run + "/events.jsonl", "{\"type\": \"run_start\", \"seed\": 9}\n");
}

TEST_CASE("a start that fails leaves its name free") {
  ScratchFolder folder;
  write_text(folder / "c.json", tiny_config());
  const std::string call = "train " + (folder / "c.json") + " --quiet --run " + (folder / "r");
  const bool made_before = GENERATE(false, true);
  if (made_before) fs::create_directory(folder / "r");
  const auto fails = [&](const std::string& settings, int status) {
    INFO(settings);
    CHECK(libtr(call + settings).status == status);
    CHECK(fs::exists(folder / "r") == made_before);
    if (made_before) CHECK(fs::is_empty(folder / "r"));
  };
  fails(" --set /data/test/test='{\"type\":\"tsv\",\"file\":\"" + (folder / "none") + "\"}'", 1);
  fails(" --set /tokenizer/vocab_size=5", 2);
  fails(" --set /train/workers=9", 2);
  fails(" --set /data/filter/max_target_tokens=1", 1);
  fails(" --set /train/initialize_from=" + (folder / "none"), 2);
  fails(" --set /train/workers=9 --resume", 2);
  REQUIRE(libtr(call).status == 0);
}

TEST_CASE("a run that was killed before its first checkpoint begins anew with --resume alone") {
  ScratchFolder folder;
  write_text(folder / "c.json", tiny_config());
  write_killed_run(folder / "r", R"({"seed": 9, "model": {"type": "seq2seq"}})");
  const std::string call = "train " + (folder / "c.json") + " --quiet --run " + (folder / "r");
  const auto before = content_of(folder.path());
  const Finished refused = libtr(call);
  CHECK(refused.status == 2);
  CHECK(refused.errors ==
        "error: --run: " + (folder / "r") + " exists; --resume goes on with it, nothing is ever overwritten\n");
  CHECK((content_of(folder.path()) == before));
  // A mistake now is no reason to lose the folder, which was there before.
  CHECK(libtr(call + " --resume --set /tokenizer/vocab_size=5").status == 2);
  CHECK(fs::exists(folder / "r/config.json"));
  const Finished finished = libtr(call + " --resume");
  INFO(finished.errors);
  REQUIRE(finished.status == 0);
  CHECK(report::read_events(folder / "r/events.jsonl").front()["seed"] == 1);
  for (const auto& [path, content] : content_of(folder / "r")) CHECK(path.find(".tmp-") == std::string::npos);
  fs::remove(folder / "r/result.json");  // checkpoints are enough to hold it to its settings
  CHECK(libtr(call + " --resume --set /seed=9").errors.starts_with("error: /seed: the run has 1, the configuration"));
}

TEST_CASE("a run that begins anew takes no tokenizer of other settings or text") {
  ScratchFolder folder;
  write_text(folder / "c.json", tiny_config());
  const std::string call = "train " + (folder / "c.json") + " --quiet --run " + (folder / "r");
  REQUIRE(libtr(call + " --set /train/budget/updates=4").status == 0);
  const auto time = fs::last_write_time(folder / "r/tokenizer/joint.model");
  const auto begin_anew_with = [&](const std::string& settings) {
    for (const char* trained : {"checkpoints", "result.json", "samples.json", "hypotheses"})
      fs::remove_all(folder / ("r/" + std::string(trained)));
    CHECK(libtr(call + " --resume --set /train/budget/updates=8" + settings).status == 0);
  };
  begin_anew_with("");
  CHECK(fs::last_write_time(folder / "r/tokenizer/joint.model") == time);
  begin_anew_with(" --set /tokenizer/vocab_size=320");
  CHECK(made_from(folder / "r")["tokenizer"]["vocab_size"] == 320);
  begin_anew_with(" --set /data/train/pairs=200");
  CHECK(made_from(folder / "r")["tokenizer"]["vocab_size"] == 300);
  CHECK(made_from(folder / "r")["text"]["lines"] == 200);
}

TEST_CASE("a folder that holds files of others is not touched, with or without --resume") {
  ScratchFolder folder;
  write_text(folder / "c.json", tiny_config());
  fs::create_directories(folder / "notes");
  write_text(folder / "notes/a.txt", "mine");
  fs::create_directories(folder / "locked");  // many programs call a file like this
  write_text(folder / "locked/.lock", "");
  write_text(folder / "locked/events.jsonl", "mine");
  fs::create_directories(folder / "model/tokenizer");
  write_text(folder / "model/.lock", "");
  write_text(folder / "model/config.json", R"({"hidden": 3})");
  write_text(folder / "model/tokenizer/joint.model", "mine");
  const std::string config = R"({"seed": 9, "model": {"type": "seq2seq"}})";
  for (const std::string foreign : {"draft.tmp", "a.tmp-notes", "tokenizer.tmp-17b", "tokenizer/mine.model"}) {
    write_killed_run(folder / foreign, config);
    fs::create_directories(folder / (foreign + "/tokenizer"));
    write_text(folder / (foreign + "/tokenizer/made_from.json"), "{}");
    write_text(folder / (foreign + "/" + foreign), "mine");
  }
  const auto before = content_of(folder.path());
  for (const std::string name :
       {"notes", "locked", "model", "draft.tmp", "a.tmp-notes", "tokenizer.tmp-17b", "tokenizer/mine.model"}) {
    INFO(name);
    const std::string call = "train " + (folder / "c.json") + " --quiet --run " + (folder / name);
    CHECK(libtr(call).errors ==
          "error: --run: " + (folder / name) + " exists; --resume goes on with it, nothing is ever overwritten\n");
    CHECK(libtr(call + " --resume").status == 2);
  }
  CHECK((content_of(folder.path()) == before));
  const std::string call = "train " + (folder / "c.json") + " --quiet --resume --run ";
  CHECK(libtr(call + (folder / "notes")).errors ==
        "error: --run: " + (folder / "notes") +
            " is not the folder of one run: it is not empty, but has no config.json\n");
  CHECK(libtr(call + (folder / "model")).errors ==
        "error: " + (folder / "model/config.json") + ": is not the configuration of a run: /model is missing\n");
}

/// Texts of the built-in corpus as files, and a configuration that reads them.
void write_texts(const ScratchFolder& folder) {
  write_toy_files(folder / "t");
  Json config = Json::parse(tiny_config());
  const auto files = [](const std::string& set) {
    return Json{{"type", "parallel"}, {"source", "t/" + set + ".en"}, {"target", "t/" + set + ".ko"}};
  };
  config["data"] = {{"train", files("train")}, {"valid", files("valid")}, {"test", {{"a~b", files("test")}}}};
  write_text(folder / "c.json", config.dump());
}

TEST_CASE("a run goes on with the text that it began with, or not at all") {
  ScratchFolder folder;
  write_texts(folder);
  const std::string call = "train " + (folder / "c.json") + " --quiet --run " + (folder / "r");
  REQUIRE(libtr(call + " --set /train/budget/updates=4").status == 0);
  fs::remove(folder / "r/result.json");
  const auto tokenizer = content_of(folder / "r/tokenizer");
  for (const std::string set : {"train.ko", "valid.en", "test.ko"}) {
    const std::string file = folder / ("t/" + set), before = read_file(file);
    write_text(file, before.substr(before.find('\n') + 1) + "x\n");
    const Finished refused = libtr(call + " --resume");
    CHECK(refused.status == 1);
    const std::string place = set == "test.ko" ? "/data/test/a~0b" : "/data/" + set.substr(0, 5);
    CHECK(refused.errors.starts_with("error: " + place + ": " + file + " has sha256 "));
    CHECK(refused.errors.find(", but " + (folder / "r") + " began with ") != std::string::npos);
    CHECK(std::count(refused.errors.begin(), refused.errors.end(), '\n') == 1);
    CHECK((content_of(folder / "r/tokenizer") == tokenizer));
    write_text(file, before);
  }
  CHECK(libtr(call + " --resume --set /train/budget/updates=8").status == 0);
}

TEST_CASE("a tokenizer that is loaded is the one that lies there, and a run goes on with no other") {
  ScratchFolder folder;
  write_text(folder / "c.json", tiny_config());
  write_toy_files(folder / "t");
  const auto train_tokenizer = [&](const std::string& vocab_size) {
    fs::remove_all(folder / "k");
    REQUIRE(libtr("tokenizer train --quiet --source " + (folder / "t/train.en") + " --target " +
                  (folder / "t/train.ko") + " -o " + (folder / "k") +
                  " --set /tokenizer/type=unigram --set /tokenizer/vocab_size=" + vocab_size)
                .status == 0);
  };
  const std::string call = "train " + (folder / "c.json") + " --quiet --run " + (folder / "r") +
                           " --set /train/budget/updates=4 --set /tokenizer='{\"type\":\"load\",\"from\":\"" +
                           (folder / "k") + "\"}'";
  train_tokenizer("300");
  REQUIRE(libtr(call).status == 0);
  CHECK(Json::parse(read_file(folder / "r/result.json"))["corpus"]["tokenizer"]["files"][0]["path"] == (folder / "k"));
  train_tokenizer("320");
  fs::remove(folder / "r/result.json");
  const Finished refused = libtr(call + " --resume");
  CHECK(refused.status == 1);
  CHECK(refused.errors.starts_with("error: /tokenizer: " + (folder / "k") + " has sha256 "));
  for (const char* trained : {"checkpoints", "samples.json", "hypotheses"})
    fs::remove_all(folder / ("r/" + std::string(trained)));
  CHECK(libtr(call + " --resume").status == 0);  // nothing of the other is left
  CHECK(Json::parse(read_file(folder / "r/result.json"))["corpus"]["vocabulary"]["source"] ==
        Json::parse(read_file(folder / "k/tokenizer.json"))["models"]["joint"]["size"]);
}

}  // namespace
}  // namespace tr::test
