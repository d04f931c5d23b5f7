// Activation functions, as a table: Nair and Hinton 2010 (relu); Hendrycks and Gimpel 2016, "Gaussian error linear
// units"; Ramachandran et al. 2017, "Searching for activation functions" (swish).
#pragma once

#include <torch/nn/module.h>

#include <functional>
#include <memory>

#include "libtr/config/registry.h"

namespace tr::nn {

class Activation : public torch::nn::Module {
 public:
  /// x of any shape -> the same shape
  virtual torch::Tensor forward(const torch::Tensor& x) = 0;
};

/// An activation without parameters.
class ElementwiseActivation : public Activation {
 public:
  using Function = std::function<torch::Tensor(const torch::Tensor&)>;
  explicit ElementwiseActivation(Function function) : function_(std::move(function)) {}
  torch::Tensor forward(const torch::Tensor& x) override { return function_(x); }

 private:
  Function function_;
};

using Activations = config::Registry<std::shared_ptr<Activation>>;
/// relu, gelu, gelu_tanh, swish, tanh; open to more: activations().add(…).
Activations& activations();

}  // namespace tr::nn
