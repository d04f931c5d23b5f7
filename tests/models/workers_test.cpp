// Threads that share work.
#include "libtr/models/workers.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "libtr/base/error.h"
#include "tests/support.h"

using namespace tr;
using namespace tr::models;

TEST_CASE("every worker does its part and the first failure in order reaches the caller") {
  std::vector<int64_t> done(4);
  at_the_same_time(4, [&](int64_t worker) { done[static_cast<size_t>(worker)] = worker + 1; });
  CHECK(done == std::vector<int64_t>{1, 2, 3, 4});
  CHECK(test::error_of([] {
          at_the_same_time(3, [](int64_t worker) {
            if (worker > 0) throw DataError("worker " + std::to_string(worker), "failed");
          });
        }) == "worker 1: failed");
}

TEST_CASE("workers compute in the caller's precision and gradient mode") {
  std::vector<int> seen(3);
  const auto look = [&](int64_t worker) {
    seen[static_cast<size_t>(worker)] =
        (at::GradMode::is_enabled() ? 1 : 0) + (at::autocast::is_autocast_enabled(at::kCPU) ? 2 : 0);
  };
  at_the_same_time(3, look);
  CHECK(seen == std::vector<int>{1, 1, 1});
  const at::NoGradGuard no_grad;
  at::autocast::set_autocast_enabled(at::kCPU, true);
  at_the_same_time(3, look);
  at::autocast::set_autocast_enabled(at::kCPU, false);
  CHECK(seen == std::vector<int>{2, 2, 2});
}

TEST_CASE("items are shared out once each and none is begun after a failure") {
  std::vector<int> times(100);
  share_out(3, 100, [&](int64_t, int64_t item) { ++times[static_cast<size_t>(item)]; });
  CHECK(times == std::vector<int>(100, 1));
  for (const int64_t workers : {1, 2}) {
    std::atomic<int> begun = 0;
    CHECK(test::error_of([&] {
            share_out(workers, 1000, [&](int64_t, int64_t item) {
              ++begun;
              if (item == 7) throw DataError("item 7", "failed");
              std::this_thread::sleep_for(std::chrono::milliseconds(1));
            });
          }) == "item 7: failed");
    CHECK(begun < 20);
  }
  share_out(4, 0, [](int64_t, int64_t) { FAIL("there is nothing to do"); });
}
