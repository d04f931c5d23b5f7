// Translating text: one line out for each line in, whatever the line holds and however it comes.
#include <nlohmann/json.hpp>

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
  const Finished finished = libtr("translate " + trained_run() + " " + (folder / "in") + " --beam 1 --set /decode/max_length_ratio=0");
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
}

TEST_CASE("attention goes to JSON, cropped to real lengths, rows summing to 1", "[F40]") {
  ScratchFolder folder;
  write_text(folder / "in", "the dog sees the cat .\n\n");
  REQUIRE(libtr("translate " + trained_run() + " " + (folder / "in") + " -o " + (folder / "out") + " --attention " + (folder / "a.json")).status == 0);
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

TEST_CASE("a checkpoint folder is all that translating needs") {
  ScratchFolder folder;
  std::filesystem::copy(std::filesystem::canonical(trained_run() + "/checkpoints/best"), folder / "c", std::filesystem::copy_options::recursive);
  write_text(folder / "in", "the dog .\n");
  CHECK(libtr("translate " + (folder / "c") + " " + (folder / "in")).output == libtr("translate " + trained_run() + " " + (folder / "in")).output);
}

TEST_CASE("text that is not UTF-8 is refused with its line") {
  ScratchFolder folder;
  write_text(folder / "in", "good\nbad \xff\n");
  const Finished finished = libtr("translate " + trained_run() + " " + (folder / "in"));
  CHECK(finished.status == 1);
  CHECK(last_line(finished.errors).starts_with("error: " + (folder / "in") + ":2: "));
}

TEST_CASE("a damaged checkpoint is named") {
  ScratchFolder folder;
  std::filesystem::copy(std::filesystem::canonical(trained_run() + "/checkpoints/best"), folder / "c", std::filesystem::copy_options::recursive);
  std::string model = read_file(folder / "c/model.safetensors");
  model.back() = static_cast<char>(model.back() ^ 1);
  write_text(folder / "c/model.safetensors", model);
  const Finished finished = libtr("translate " + (folder / "c") + " /dev/null");
  CHECK(finished.status == 1);
  CHECK(finished.errors.find("model.safetensors") != std::string::npos);
}

}  // namespace
}  // namespace tr::test
