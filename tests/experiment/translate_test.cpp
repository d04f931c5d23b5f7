// Translating text: one line out for each line in, whatever the line holds and however it comes.
#include "libtr/experiment/translate.h"

#include <sys/ioctl.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "libtr/experiment/evaluate.h"
#include "tests/experiment/program.h"

namespace tr::test {
namespace {

using Json = nlohmann::json;

/// One small trained run for all tests of this file.
const std::string& trained_run() {
  static const ScratchFolder folder;
  static const std::string run = [] {
    write_text(folder / "c.json", tiny_config());
    libtr("train " + (folder / "c.json") + " --quiet --run " + (folder / "r"));
    return folder / "r";
  }();
  return run;
}

int64_t lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST_CASE("lines that are empty or blank give empty lines at their places", "[F1][F2][F3][F10][F19]") {
  ScratchFolder folder;
  write_text(folder / "in", "I like to go to school .\n\n \n\t\n\xC2\xA0\nthe cat sees the dog .\nx");
  const Finished finished = libtr("translate " + trained_run() + " " + (folder / "in"));
  REQUIRE(finished.status == 0);
  CHECK(lines_of(finished.output) == 7);
  std::istringstream lines(finished.output);
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  for (const size_t blank : {1, 2, 3, 4}) CHECK(all[blank].empty());
}

TEST_CASE("file, pipe and output file agree", "[F20]") {
  ScratchFolder folder;
  write_text(folder / "in", "I like to go to school .\nthe cat sees the dog .\n");
  const std::string run = trained_run();
  const std::string file = libtr("translate " + run + " " + (folder / "in")).output;
  CHECK(libtr("translate " + run + " < " + (folder / "in")).output == file);
  CHECK(libtr("translate " + run + " " + (folder / "in") + " -o " + (folder / "out")).output.empty());
  CHECK(read_file(folder / "out") == file);
  CHECK(libtr("translate " + run + " < /dev/null").output.empty());
}

TEST_CASE("a very long line does not stop the decoder", "[F10][F13]") {
  ScratchFolder folder;
  std::string text = "the dog .\n";
  for (int i = 0; i < 3000; ++i) text += "dog ";
  write_text(folder / "in", text + "\nthe cat .\n");
  const Finished finished =
      libtr("translate " + trained_run() + " " + (folder / "in") + " --beam 1 --set /decode/max_length_ratio=0");
  CHECK(finished.status == 0);
  CHECK(lines_of(finished.output) == 3);
}

TEST_CASE("an n-best list numbers its lines and its first entries are the translations") {
  ScratchFolder folder;
  write_text(folder / "in", "the dog .\n\nthe cat .\n");
  const std::string best = libtr("translate " + trained_run() + " " + (folder / "in") + " --beam 3").output;
  const std::string list = libtr("translate " + trained_run() + " " + (folder / "in") + " --beam 3 --n-best 3").output;
  std::istringstream best_lines(best), list_lines(list);
  std::string line, translation;
  int64_t number = -1;
  while (std::getline(list_lines, line)) {
    const int64_t at = std::stoll(line);
    if (at != number) {
      number = at;
      std::getline(best_lines, translation);
      CHECK(line.starts_with(std::to_string(number) + " ||| " + translation + " ||| "));
    }
  }
  CHECK(number == 2);
  const Finished too_many = libtr("translate " + trained_run() + " " + (folder / "in") + " --beam 2 --n-best 3");
  CHECK(too_many.status == 2);
  CHECK(too_many.errors == "error: --n-best: got 3, expected at most beam, which is 2; --beam sets that\n");
  const Finished as_json = libtr("translate " + trained_run() + " " + (folder / "in") + " --json");
  CHECK(as_json.status == 2);
  CHECK(as_json.errors ==
        "error: --json: translations are text; --n-best gives scores, --attention FILE writes tokens and weights\n");
}

TEST_CASE("attention goes to JSON, cropped to real lengths, rows summing to 1", "[F40]") {
  ScratchFolder folder;
  write_text(folder / "in", "the dog sees the cat .\n\n");
  REQUIRE(libtr("translate " + trained_run() + " " + (folder / "in") + " -o " + (folder / "out") + " --attention " +
                (folder / "a.json"))
              .status == 0);
  const Json samples = Json::parse(read_file(folder / "a.json"))["samples"];
  REQUIRE(samples.size() == 2);
  CHECK(samples[1]["target"].empty());
  if (!samples[0]["target"].empty()) {
    for (const auto& [name, map] : samples[0]["attention"].items()) {
      CHECK(map.size() == samples[0]["target"].size());
      for (const auto& row : map) {
        CHECK(row.size() == samples[0]["source"].size());
        double sum = 0;
        for (const double weight : row) sum += weight;
        CHECK(sum == Approx(1).margin(1e-5));
      }
    }
  }
}

// A transformer with positions for 128 tokens, trained for a moment.
const std::string& short_sighted_run() {
  static const ScratchFolder folder;
  static const std::string run = [] {
    write_text(folder / "c.json", tiny_config());
    libtr("train " + (folder / "c.json") + " --quiet --set /train/budget/updates=8 --run " + (folder / "r") +
          " --set /model/positions/type=learned --set /model/positions/longest=128 --set /decode/n_best=2");
    return folder / "r";
  }();
  return run;
}

std::string long_line() {
  std::string line;
  for (int i = 0; i < 200; ++i) line += "dog ";
  return line + "\n";
}

TEST_CASE("warnings about lines of a stream count from its first line") {
  ScratchFolder folder;
  write_text(folder / "in", std::string(1024, '\n') + long_line());  // blocks of a pipe have 1024 lines
  const Finished finished = libtr("translate " + short_sighted_run() + " < " + (folder / "in"));
  CHECK(finished.status == 0);
  CHECK(finished.errors == "line 1025: longer than the 128 positions that the model learned; its end is cut off\n");
  CHECK(libtr("translate " + short_sighted_run() + " " + (folder / "in")).errors == finished.errors);
}

TEST_CASE("a quiet translation says nothing beside its output") {
  ScratchFolder folder;
  write_text(folder / "in", long_line());
  const std::string call = "translate " + short_sighted_run() + " --quiet";
  CHECK(libtr(call + " " + (folder / "in")).errors.empty());
  CHECK(libtr(call + " < " + (folder / "in")).errors.empty());
}

TEST_CASE("attention belongs to the tokens that the model wrote", "[F40]") {
  const auto saved = experiment::load_model(trained_run());
  const tokenizer::Tokenizer& target = *saved.tokenizers.target;
  const std::string text = "나는 학교에 갈 것이다 .";
  tokenizer::Ids ids;  // other pieces than the text would be cut into
  for (const int64_t id : target.encode(text)) {
    const std::string piece = target.piece_of(id);
    for (size_t at = 0, next; at < piece.size(); at = next) {
      next = at + 1;
      while (next < piece.size() && (static_cast<unsigned char>(piece[next]) & 0xC0) == 0x80) ++next;
      ids.push_back(target.id_of(piece.substr(at, next - at)));
    }
  }
  REQUIRE(ids != target.encode(target.decode(ids)));
  decode::Hypothesis written;
  written.ids = ids;
  const experiment::Translator translator(saved, [](const std::string&) {});
  const auto sample = translator.attention({"I want to go to school ."}, {{written}})["samples"][0];
  ids.push_back(tokenizer::kEos);
  CHECK(sample["target"] == target.tokens(ids));
  for (const auto& [name, map] : sample["attention"].items()) CHECK(map.size() == ids.size());
}

// What the program writes to a terminal as its standard error; empty if this machine has no terminals.
std::string said_to_terminal(const std::string& arguments) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) return "";
  const std::string name = ::ptsname(terminal);
  const int kept_open = ::open(name.c_str(), O_RDWR | O_NOCTTY);  // else what was written may go with the program
  CHECK(Running(arguments + " 2>" + name).wait() == 0);
  std::string said(4096, '\0');
  said.resize(static_cast<size_t>(std::max<ssize_t>(::read(terminal, said.data(), said.size()), 0)));
  ::close(kept_open);
  ::close(terminal);
  return said;
}

