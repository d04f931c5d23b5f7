#include "libtr/train/best_tracker.h"

#include <algorithm>
#include <cmath>

namespace tr::train {

double BestTracker::value_of(const Evaluation& evaluation) const {
  switch (metric_) {
    case BestMetric::nll:
      return evaluation.nll_per_token;
    case BestMetric::accuracy:
      return evaluation.accuracy;
    case BestMetric::bleu:
      return evaluation.decoded->bleu;
    case BestMetric::chrf:
      return evaluation.decoded->chrf;
  }
  return std::nan("");
}

bool BestTracker::is_better(double value, double than) const {
  if (!std::isfinite(value)) return false;
  return metric_ == BestMetric::nll ? value < than : value > than;
}

bool BestTracker::is_new_best(double value) const {
  return entries_.empty() ? std::isfinite(value) : is_better(value, entries_.front().value);
}

bool BestTracker::offer(const Entry& entry) {
  stalled_ = is_new_best(entry.value) ? 0 : stalled_ + 1;
  if (!std::isfinite(entry.value)) return false;
  const auto place = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& other) { return is_better(entry.value, other.value); });
  if (place - entries_.begin() >= keep_) return false;
  entries_.insert(place, entry);
  if (std::ssize(entries_) > keep_) entries_.pop_back();
  return true;
}

config::Json BestTracker::state() const {
  config::Json entries = config::Json::array();
  for (const auto& entry : entries_) entries.push_back({{"update", entry.update}, {"value", entry.value}});
  return {{"entries", entries}, {"stalled", stalled_}};
}

void BestTracker::restore(const config::Json& state) {
  entries_.clear();
  for (const auto& entry : state.at("entries")) {
    entries_.push_back({entry.at("update").get<int64_t>(), entry.at("value").get<double>()});
  }
  stalled_ = state.at("stalled").get<int64_t>();
}

}  // namespace tr::train
