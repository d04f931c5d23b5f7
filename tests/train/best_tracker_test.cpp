// Which validation is the best.
#include "libtr/train/best_tracker.h"

#include <cmath>

#include "tests/support.h"

namespace tr::train {
namespace {

std::vector<int64_t> updates_of(const BestTracker& tracker) {
  std::vector<int64_t> updates;
  for (const auto& entry : tracker.entries()) updates.push_back(entry.update);
  return updates;
}

TEST_CASE("a lower nll is better, a higher score is better, and what is not finite is never the best", "[F42]") {
  const BestTracker nll(BestMetric::nll, 1), bleu(BestMetric::bleu, 1);
  CHECK(nll.is_better(1.0, 2.0));
  CHECK_FALSE(nll.is_better(2.0, 1.0));
  CHECK(bleu.is_better(2.0, 1.0));
  CHECK_FALSE(bleu.is_better(1.0, 2.0));
  for (const auto* tracker : {&nll, &bleu}) {
    CHECK_FALSE(tracker->is_better(1.0, 1.0));
    CHECK_FALSE(tracker->is_new_best(std::nan("")));
    CHECK_FALSE(tracker->is_better(-INFINITY, 1.0));
    CHECK(tracker->is_new_best(5.0));
  }
}

TEST_CASE("the best are kept in order, the earlier of two equal ones first, and stalls are counted") {
  BestTracker tracker(BestMetric::nll, 3);
  CHECK(tracker.offer({1, 5.0}));
  CHECK(tracker.offer({2, 3.0}));
  CHECK(tracker.offer({3, 3.0}));
  CHECK(tracker.stalled() == 1);
  CHECK(tracker.offer({4, 4.0}));
  CHECK_FALSE(tracker.offer({5, 4.5}));
  CHECK_FALSE(tracker.offer({6, std::nan("")}));
  CHECK(tracker.stalled() == 4);
  CHECK(updates_of(tracker) == std::vector<int64_t>{2, 3, 4});
  BestTracker resumed(BestMetric::nll, 3);
  resumed.restore(tracker.state());
  CHECK(resumed.stalled() == 4);
  CHECK(updates_of(resumed) == updates_of(tracker));
  CHECK(resumed.offer({7, 2.5}));
  CHECK(resumed.stalled() == 0);
  CHECK(updates_of(resumed) == std::vector<int64_t>{7, 2, 3});
}

TEST_CASE("the metric chooses the measure") {
  Evaluation evaluation{.nll_per_token = 1.5, .accuracy = 0.4};
  evaluation.decoded = Decoded{.bleu = 30, .chrf = 50};
  CHECK(BestTracker(BestMetric::nll, 1).value_of(evaluation) == 1.5);
  CHECK(BestTracker(BestMetric::accuracy, 1).value_of(evaluation) == 0.4);
  CHECK(BestTracker(BestMetric::bleu, 1).value_of(evaluation) == 30);
  CHECK(BestTracker(BestMetric::chrf, 1).value_of(evaluation) == 50);
}

}  // namespace
}  // namespace tr::train
