// Schedules: values worked out by hand from the formulas.
#include "libtr/train/schedule.h"

#include "libtr/config/json_file.h"
#include "tests/support.h"

namespace tr::train {
namespace {

std::shared_ptr<Schedule> schedule_of(const config::Json& json, int64_t d_model = 256) {
  const config::Sources none;
  config::Choice<schedules> choice;
  choice.read(json, config::Place(none, "/train/schedule"));
  return choice.make(d_model);
}

double at_update(const Schedule& schedule, int64_t update, double fraction = 0) {
  return schedule.factor({update, fraction});
}

TEST_CASE("constant stays at 1, after a linear warm-up if there is one") {
  CHECK(at_update(*schedule_of({{"type", "constant"}}), 1) == 1);
  const auto warm = schedule_of({{"type", "constant"}, {"warmup", 10}});
  CHECK(at_update(*warm, 1) == Approx(0.1));
  CHECK(at_update(*warm, 5) == Approx(0.5));
  CHECK(at_update(*warm, 10) == 1);
  CHECK(at_update(*warm, 500) == 1);
  CHECK(at_update(*schedule_of({{"type", "constant"}, {"warmup", 10}, {"warmup_from", 0.5}}), 4) == Approx(0.7));
}

TEST_CASE("inverse_square_root is 1 at the end of the warm-up and halves by four times that") {
  const auto schedule = schedule_of({{"type", "inverse_square_root"}, {"warmup", 2000}});
  CHECK(at_update(*schedule, 1000) == Approx(0.5));
  CHECK(at_update(*schedule, 2000) == 1);
  CHECK(at_update(*schedule, 8000) == Approx(0.5));
  CHECK(at_update(*schedule_of({{"type", "inverse_square_root"}, {"warmup", 0}}), 4) == Approx(0.5));
}

TEST_CASE("noam is equation 3 of Vaswani et al.") {
  const auto schedule = schedule_of({{"type", "noam"}, {"warmup", 4000}}, 512);
  CHECK(at_update(*schedule, 4000) == Approx(6.987712e-4).epsilon(1e-6));    // 512^-0.5 * 4000^-0.5
  CHECK(at_update(*schedule, 1000) == Approx(1.746928e-4).epsilon(1e-6));    // a quarter of it
  CHECK(at_update(*schedule, 100000) == Approx(1.397542e-4).epsilon(1e-6));  // 512^-0.5 * 100000^-0.5
}

TEST_CASE("linear and cosine fall over the budget, whatever its unit") {
  const auto linear = schedule_of({{"type", "linear"}, {"end", 0.2}});
  CHECK(at_update(*linear, 7, 0) == 1);
  CHECK(at_update(*linear, 7, 0.5) == Approx(0.6));
  CHECK(at_update(*linear, 7, 1) == Approx(0.2));
  const auto cosine = schedule_of({{"type", "cosine"}, {"warmup", 4}, {"end", 0.1}});
  CHECK(at_update(*cosine, 2, 0) == Approx(0.5));
  CHECK(at_update(*cosine, 9, 1.0 / 3) == Approx(0.1 + 0.9 * 0.75));
  CHECK(at_update(*cosine, 9, 0.5) == Approx(0.55));
  CHECK(at_update(*cosine, 9, 1) == Approx(0.1));
}

TEST_CASE("plateau falls after validations without a new best, and is saved with its count") {
  const config::Json json = {{"type", "plateau"}, {"factor", 0.5}, {"patience", 2}, {"smallest", 0.2}};
  const auto schedule = schedule_of(json), resumed = schedule_of(json);
  schedule->validated(true);
  schedule->validated(false);
  CHECK(at_update(*schedule, 1) == 1);
  resumed->restore(schedule->state());
  for (const auto& one : {schedule, resumed}) {
    one->validated(false);
    CHECK(at_update(*one, 1) == Approx(0.5));
    one->validated(false);
    one->validated(true);
    one->validated(false);
    CHECK(at_update(*one, 1) == Approx(0.5));
    for (int i = 0; i < 8; ++i) one->validated(false);
    CHECK(at_update(*one, 1) == Approx(0.2));
  }
  CHECK(test::error_of([&] { schedule->restore({}); }) ==
        "schedule state: scale or stalled is missing, expected both for plateau");
}

}  // namespace
}  // namespace tr::train
