#include "libtr/train/operator_profile.h"

#include <ATen/record_function.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>

namespace tr::train {
namespace {

std::atomic<OperatorProfile*> recording = nullptr;  // LibTorch calls back functions, not objects

/// An operation that has begun on this thread.
struct Begun {
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  double inside = 0;  ///< seconds of the operations that it called
};
thread_local std::vector<Begun> operations_begun;

std::unique_ptr<at::ObserverContext> operation_begins(const at::RecordFunction&) {
  operations_begun.emplace_back();
  return nullptr;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void operation_ends(const at::RecordFunction& function, at::ObserverContext*) {
  if (operations_begun.empty()) return;
  const Begun begun = operations_begun.back();
  operations_begun.pop_back();
  // Workers (models/workers.h) are the threads of a parallel region: the wall has a share of each one's seconds.
  const double own = (seconds_since(begun.start) - begun.inside) / omp_get_num_threads();
  if (auto* profile = recording.load()) profile->add(function.name(), own);
  // The time of add() is no work of the operation that called this one.
  if (!operations_begun.empty()) operations_begun.back().inside += seconds_since(begun.start);
}

}  // namespace

OperatorProfile::Section::Section(OperatorProfile* profile) {
  if (!profile) return;
  recording = profile;
  callback_ = at::addGlobalCallback(at::RecordFunctionCallback(operation_begins, operation_ends)
                                        .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
}

OperatorProfile::Section::~Section() {
  if (!callback_) return;
  at::removeCallback(*callback_);
  recording = nullptr;
}

void OperatorProfile::add(const std::string& name, double seconds) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[name];
  ++entry.calls;
  entry.seconds += seconds;
}

std::vector<OperatorProfile::Entry> OperatorProfile::entries() const {
  std::vector<Entry> sorted;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, entry] : entries_) sorted.push_back({name, entry.calls, entry.seconds});
  std::stable_sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) { return a.seconds > b.seconds; });
  return sorted;
}

}  // namespace tr::train
