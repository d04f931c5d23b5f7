#include "libtr/nn/linear.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/zeros.h>

namespace tr::nn {

LinearImpl::LinearImpl(const LinearOptions& options)
    : weight(register_parameter("weight", at::empty({options.outputs, options.inputs}))), parts_(options.parts) {
  if (options.bias) bias = register_parameter("bias", at::zeros({options.outputs}));
}

torch::Tensor LinearImpl::forward(const torch::Tensor& x) {
  if (x.dim() == 2) return at::linear(x, weight, bias);
  auto shape = x.sizes().vec();
  shape.back() = weight.size(0);
  return at::linear(x.reshape({-1, weight.size(1)}), weight, bias).view(shape);
}

void LinearImpl::initialize(const Initialization& scheme) {
  for (const auto& matrix : weight.detach().chunk(parts_, 0)) scheme.draw(matrix);
  if (bias.defined()) bias.detach().zero_();
}

}  // namespace tr::nn
