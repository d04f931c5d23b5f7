#include "libtr/train/runtime.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>

#include "libtr/base/error.h"
#include "libtr/nn/fast_paths.h"

namespace tr::train {
namespace {

/// Processor cores that this process may use.
int64_t available_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

/// As many threads as asked for, always: a library that changes their number by itself changes sums.
void set_threads(int64_t threads) {
  ::setenv("MKL_DYNAMIC", "FALSE", /*overwrite=*/1);
  omp_set_dynamic(0);
  omp_set_max_active_levels(1);  // what workers call stays on their threads
  at::set_num_threads(static_cast<int>(threads));
  static const bool interop_set = [] {  // LibTorch allows one call
    if (at::get_num_interop_threads() != 1) at::set_num_interop_threads(1);
    return true;
  }();
  (void)interop_set;
}

/// Numbers near 1e-40 cost a hundred times as much as others; the mode belongs to each thread.
void flush_denormals() {
  at::globalContext().setFlushDenormal(true);
#pragma omp parallel
  at::globalContext().setFlushDenormal(true);
}

torch::Device chosen_device(Device device, std::vector<std::string>& notes) {
  if (device == Device::cpu) return torch::kCPU;
  if (at::globalContext().hasCUDA()) return {torch::kCUDA, 0};
  if (device == Device::cuda) {
    throw UsageError("/device", "cuda was asked for, but LibTorch sees no CUDA device; expected cpu or auto here");
  }
  notes.emplace_back("device auto: no CUDA device, the CPU is used");
  return torch::kCPU;
}

bool has_bfloat16_products() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512bf16") != 0;
#else
  return false;
#endif
}

}  // namespace

Runtime set_up_runtime(const RuntimeOptions& options) {
  Runtime runtime;
  runtime.threads = options.threads > 0 ? options.threads : available_cores();
  set_threads(runtime.threads);
  flush_denormals();
  nn::set_fast_paths(options.fast);
  runtime.device = chosen_device(options.device, runtime.notes);
  if (options.precision == Precision::bfloat16 && runtime.device.is_cpu() && !has_bfloat16_products()) {
    runtime.notes.emplace_back(
        "precision bfloat16: this processor has no instructions for it, float32 would be many times faster");
  }
  return runtime;
}

PrecisionGuard::PrecisionGuard(Precision precision, torch::DeviceType device)
    : device_(device),
      was_enabled_(at::autocast::is_autocast_enabled(device)),
      previous_type_(at::autocast::get_autocast_dtype(device)) {
  at::autocast::set_autocast_enabled(device_, precision == Precision::bfloat16);
  if (precision == Precision::bfloat16) at::autocast::set_autocast_dtype(device_, at::kBFloat16);
}

PrecisionGuard::~PrecisionGuard() {
  at::autocast::set_autocast_dtype(device_, previous_type_);
  at::autocast::set_autocast_enabled(device_, was_enabled_);
  at::autocast::clear_cache();  // copies of weights in bfloat16 are stale after the next update
}

}  // namespace tr::train
