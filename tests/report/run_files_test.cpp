#include "libtr/report/run_files.h"

#include "tests/report/made_up_run.h"
#include "tests/support.h"

using namespace tr;
using Json = nlohmann::ordered_json;

namespace {

Json events_of(const std::string& text) {
  const test::ScratchFolder folder;
  write_file(folder / "events.jsonl", text);
  return report::read_events(folder / "events.jsonl");
}

std::vector<int> updates(const Json& events, const std::string& type) {
  std::vector<int> found;
  for (const Json& event : events) {
    if (event["type"] == type) found.push_back(event["update"]);
  }
  return found;
}

}  // namespace

TEST_CASE("a last line that a kill tore is dropped") {
  const Json events = events_of("{\"type\":\"train\",\"update\":1}\n{\"type\":\"valid\",\"upd");
  REQUIRE(events.size() == 1);
  CHECK(events[0]["update"] == 1);
}

TEST_CASE("a torn line before a resumed start is dropped, another line that is not JSON is an error") {
  CHECK(events_of("{\"type\":\"tr\n{\"type\":\"run_start\"}\n").size() == 1);
  const test::ScratchFolder folder;
  write_file(folder / "events.jsonl", "{\"type\":\"run_start\"}\nnonsense\n{\"type\":\"train\",\"update\":1}\n");
  CHECK(test::error_of([&] { report::read_events(folder / "events.jsonl"); }) ==
        folder / "events.jsonl:2" + ": is not a JSON object");
}

TEST_CASE("events of updates that were redone after a resume are superseded", "[F27][F31]") {
  const Json events = events_of(
      "{\"type\":\"run_start\",\"resumed_from_update\":0}\n"
      "{\"type\":\"train\",\"update\":10,\"loss\":3}\n{\"type\":\"valid\",\"update\":10}\n"
      "{\"type\":\"train\",\"update\":20,\"loss\":2}\n{\"type\":\"train\",\"update\":30,\"loss\":1}\n"
      "{\"type\":\"valid\",\"update\":30}\n"
      "{\"type\":\"run_start\",\"resumed_from_update\":10}\n"
      "{\"type\":\"train\",\"update\":20,\"loss\":2.5}\n");
  CHECK(updates(events, "train") == std::vector<int>{10, 20});
  CHECK(updates(events, "valid") == std::vector<int>{10});
  CHECK(events.back()["loss"] == 2.5);
}

TEST_CASE("a start that does not say where it resumed from supersedes all") {
  CHECK(updates(events_of("{\"type\":\"train\",\"update\":0}\n{\"type\":\"run_start\"}\n"), "train").empty());
}

TEST_CASE("a long diary of training is thinned to evenly spaced events, the last among them") {
  const test::ScratchFolder folder;
  test::write_run(folder.path(), 1, 70);
  std::string text;
  for (int update = 1; update <= 1601; ++update) {
    text += "{\"type\":\"train\",\"update\":" + std::to_string(update) + "}\n";
  }
  write_file(folder / "events.jsonl", text);
  const Json train = report::read_run(folder.path())["train"];
  REQUIRE(train.size() == 401);
  CHECK(train[0]["update"] == 1);
  CHECK(train[1]["update"] == 5);
  CHECK(train[400]["update"] == 1601);
}

TEST_CASE("attention weights are rounded to four decimals, other numbers stay exact") {
  const test::ScratchFolder folder;
  test::write_run(folder.path(), 1, 70.123456789012345);
  test::write_json(folder / "samples.json",
                   Json::parse(R"({"samples": [{"attention": {"a": [[0.123456, 0.876544]]}}]})"));
  const Json run = report::read_run(folder.path());
  CHECK(run["samples"][0]["attention"]["a"] == Json::parse("[[0.1235, 0.8765]]"));
  CHECK(run["result"]["test"]["news"]["bleu"] == 70.123456789012345);
}

TEST_CASE("a run without events, samples and configuration is read") {
  const test::ScratchFolder folder;
  test::write_json(folder / "result.json", test::made_up_result(3, 70));
  const Json run = report::read_run(folder.path());
  CHECK(run["seed"] == 3);
  CHECK(run["config"].is_null());
  CHECK(run["train"].empty());
  CHECK(run["samples"].empty());
}

TEST_CASE("files that are not what they should be are named") {
  const test::ScratchFolder folder;
  CHECK(test::error_of([&] { report::read_run(folder.path()); }) ==
        folder.path() + ": has no result.json, expected the folder of a finished train or compare");
  write_file(folder / "result.json", "[1]");
  CHECK(test::error_of([&] { report::read_run(folder.path()); }) == folder / "result.json" + ": is not a JSON object");
  test::write_json(folder / "result.json", test::made_up_result(1, 70));
  write_file(folder / "samples.json", "{\"samples\": [5]}");
  CHECK(test::error_of([&] { report::read_run(folder.path()); }) ==
        folder / "samples.json" + ": a sample is 5, expected an object");
}

TEST_CASE("mean and standard deviation with n - 1, none for one value, null spreads") {
  CHECK(report::statistic({1, 2, 4})["mean"].get<double>() == Approx(7.0 / 3));
  CHECK(report::statistic({1, 2, 4})["sd"].get<double>() == Approx(1.5275252316519468));
  CHECK(report::statistic(Json::array({5}))["sd"].is_null());
  CHECK(report::statistic({5, nullptr})["mean"].is_null());
  CHECK(report::statistic(Json::array())["mean"].is_null());
}
