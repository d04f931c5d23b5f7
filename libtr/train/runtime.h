// What holds for the whole process: threads, denormals, memory, device, precision.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tr::train {

enum class Precision { float32, bfloat16 };
inline auto names_of(Precision) {
  return std::vector<std::pair<Precision, const char*>>{{Precision::float32, "float32"},
                                                        {Precision::bfloat16, "bfloat16"}};
}
enum class Device { cpu, cuda, automatic };
inline auto names_of(Device) {
  return std::vector<std::pair<Device, const char*>>{
      {Device::cpu, "cpu"}, {Device::cuda, "cuda"}, {Device::automatic, "auto"}};
}

/// What was chosen, and what a reader should know of it.
struct Runtime {
  torch::Device device = torch::kCPU;
  int64_t threads = 1;
  std::vector<std::string> notes;  ///< one line each: a device that fell back, a slow precision
};

struct RuntimeOptions {
  int64_t threads = 0;  ///< 0: one a processor core that this process may use
  Device device = Device::cpu;
  Precision precision = Precision::float32;
  bool fast = true;  ///< nn::set_fast_paths
};

/// To be called once, before the first tensor. `cpu` never touches CUDA; `auto` falls back to the CPU with a note.
/// Throws UsageError at /device if CUDA was asked for and is not there.
Runtime set_up_runtime(const RuntimeOptions& options);

/// Runs what follows in `precision` on this thread: bfloat16 switches LibTorch's autocast on, for products alone; sums,
/// norms and softmax stay float32. Restores what was there before.
class PrecisionGuard {
 public:
  PrecisionGuard(Precision precision, torch::DeviceType device);
  ~PrecisionGuard();
  PrecisionGuard(const PrecisionGuard&) = delete;
  PrecisionGuard& operator=(const PrecisionGuard&) = delete;

 private:
  torch::DeviceType device_;
  bool was_enabled_;
  torch::ScalarType previous_type_;
};

}  // namespace tr::train
