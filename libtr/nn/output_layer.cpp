#include "libtr/nn/output_layer.h"

#include <ATen/ops/linear.h>

namespace tr::nn {

torch::Tensor OutputLayer::logits(const torch::Tensor& hidden) const { return at::linear(hidden, weight, bias); }

}  // namespace tr::nn
