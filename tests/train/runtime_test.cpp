// Set-up of the process and the guard of precision.
#include "libtr/train/runtime.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <torch/types.h>

#include "tests/support.h"

namespace tr::train {
namespace {

TEST_CASE("the number of threads is as asked for, and denormals are flushed in all of them") {
  const Runtime runtime = set_up_runtime({.threads = 2});
  CHECK(runtime.threads == 2);
  CHECK(at::get_num_threads() == 2);
  CHECK(at::get_num_interop_threads() == 1);
  CHECK(runtime.device.is_cpu());
  const auto tiny = torch::full({100000}, 1e-38f);
  CHECK((tiny * 1e-3f).abs().max().item<float>() == 0);
  CHECK(set_up_runtime({.threads = 1}).threads == 1);
  CHECK(set_up_runtime({}).threads >= 1);
}

TEST_CASE("auto falls back to the CPU with a note, cuda is an error where there is none", "[F34]") {
  if (at::hasCUDA()) return test::skip("there is a CUDA device");
  const Runtime runtime = set_up_runtime({.threads = 2, .device = Device::automatic});
  CHECK(runtime.device.is_cpu());
  REQUIRE(runtime.notes.size() == 1);
  CHECK(runtime.notes[0] == "device auto: no CUDA device, the CPU is used");
  CHECK(test::error_of([] { set_up_runtime({.device = Device::cuda}); }) ==
        "/device: cuda was asked for, but LibTorch sees no CUDA device; expected cpu or auto here");
}

TEST_CASE("the guard switches bfloat16 on for this thread and restores what was there") {
  const auto a = torch::randn({4, 4}), b = torch::randn({4, 4});
  CHECK(torch::mm(a, b).scalar_type() == torch::kFloat);
  {
    const PrecisionGuard guard(Precision::bfloat16, torch::kCPU);
    CHECK(torch::mm(a, b).scalar_type() == torch::kBFloat16);
    {
      const PrecisionGuard inner(Precision::float32, torch::kCPU);
      CHECK(torch::mm(a, b).scalar_type() == torch::kFloat);
    }
    CHECK(torch::mm(a, b).scalar_type() == torch::kBFloat16);
  }
  CHECK(torch::mm(a, b).scalar_type() == torch::kFloat);
}

}  // namespace
}  // namespace tr::train
