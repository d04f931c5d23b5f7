#include "libtr/report/run_log.h"

#include <limits>

#include "libtr/base/files.h"
#include "libtr/report/run_files.h"
#include "tests/support.h"

using namespace tr;
using Json = nlohmann::ordered_json;

namespace {

train::Position position(int64_t update) { return {update, 1, 100 * update, 0.5}; }

train::UpdateLogged logged(int64_t update, double loss) {
  train::UpdateLogged event;
  event.position = position(update);
  event.loss = loss;
  event.phases = {.updates = 2, .data = 1, .forward = 2, .loss = 3, .backward = 4, .optimizer = 5};
  return event;
}

}  // namespace

TEST_CASE("the diary holds one event a line, in order, as it was told") {
  const test::ScratchFolder folder;
  report::RunLog log(folder.path(), {{"seed", 7}});
  log.run_started({position(0), false, 42, {"a note"}});
  log.update_logged(logged(5, 1.5));
  train::Validated validated;
  validated.position = position(5);
  validated.evaluation.perplexity = 3.25;
  validated.best = true;
  log.validated(validated);
  log.checkpoint_saved({position(5), "checkpoints/update-5", true});
  log.tested({"test", {}, 2.0});
  log.run_ended({train::Outcome::stalled, "no better one", position(5), {}});

  // Flushed as it happens: the file is read while the diary is open.
  const Json events = report::read_events(folder / "events.jsonl");
  std::vector<std::string> types;
  for (const Json& event : events) types.push_back(event["type"]);
  CHECK(types == std::vector<std::string>{"run_start", "train", "valid", "checkpoint", "test", "run_end"});
  CHECK(events[0]["seed"] == 7);
  CHECK(events[0]["parameters"] == 42);
  CHECK(events[0]["notes"] == Json({"a note"}));
  CHECK(events[1]["loss"] == 1.5);
  CHECK(events[1]["target_tokens"] == 500);
  CHECK(events[1]["seconds_per_update"] ==
        Json({{"data", 0.5}, {"forward", 1.0}, {"loss", 1.5}, {"backward", 2.0}, {"optimizer", 2.5}}));
  CHECK(events[2]["perplexity"] == 3.25);
  CHECK(events[2]["best"] == true);
  CHECK_FALSE(events[2].contains("bleu"));  // nothing was decoded
  CHECK(events[3]["folder"] == "checkpoints/update-5");
  CHECK(events[4]["decode_seconds"] == 2.0);
  CHECK(events[5]["outcome"] == "stalled");
}

TEST_CASE("a value that is not finite is null in the diary", "[F42]") {
  const test::ScratchFolder folder;
  report::RunLog log(folder.path(), Json::object());
  log.update_logged(logged(1, std::numeric_limits<double>::quiet_NaN()));
  log.update_logged(logged(2, std::numeric_limits<double>::infinity()));
  const Json events = report::read_events(folder / "events.jsonl");
  CHECK(events[0]["loss"].is_null());
  CHECK(events[1]["loss"].is_null());
}

TEST_CASE("a resumed diary goes on behind the last whole line", "[F27]") {
  const test::ScratchFolder folder;
  report::RunLog(folder.path(), Json::object()).update_logged(logged(1, 2));
  write_file(folder / "events.jsonl", read_file(folder / "events.jsonl") + R"({"type":"train","upd)");
  report::RunLog again(folder.path(), Json::object());
  again.run_started({position(1), true, 42, {}});
  const std::string text = read_file(folder / "events.jsonl");
  CHECK(std::count(text.begin(), text.end(), '\n') == 2);
  const Json events = report::read_events(folder / "events.jsonl");
  REQUIRE(events.size() == 2);
  CHECK(events[1]["resumed_from_update"] == 1);
}

TEST_CASE("a diary that cannot be written is named") {
  CHECK(test::error_of([] {
          report::RunLog("/nonexistent", Json::object());
        }).starts_with("/nonexistent/events.jsonl: cannot be written: "));
}
