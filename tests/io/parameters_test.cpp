// Parameters by name: exact fit or nothing.
#include "libtr/io/parameters.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <torch/nn/modules/linear.h>

#include "tests/support.h"

namespace tr::io {
namespace {

using namespace tr::test;

// One module under two names, and a buffer.
struct Tied : torch::nn::Module {
  Tied() {
    register_module("first", linear);
    register_module("second", linear);
    register_buffer("scale", at::ones({2}));
  }
  torch::nn::Linear linear{3, 2};
};

TEST_CASE("each parameter and buffer is listed once, under its first name") {
  Tied module;
  const auto tensors = parameters_of(module);
  REQUIRE(tensors.size() == 3);
  CHECK(tensors[0].name == "first.weight");
  CHECK(tensors[1].name == "first.bias");
  CHECK(tensors[2].name == "scale");
  CHECK(tensors[0].tensor.const_data_ptr() == module.linear->weight.const_data_ptr());
}

TEST_CASE("loading parameters copies values and leaves the module's tensors in place") {
  Tied from, to;
  const void* place = to.linear->weight.const_data_ptr();
  load_parameters(to, parameters_of(from), "m");
  CHECK(at::equal(from.linear->weight, to.linear->weight));
  CHECK(at::equal(from.linear->bias, to.linear->bias));
  CHECK(to.linear->weight.const_data_ptr() == place);
  CHECK(to.linear->weight.requires_grad());
}

TEST_CASE("parameters that do not fit are listed, and nothing is loaded") {
  Tied module;
  const auto before = module.linear->weight.clone();
  auto tensors = parameters_of(module);
  tensors[0].tensor = at::zeros({3, 2});
  tensors[1].name = "first.bia";
  CHECK(error_of([&] { load_parameters(module, tensors, "m.safetensors"); }) ==
        "m.safetensors: does not fit the model; missing (1): first.bias; unexpected (1): first.bia; of another shape "
        "(1): "
        "first.weight [3, 2] instead of [2, 3]");
  tensors = parameters_of(module);
  tensors[0].tensor = at::randn({2, 3});
  for (int i = 10; i < 22; ++i) tensors.push_back({std::to_string(i), at::zeros({1})});
  CHECK(error_of([&] { load_parameters(module, tensors, "m"); }) ==
        "m: does not fit the model; unexpected (12): 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 and 2 more");
  CHECK(at::equal(module.linear->weight, before));
}

}  // namespace
}  // namespace tr::io
