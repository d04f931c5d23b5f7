#include "libtr/nn/linear.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include "libtr/nn/product.h"

namespace tr::nn {

LinearImpl::LinearImpl(const LinearOptions& options)
    : weight(register_parameter("weight", at::empty({options.outputs, options.inputs}))), parts_(options.parts) {
  if (options.bias) bias = register_parameter("bias", at::zeros({options.outputs}));
}

torch::Tensor LinearImpl::forward(const torch::Tensor& x) { return linear(x, weight, bias); }

void LinearImpl::initialize(const Initialization& scheme) {
  for (const auto& matrix : weight.detach().chunk(parts_, 0)) scheme.draw(matrix);
  if (bias.defined()) bias.detach().zero_();
}

}  // namespace tr::nn
