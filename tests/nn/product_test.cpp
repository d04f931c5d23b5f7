// Linear layers by kernels against at::linear.
#include "libtr/nn/product.h"

#include <ATen/autocast_mode.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <torch/csrc/autograd/autograd.h>

#include <catch2/catch.hpp>
#include <vector>

using namespace tr;
using namespace tr::nn;

namespace {

double relative_gap(const torch::Tensor& a, const torch::Tensor& b) {
  return ((a - b).abs().max() / b.abs().max().clamp_min(1.0)).item<double>();
}

/// Autocast while it lives.
struct Bfloat16 {
  Bfloat16() {
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
    at::autocast::set_autocast_enabled(at::kCPU, true);
  }
  ~Bfloat16() {
    at::autocast::set_autocast_enabled(at::kCPU, false);
    at::autocast::clear_cache();
  }
};

/// A layer, its input, and what the products made of them.
struct Layer {
  torch::Tensor x, weight, bias;

  explicit Layer(const std::vector<int64_t>& shape, bool with_bias = true, at::ScalarType type = at::kFloat) {
    torch::manual_seed(4);
    x = at::randn(shape, type).requires_grad_();
    weight = at::randn({70, shape.back()}, type).requires_grad_();
    if (with_bias) bias = at::randn({70}, type).requires_grad_();
  }
  /// Output and all gradients.
  std::vector<torch::Tensor> pass(torch::Tensor (*function)(const torch::Tensor&, const torch::Tensor&,
                                                            const torch::Tensor&)) const {
    const auto y = function(x, weight, bias);
    torch::manual_seed(5);
    std::vector<torch::Tensor> leaves{x, weight};
    if (bias.defined()) leaves.push_back(bias);
    const auto arriving = at::randn(y.sizes(), at::TensorOptions(at::kFloat));
    auto all = torch::autograd::grad({y}, leaves, {arriving.to(y.scalar_type())});
    all.insert(all.begin(), y.detach());
    return all;
  }
};

torch::Tensor plain(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias) {
  return at::linear(x, weight, bias);
}

void check_alike(const Layer& layer, double most) {
  const auto fast = layer.pass(linear), expected = layer.pass(plain);
  REQUIRE(fast.size() == expected.size());
  for (size_t i = 0; i < fast.size(); ++i) {
    CAPTURE(i);
    REQUIRE(fast[i].sizes() == expected[i].sizes());
    CHECK(relative_gap(fast[i].to(at::kDouble), expected[i].to(at::kDouble)) < most);
  }
}

}  // namespace

TEST_CASE("a linear layer by kernels is that of LibTorch, with its gradients") {
  check_alike(Layer({40, 24}), 1e-5);
  check_alike(Layer({40, 24}, /*with_bias=*/false), 1e-5);
  check_alike(Layer({3, 9, 33}), 1e-5);
  check_alike(Layer({2, 40, 300}), 1e-5);
  Layer column({40, 1});
  column.x = at::randn({1, 40}).t().requires_grad_();  // contiguous, whatever the stride of its one column
  check_alike(column, 1e-5);
}

TEST_CASE("few rows, other types and plain paths are left to LibTorch") {
  check_alike(Layer({3, 24}), 1e-6);
  check_alike(Layer({40, 24}, true, at::kDouble), 1e-12);
  CHECK_FALSE(product_precision(at::randn({40, 24}, at::kDouble)));
  CHECK(product_precision(at::randn({40, 24})).has_value() ==
        kernels::products_serve(kernels::ProductPrecision::float32));
}

TEST_CASE("under bfloat16 a linear layer rounds its operands alone") {
  const Layer layer({64, 48});
  const auto exact = layer.pass(plain);
  const Bfloat16 products;
  const auto fast = layer.pass(linear);
  for (size_t i = 0; i < fast.size(); ++i) {
    const double gap = relative_gap(fast[i].to(at::kFloat), exact[i]);
    CAPTURE(i);
    CHECK(gap < 0.02);
    if (i < 3) CHECK(gap > 1e-5);  // the gradient of a bias is a sum
  }
  if (!kernels::products_serve(kernels::ProductPrecision::bfloat16)) return;
  CHECK(fast.front().scalar_type() == at::kFloat);
  const auto rounded = at::linear(layer.x.to(at::kBFloat16).to(at::kDouble),
                                  layer.weight.to(at::kBFloat16).to(at::kDouble), layer.bias.to(at::kDouble));
  CHECK(relative_gap(fast.front().to(at::kDouble), rounded.detach()) < 1e-6);
}

TEST_CASE("without gradients and from rows that do not lie together the same numbers come") {
  const Layer layer({40, 24});
  const auto expected = linear(layer.x, layer.weight, layer.bias).detach();
  const torch::NoGradGuard no_grad;
  CHECK(linear(layer.x, layer.weight, layer.bias).equal(expected));
  CHECK(linear(layer.x.t().contiguous().t(), layer.weight.t().contiguous().t(), layer.bias).equal(expected));
}
