#include "libtr/models/workers.h"

#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <vector>

namespace tr::models {
namespace {

/// Whether this thread's products are of lower precision, and which.
struct Autocast {
  bool enabled = at::autocast::is_autocast_enabled(at::kCPU);
  at::ScalarType type = at::autocast::get_autocast_dtype(at::kCPU);

  void set() const {
    at::autocast::set_autocast_enabled(at::kCPU, enabled);
    at::autocast::set_autocast_dtype(at::kCPU, type);
  }
};

/// Autocast as the caller's thread has it. The copies of weights that autocast keeps stay: other workers use them.
class SameAutocast {
 public:
  explicit SameAutocast(const Autocast& callers) { callers.set(); }
  ~SameAutocast() { before_.set(); }
  SameAutocast(const SameAutocast&) = delete;
  SameAutocast& operator=(const SameAutocast&) = delete;

 private:
  Autocast before_;
};

}  // namespace

int64_t workers_on(const torch::Device& device) { return device.is_cpu() ? at::get_num_threads() : 1; }

void at_the_same_time(int64_t count, const std::function<void(int64_t)>& work) {
  if (count == 1) return work(0);
  const Autocast autocast;
  const bool gradients = at::GradMode::is_enabled();
  std::vector<std::exception_ptr> failures(static_cast<size_t>(count));
  // A parallel region of OpenMP: what LibTorch, MKL and oneDNN would share out they do not share out inside of one.
#pragma omp parallel for schedule(static, 1) num_threads(static_cast <int>(count))
  for (int64_t worker = 0; worker < count; ++worker) {
    try {
      const SameAutocast same_precision(autocast);
      const at::AutoGradMode same_mode(gradients);
      work(worker);
    } catch (...) {
      failures[static_cast<size_t>(worker)] = std::current_exception();
    }
  }
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

void share_out(int64_t workers, int64_t items, const std::function<void(int64_t, int64_t)>& work) {
  if (items == 0) return;
  std::atomic<int64_t> next = 0;
  at_the_same_time(std::min(workers, items), [&](int64_t worker) {
    for (int64_t item = next++; item < items; item = next++) {
      try {
        work(worker, item);
      } catch (...) {
        next = items;
        throw;
      }
    }
  });
}

}  // namespace tr::models
