#include "libtr/train/operator_profile.h"

#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "libtr/models/workers.h"
#include "libtr/train/stopwatch.h"
#include "tests/support.h"

namespace tr::train {
namespace {

TEST_CASE("a profile counts operations inside its sections, each second once") {
  const torch::NoGradGuard no_grad;
  const auto x = at::randn({256, 256}), weight = at::randn({256, 256}), bias = at::randn({256});
  OperatorProfile profile;
  double elapsed = 0;
  for (int i = 0; i < 2; ++i) {
    timed(elapsed, [&] {
      const OperatorProfile::Section section(&profile);
      for (int j = 0; j < 50; ++j) at::linear(x, weight, bias);  // calls aten::addmm
    });
    at::mm(x, weight);  // outside
  }
  double sum = 0;
  const auto entries = profile.entries();
  for (const auto& entry : entries) sum += entry.seconds;
  CHECK(sum <= elapsed);
  CHECK(sum > 0);
  const auto calls_of = [&](const std::string& name) {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.name == name; });
    return found == entries.end() ? 0 : found->calls;
  };
  CHECK(calls_of("aten::linear") == 100);
  CHECK(calls_of("aten::addmm") == 100);
  CHECK(calls_of("aten::mm") == 0);
  CHECK(std::is_sorted(entries.begin(), entries.end(),
                       [](const auto& a, const auto& b) { return a.seconds > b.seconds; }));
}

TEST_CASE("seconds of a profile are the wall's, inside workers and outside") {
  const auto wait = [](const char* name) {
    RECORD_FUNCTION(name, c10::ArrayRef<const c10::IValue>{});
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
  };
  OperatorProfile profile;
  double elapsed = 0;
  timed(elapsed, [&] {
    const OperatorProfile::Section section(&profile);
    models::at_the_same_time(3, [&](int64_t) { wait("inside"); });
    wait("outside");
  });
  const auto entries = profile.entries();
  REQUIRE(entries.size() == 2);
  double sum = 0;
  for (const auto& entry : entries) {
    INFO(entry.name);
    CHECK(entry.calls == (entry.name == "inside" ? 3 : 1));
    CHECK(entry.seconds >= 0.04);
    sum += entry.seconds;
  }
  CHECK(sum <= elapsed);
}

TEST_CASE("a section without a profile records nothing") {
  OperatorProfile profile;
  const OperatorProfile::Section section(nullptr);
  at::randn({4, 4});
  CHECK(profile.entries().empty());
}

}  // namespace
}  // namespace tr::train