TEST_CASE("a terminal shows how much of a file is translated and removes it in the end") {
  ScratchFolder folder;
  write_text(folder / "in", "the dog .\nthe cat .\n");
  const std::string call = "translate " + trained_run() + " " + (folder / "in") + " --set /decode/batch_sentences=1";
  if (::access("/dev/ptmx", R_OK | W_OK) != 0) return skip("no terminals");
  const std::string said = said_to_terminal(call);
  CHECK(said.find("] 50 %, 1 of 2 sentences, 0:0") != std::string::npos);
  CHECK(said.ends_with("\r\x1b[K"));
  CHECK(said_to_terminal(call + " --quiet").empty());
  CHECK(libtr(call).errors.empty());
}

TEST_CASE("a terminal shows how much of a set is translated for its measures, unless they are to be quiet") {
  const std::string call = "evaluate " + trained_run() + " --set /decode/batch_sentences=4";
  if (::access("/dev/ptmx", R_OK | W_OK) != 0) return skip("no terminals");
  const std::string said = said_to_terminal(call);
  CHECK(said.find("] 20 %, 4 of 20 sentences, 0:0") != std::string::npos);
  CHECK(said.ends_with("\r\x1b[K"));
  CHECK(said_to_terminal(call + " --quiet").empty());
}

