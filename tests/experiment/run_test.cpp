// A run from configuration to result: what lies in its folder, how it stops, how it goes on.
#include <sys/file.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "libtr/base/random.h"
#include "libtr/experiment/result.h"
#include "libtr/report/run_files.h"
#include "tests/experiment/program.h"

namespace tr::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string kModels[] = {
    R"({"type": "transformer", "d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "heads": 2, "d_hidden": 32,
        "dropout": 0.3})",
    R"({"type": "seq2seq", "d_embedding": 16, "d_hidden": 16, "dropout": 0.3})",
    R"({"type": "seq2seq_attention", "d_embedding": 16, "d_hidden": 16, "dropout": 0.3})"};

std::string best_model(const std::string& run) { return read_file(run + "/checkpoints/best/model.safetensors"); }
std::string last_model(const std::string& run) { return read_file(run + "/checkpoints/last/model.safetensors"); }

TEST_CASE("a run leaves configuration, events, result, hypotheses, samples and a checkpoint", "[F41][F43]") {
  ScratchFolder folder;
  write_text(folder / "c.json", tiny_config());
  const Finished finished = libtr("train " + (folder / "c.json") + " --run " + (folder / "r"));
  INFO(finished.errors);
  REQUIRE(finished.status == 0);
  CHECK(finished.output.find("perplexity") != std::string::npos);
  for (const char* file : {"config.json", "events.jsonl", "result.json", "samples.json", "hypotheses/test.txt",
                           "checkpoints/best/model.safetensors", "checkpoints/last/manifest.json",
                           "checkpoints/best/tokenizer/tokenizer.json", "checkpoints/best/config.json"}) {
    INFO(file);
    CHECK(fs::exists(folder / ("r/" + std::string(file))));
  }
  const Json result = Json::parse(read_file(folder / "r/result.json"));
  for (const char* key : {"parameters", "multiply_adds_per_target_token", "updates", "epochs", "target_tokens",
                          "best_update", "valid", "test", "wall_time_seconds", "cpu_seconds",
                          "target_tokens_per_second", "environment", "corpus", "batches_sha256", "diverged"}) {
    INFO(key);
    CHECK(result.contains(key));
  }
  CHECK(result["updates"] == 24);
  CHECK(result["environment"]["workers"] == 2);  // 400 tokens for 2 threads
  for (const char* key : {"nll_per_token", "perplexity", "tokens", "bits_per_character", "accuracy", "unknown_rate",
                          "bleu", "bleu_signature", "chrf", "chrf_signature", "bleu_by_length"}) {
    INFO(key);
    CHECK(result["test"]["test"].contains(key));
  }
  CHECK(result["corpus"]["train"]["lines"] == 300);
  CHECK(Json::parse(read_file(folder / "r/config.json"))["seed"] == 1);
  const auto events = report::read_events(folder / "r/events.jsonl");
  CHECK(events.front()["type"] == "run_start");
  CHECK(events.front()["seed"] == 1);
  const std::string hypotheses = read_file(folder / "r/hypotheses/test.txt");
  CHECK(std::count(hypotheses.begin(), hypotheses.end(), '\n') == 20);

  SECTION("a folder that exists is not touched without --resume") {
    const Finished again = libtr("train " + (folder / "c.json") + " --run " + (folder / "r"));
    CHECK(again.status == 2);
    CHECK(last_line(again.errors) ==
          "error: --run: " + (folder / "r") + " exists; --resume goes on with it, nothing is ever overwritten");
  }
  SECTION("a finished run that is resumed gives its result again and changes nothing") {
    const std::string before = best_model(folder / "r"), log = read_file(folder / "r/events.jsonl");
    const Finished again = libtr("train " + (folder / "c.json") + " --run " + (folder / "r") + " --resume");
    CHECK(again.status == 0);
    CHECK(again.output == finished.output);
    CHECK(best_model(folder / "r") == before);
    CHECK(read_file(folder / "r/events.jsonl") == log);
  }
  SECTION("a finished run keeps its budget, and its configuration stays") {
    const std::string config = read_file(folder / "r/config.json");
    for (const std::string budget : {R"({"updates":48})", R"({"updates":12})", R"({"seconds":9.0})"}) {
      const Finished again = libtr("train " + (folder / "c.json") + " --run " + (folder / "r") +
                                   " --resume --quiet --set '/train/budget=" + budget + "'");
      CHECK(again.status == 2);
      CHECK(again.errors == "error: /train/budget: the run has {\"updates\":24}, the configuration now says " + budget +
                                "; " + (folder / "r") + " has finished, another budget needs a new --run\n");
      CHECK(read_file(folder / "r/config.json") == config);
      CHECK(fs::exists(folder / "r/result.json"));
    }
  }
  SECTION("a run that another process works on is left alone") {
    const int other = ::open((folder / "r/.lock").c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(::flock(other, LOCK_EX | LOCK_NB) == 0);
    const std::string call = "train " + (folder / "c.json") + " --run " + (folder / "r") + " --resume --quiet";
    const Finished again = libtr(call);
    CHECK(again.status == 1);
    CHECK(again.errors == "error: " + (folder / "r") + ": is in use by another process\n");
    ::close(other);
    CHECK(libtr(call).status == 0);
  }
  SECTION("the total time holds the final measures, teacher forcing among them") {
    double before_forcing = 0;
    for (const auto& event : events) {
      if (event["type"] == "run_end") before_forcing += event["wall_time_seconds"].get<double>();
      if (event["type"] == "test") before_forcing += event["decode_seconds"].get<double>();
    }
    CHECK(result["wall_time_seconds"]["total"].get<double>() > before_forcing + 1e-4);
  }
  SECTION("evaluate measures what the result says") {
    const Json measured = Json::parse(libtr("evaluate " + (folder / "r")).output);
    CHECK(measured["bleu"] == result["test"]["test"]["bleu"]);
    CHECK(measured["nll_per_token"].get<double>() ==
          Approx(result["test"]["test"]["nll_per_token"].get<double>()).epsilon(1e-6));
    CHECK(libtr("evaluate " + (folder / "r") + " --split tset").errors.find("did you mean test?") != std::string::npos);
    const Json lines = Json::parse(libtr("evaluate " + (folder / "r") + " --split valid --per-line").output)["lines"];
    REQUIRE(lines.size() == 20);
    double sum = 0;
    int64_t tokens = 0;
    for (const Json& line : lines) {
      sum -= line["log_probability"].get<double>();
      tokens += line["tokens"].get<int64_t>();
    }
    CHECK(tokens == result["valid"]["tokens"]);
    CHECK(sum / static_cast<double>(tokens) == Approx(result["valid"]["nll_per_token"].get<double>()).epsilon(1e-5));
  }
  SECTION("export writes a folder of its own and refuses one that is full") {
    CHECK(libtr("export " + (folder / "r") + " --to safetensors -o " + (folder / "e")).status == 0);
    CHECK(fs::exists(folder / "e/model.safetensors"));
    CHECK(libtr("export " + (folder / "r") + " --to safetensors -o " + (folder / "e")).status == 2);
    CHECK(libtr("export " + (folder / "r") + " --to safetensor -o " + (folder / "e2"))
              .errors.find("did you mean safetensors?") != std::string::npos);
  }
  SECTION("report makes the page from the files of the run alone") {
    CHECK(libtr("report " + (folder / "r") + " -o " + (folder / "p.html")).status == 0);
    CHECK(read_file(folder / "p.html").find("<html") != std::string::npos);
  }
}

TEST_CASE("total and processor seconds of a result span training and the final measures") {
  experiment::RunFacts facts;
  facts.training.times = {.train = 4, .valid = 1, .decode = 2, .total = 8, .cpu = 15};
  facts.decode_seconds = 3;
  facts.measure_seconds = 5;
  facts.measure_cpu_seconds = 9;
  const auto result = experiment::result_of(facts);
  CHECK(result["wall_time_seconds"]["decode"] == 5);
  CHECK(result["wall_time_seconds"]["total"] == 13);
  CHECK(result["cpu_seconds"] == 24);
}

TEST_CASE("a profile says where the time of updates went, and changes no bit") {
  const ScratchFolder folder;
  write_text(folder / "c.json", tiny_config(R"({"type": "transformer", "d_model": 16, "encoder_layers": 1,
      "decoder_layers": 1, "heads": 1, "d_hidden": 32, "dropout": 0.3})"));
  REQUIRE(libtr("train " + (folder / "c.json") + " --quiet --run " + (folder / "plain")).status == 0);
  REQUIRE(libtr("train " + (folder / "c.json") + " --quiet --profile --run " + (folder / "run")).status == 0);
  CHECK(last_model(folder / "run") == last_model(folder / "plain"));
  const Json profile = Json::parse(read_file(folder / "run/profile.json"));
  CHECK(profile["updates"] == 24);
  CHECK(profile["seconds_per_update"]["backward"] > 0);
  std::map<std::string, int64_t> calls;
  double shares = 0, seconds = 0, seconds_of_phases = 0;
  for (const Json& operation : profile["operations"]) {
    calls[operation["name"]] = operation["calls"];
    CHECK(operation["seconds"] >= 0);
    shares += operation["share"].get<double>();
    seconds += operation["seconds"].get<double>();
  }
  for (const Json& phase : profile["seconds_per_update"]) seconds_of_phases += 24 * phase.get<double>();
  CHECK(shares == Approx(1));
  CHECK(seconds < 1.02 * seconds_of_phases);
  CHECK(calls["tr::gradient_norm"] == 24);
  // Updates in parts, each with one pass over the loss and three attentions: encoder's, decoder's and across.
  CHECK(calls["tr::softmax_rows"] > 24);
  CHECK(calls["tr::attention"] == 3 * calls["tr::softmax_rows"]);
  CHECK(calls["tr::attention_gradient"] == calls["tr::attention"]);
  CHECK(calls["tr::linear"] + calls["aten::addmm"] > calls["tr::attention"]);
  CHECK_FALSE(std::filesystem::exists(folder / "plain/profile.json"));
}

TEST_CASE("a sitting that makes no update leaves the profile of an earlier one, and says so") {
  const ScratchFolder folder;
  write_text(folder / "c.json", tiny_config());
  const std::string call = "train " + (folder / "c.json") + " --profile --set /train/budget/updates=8 --run ",
                    note = "profile: no update was made, so there is nothing to profile\n";
  const auto note_of = [&](const Finished& finished) {
    REQUIRE(finished.status == 0);
    return finished.errors.find(note) != std::string::npos;
  };
  CHECK_FALSE(note_of(libtr(call + (folder / "r"))));
  const std::string before = read_file(folder / "r/profile.json");
  CHECK(libtr(call + (folder / "r") + " --resume").errors == note);  // of a finished run that is all
  CHECK(libtr(call + (folder / "r") + " --resume --quiet").errors.empty());
  fs::remove(folder / "r/result.json");  // as if killed between the last update and the result
  CHECK(note_of(libtr(call + (folder / "r") + " --resume")));
  CHECK(fs::exists(folder / "r/result.json"));
  CHECK(read_file(folder / "r/profile.json") == before);
}

TEST_CASE("two equal runs give equal bits and equal measures", "[F41]") {
  for (const std::string& model : kModels) {
    ScratchFolder folder;
    write_text(folder / "c.json", tiny_config(model));
    libtr("train " + (folder / "c.json") + " --run " + (folder / "a") + " --quiet");
    libtr("train " + (folder / "c.json") + " --run " + (folder / "b") + " --quiet");
    CHECK(last_model(folder / "a") == last_model(folder / "b"));
    const Json a = Json::parse(read_file(folder / "a/result.json")),
               b = Json::parse(read_file(folder / "b/result.json"));
    CHECK(a["test"] == b["test"]);
    CHECK(a["batches_sha256"] == b["batches_sha256"]);
  }
}

TEST_CASE("settings that changed before a resume are refused, all but the budget", "[F29]") {
  ScratchFolder folder;
  write_text(folder / "c.json", tiny_config());
  const std::string call = "train " + (folder / "c.json") + " --run " + (folder / "r") + " --quiet";
  REQUIRE(libtr(call + " --set /train/budget/updates=4").status == 0);
  fs::remove(folder / "r/result.json");
  const Finished changed = libtr(call + " --resume --set /train/clip_norm=2");
  CHECK(changed.status == 2);
  CHECK(last_line(changed.errors) ==
        "error: /train/clip_norm: the run has 1.0, the configuration now says 2.0; a run is resumed with its own "
        "settings, all but /train/budget");
  CHECK(libtr(call + " --resume --set /train/budget/updates=8").status == 0);
  CHECK(Json::parse(read_file(folder / "r/result.json"))["updates"] == 8);
}

TEST_CASE("settings that changed are named together, five at most") {
  ScratchFolder folder;
  write_text(folder / "c.json", tiny_config());
  const std::string call = "train " + (folder / "c.json") + " --run " + (folder / "r") + " --quiet";
  REQUIRE(libtr(call + " --set /train/budget/updates=4").status == 0);
  CHECK(libtr(call + " --resume --set /train/budget/updates=4 --set /seed=2 --set /decode/beam=3").errors ==
        "error: /decode/beam: the run has 2, the configuration now says 3; /seed: the run has 1, the configuration now "
        "says 2; a run is resumed with its own settings, all but /train/budget\n");
  const std::string seven = libtr(call +
                                  " --resume --set /seed=2 --set /threads=1 --set /decode/beam=3 --set "
                                  "/train/clip_norm=2 --set /train/log_every=9 --set /model/d_hidden=8 --set "
                                  "/model/d_model=8")
                                .errors;
  CHECK(seven.find("/seed: ") != std::string::npos);
  CHECK(seven.find("/train/clip_norm: ") == std::string::npos);
  CHECK(seven.find("; 2 other values differ too; a run is resumed") != std::string::npos);
  CHECK(std::count(seven.begin(), seven.end(), '\n') == 1);
}

TEST_CASE("an option that the run did not know yet had its default", "[F29]") {
  ScratchFolder folder;
  write_text(folder / "c.json", tiny_config());
  const std::string call = "train " + (folder / "c.json") + " --run " + (folder / "r") + " --quiet";
  REQUIRE(libtr(call).status == 0);
  Json older = Json::parse(read_file(folder / "r/config.json"));
  older.erase("fast");
  older["train"].erase("workers");
  for (const std::string file : {"", "r/result.json"}) {  // finished, then not
    if (!file.empty()) fs::remove(folder / file);
    write_text(folder / "r/config.json", older.dump());
    const Finished other = libtr(call + " --resume --set /train/workers=1");
    CHECK(other.errors.starts_with("error: /train/workers: the run has 0, the configuration now says 1; "));
    const Finished resumed = libtr(call + " --resume");
    INFO(resumed.errors);
    CHECK(resumed.status == 0);
  }
}

TEST_CASE("another number of threads than before is noted when a run goes on") {
  ScratchFolder folder;
  write_text(folder / "c.json", tiny_config());
  const std::string call = "train " + (folder / "c.json") + " --run " + (folder / "r");
  REQUIRE(libtr(call + " --quiet").status == 0);
  CHECK(Json::parse(read_file(folder / "r/result.json"))["environment"]["threads"] == 2);
  const auto notes_of_resumed = [&] {
    fs::remove(folder / "r/result.json");
    const Finished resumed = libtr(call + " --resume");
    CHECK(resumed.status == 0);
    Json notes;
    for (const auto& event : report::read_events(folder / "r/events.jsonl")) {
      if (event["type"] == "run_start") notes = event.contains("notes") ? Json(event["notes"]) : Json::array();
    }
    for (const auto& note : notes) CHECK(resumed.errors.find(note.get<std::string>()) != std::string::npos);
    return notes;
  };
  CHECK(notes_of_resumed().empty());
  std::string diary = read_file(folder / "r/events.jsonl");
  for (size_t at = 0; (at = diary.find("\"threads\":2", at)) != std::string::npos; ++at) diary[at + 10] = '3';
  write_text(folder / "r/events.jsonl", diary);
  CHECK(
      notes_of_resumed() ==
      Json::array({"threads: 3 so far, 2 from here on; the run will not end with the bits of one that never stopped"}));
}

TEST_CASE("the start says what is trained and that the vocabulary is smaller than asked for") {
  ScratchFolder folder;
  write_text(folder / "c.json", tiny_config());
  const Finished finished = libtr("train " + (folder / "c.json") + " --run " + (folder / "r") +
                                  " --set /tokenizer/vocab_size=5000 --set /train/log_every=1000");
  REQUIRE(finished.status == 0);
  const Json result = Json::parse(read_file(folder / "r/result.json"));
  const std::string note = "/tokenizer/vocab_size: 5000 ids were asked for, the text yields " +
                           result["corpus"]["vocabulary"]["source"].dump();
  CHECK(finished.errors.starts_with("transformer with " + result["parameters"].dump() +
                                    " parameters, 300 training pairs, budget 24 updates\n" + note + "\n"));
  const auto notes = report::read_events(folder / "r/events.jsonl").front()["notes"];
  REQUIRE(notes.size() == 1);
  CHECK(notes[0] == note);
}

// Whatever the moment of its death, a run that is resumed ends with the bits of one that was never disturbed.
void check_killed(const std::string& model, const std::function<void(Running&, const std::string& run)>& let_it_run) {
  ScratchFolder folder;
  write_text(folder / "c.json", tiny_config(model));
  const std::string undisturbed = "train " + (folder / "c.json") + " --quiet --run " + (folder / "a");
  const std::string disturbed = "train " + (folder / "c.json") + " --quiet --run " + (folder / "b") + " --resume";
  REQUIRE(libtr(undisturbed).status == 0);
  for (int kill = 0; kill < 3; ++kill) {
    Running running(disturbed);
    let_it_run(running, folder / "b");
    running.send(SIGKILL);
    running.wait();
  }
  const Finished last = libtr(disturbed);
  INFO(last.errors);
  REQUIRE(last.status == 0);
  CHECK(last_model(folder / "a") == last_model(folder / "b"));
  CHECK(best_model(folder / "a") == best_model(folder / "b"));
  const Json a = Json::parse(read_file(folder / "a/result.json")), b = Json::parse(read_file(folder / "b/result.json"));
  CHECK(a["test"] == b["test"]);
  CHECK(a["batches_sha256"] == b["batches_sha256"]);
}

void sleep_seconds(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

TEST_CASE("a run that is killed at any instant and resumed ends with the same bits", "[F27][F28][F31]") {
  Random random(std::hash<std::string>{}(ScratchFolder().path()));  // other instants in each call
  for (const std::string& model : kModels) {
    check_killed(model, [&](Running&, const std::string&) { sleep_seconds(0.3 + 1.5 * random.uniform()); });
  }
}

TEST_CASE("a run that is killed while it writes a checkpoint resumes from the one before", "[F28]") {
  check_killed(kModels[0], [](Running& running, const std::string& run) {
    const auto writing = [&] {
      std::error_code gone;
      for (fs::directory_iterator entry(run + "/checkpoints", gone), end; !gone && entry != end;
           entry.increment(gone)) {
        if (entry->path().filename().string().find(".tmp-") != std::string::npos) return true;
      }
      return false;
    };
    while (!running.ended() && !writing()) sleep_seconds(0.0002);
  });
}

TEST_CASE("SIGTERM finishes the update, saves, exits 130, and the run goes on with the same bits", "[F27]") {
  ScratchFolder folder;
  write_text(folder / "c.json", tiny_config());
  const std::string call = "train " + (folder / "c.json") + " --quiet --set /train/budget/updates=400 --run ";
  Running running(call + (folder / "b"));
  while (!running.ended() && !fs::exists(folder / "b/checkpoints/last")) sleep_seconds(0.001);
  running.send(SIGTERM);
  CHECK(running.wait() == 130);
  CHECK_FALSE(fs::exists(folder / "b/result.json"));
  const auto before = report::read_events(folder / "b/events.jsonl").size();
  CHECK(libtr(call + (folder / "b") + " --resume").status == 0);
  CHECK(report::read_events(folder / "b/events.jsonl").size() > before);
  CHECK(libtr(call + (folder / "a")).status == 0);
  CHECK(last_model(folder / "a") == last_model(folder / "b"));
}

TEST_CASE("a run that diverges says why, exits 1 and keeps null for what is not finite", "[F42]") {
  ScratchFolder folder;
  write_text(folder / "c.json", tiny_config());
  const Finished finished =
      libtr("train " + (folder / "c.json") + " --quiet --run " + (folder / "r") +
            " --set /train/optimizer='{\"type\":\"sgd\",\"learning_rate\":1e30}' --set /train/clip_norm=0 --set "
            "/train/schedule/type=constant");
  CHECK(finished.status == 1);
  CHECK(last_line(finished.errors).starts_with("error: training: "));
  CHECK(Json::parse(read_file(folder / "r/result.json"))["diverged"] == true);
}

}  // namespace
}  // namespace tr::test
