#include "libtr/nn/output_layer.h"

#include "libtr/nn/product.h"

namespace tr::nn {

torch::Tensor OutputLayer::logits(const torch::Tensor& hidden) const { return linear(hidden, weight, bias); }

}  // namespace tr::nn