TEST_CASE("quiet measures do not warn of lines that are cut") {
  ScratchFolder folder;
  write_text(folder / "source", long_line());
  write_text(folder / "target", "x\n");
  for (const std::string lines : {"", " --per-line"}) {
    const std::string call = "evaluate " + short_sighted_run() + " --source " + (folder / "source") + " --target " +
                             (folder / "target") + lines;
    CHECK(libtr(call).errors ==
          "files: 1 of 1 pairs are longer than the 128 positions that the model learned; their ends are cut off\n");
    CHECK(libtr(call + " --quiet").errors.empty());
  }
}

TEST_CASE("measures need one hypothesis, however many the run lists") {
  const Finished finished = libtr("evaluate " + short_sighted_run() + " --beam 1 --quiet");  // below its n_best
  CHECK(finished.errors.empty());
  CHECK(finished.status == 0);
}

TEST_CASE("a signal ends a translation that waits for input at once") {
  ScratchFolder folder;
  REQUIRE(::mkfifo((folder / "in").c_str(), 0600) == 0);
  const int input = ::open((folder / "in").c_str(), O_RDWR);
  Running translation("translate " + trained_run() + " < " + (folder / "in"));
  REQUIRE(::write(input, "x\n", 2) == 2);
  int unread = 2;
  const auto wait_for = [](const auto& done) {
    for (int i = 0; i < 6000 && !done(); ++i) ::usleep(10000);  // a minute
    return done();
  };
  CHECK(wait_for([&] { return ::ioctl(input, FIONREAD, &unread) == 0 && unread == 0; }));
  translation.send(SIGTERM);
  if (!wait_for([&] { return translation.ended(); })) translation.send(SIGKILL);
  CHECK(translation.wait() == 128 + SIGTERM);
  ::close(input);
}

TEST_CASE("a checkpoint folder is all that translating needs") {
  ScratchFolder folder;
  std::filesystem::copy(std::filesystem::canonical(trained_run() + "/checkpoints/best"), folder / "c",
                        std::filesystem::copy_options::recursive);
  write_text(folder / "in", "the dog .\n");
  CHECK(libtr("translate " + (folder / "c") + " " + (folder / "in")).output ==
        libtr("translate " + trained_run() + " " + (folder / "in")).output);
}

TEST_CASE("text that is not UTF-8 is refused with its line") {
  ScratchFolder folder;
  write_text(folder / "in", "good\nbad \xff\n");
  const Finished finished = libtr("translate " + trained_run() + " " + (folder / "in"));
  CHECK(finished.status == 1);
  CHECK(last_line(finished.errors).starts_with("error: " + (folder / "in") + ":2: "));
}

TEST_CASE("progress of an evaluation begins with the search, behind the teacher-forced pass") {
  const auto saved = experiment::load_model(trained_run());
  std::vector<int64_t> told;
  experiment::evaluate(saved, experiment::named_set(saved, "valid"), [&](int64_t done) { told.push_back(done); });
  REQUIRE(told.size() > 1);
  CHECK(told.front() == 0);
  CHECK(told.back() == 20);
}

TEST_CASE("a damaged checkpoint is named") {
  ScratchFolder folder;
  std::filesystem::copy(std::filesystem::canonical(trained_run() + "/checkpoints/best"), folder / "c",
                        std::filesystem::copy_options::recursive);
  std::string model = read_file(folder / "c/model.safetensors");
  model.back() = static_cast<char>(model.back() ^ 1);
  write_text(folder / "c/model.safetensors", model);
  const Finished finished = libtr("translate " + (folder / "c") + " /dev/null");
  CHECK(finished.status == 1);
  CHECK(finished.errors.find("model.safetensors") != std::string::npos);
}

}  // namespace
}  // namespace tr::test
