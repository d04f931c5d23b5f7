// Affine projection y = x W^T + b; several projections of one input may be stacked into a single product.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "libtr/nn/initialization.h"

namespace tr::nn {

struct LinearOptions {
  int64_t inputs = 0;
  int64_t outputs = 0;  ///< all parts together
  int64_t parts = 1;    ///< matrices stacked along the outputs, each initialised as a matrix of its own
  bool bias = true;
};

class LinearImpl : public torch::nn::Module, public Initializable {
 public:
  explicit LinearImpl(const LinearOptions& options);

  /// x [..., inputs] -> [..., outputs]
  torch::Tensor forward(const torch::Tensor& x);
  void initialize(const Initialization& scheme) override;
  /// Multiply-adds for one row of x.
  double multiply_adds() const { return static_cast<double>(weight.numel()); }

  torch::Tensor weight;  ///< [outputs, inputs]
  torch::Tensor bias;    ///< [outputs], or undefined

 private:
  int64_t parts_;
};
TORCH_MODULE(Linear);

}  // namespace tr::nn
