#include "libtr/nn/activation.h"

#include <ATen/ops/gelu.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/tanh.h>

namespace tr::nn {
namespace {

Activations make_activations() {
  Activations table("activation");
  const auto add = [&table](const char* name, const char* description, const char* source,
                            ElementwiseActivation::Function function) {
    table.add<config::NoOptions>(name, description, source, [function](const config::NoOptions&) {
      return std::make_shared<ElementwiseActivation>(function);
    });
  };
  add("relu", "max(0, x)", "Nair and Hinton 2010", [](const torch::Tensor& x) { return at::relu(x); });
  add("gelu", "x times the normal distribution function at x", "Hendrycks and Gimpel 2016, section 2",
      [](const torch::Tensor& x) { return at::gelu(x); });
  add("gelu_tanh", "gelu by its tanh approximation", "Hendrycks and Gimpel 2016, section 2",
      [](const torch::Tensor& x) { return at::gelu(x, "tanh"); });
  add("swish", "x sigmoid(x)", "Ramachandran et al. 2017, section 3",
      [](const torch::Tensor& x) { return at::silu(x); });
  add("tanh", "hyperbolic tangent", "", [](const torch::Tensor& x) { return at::tanh(x); });
  return table;
}

}  // namespace

Activations& activations() {
  static Activations table = make_activations();
  return table;
}

}  // namespace tr::nn
