// Weights that stay as they are for a while: packed once for all products.
#pragma once

#include <torch/types.h>

#include <memory>

#include "libtr/kernels/product.h"

namespace tr::nn {

/// While one lives, parameters must not change, and linear() keeps what it packed of them for its products without
/// gradients: thousands of decoding steps read the same weights. For all threads; several may live at once.
class ConstantWeights {
 public:
  ConstantWeights();
  ~ConstantWeights();
  ConstantWeights(const ConstantWeights&) = delete;
  ConstantWeights& operator=(const ConstantWeights&) = delete;
};

/// Whether what is packed of `weight` may be kept: a parameter, and a ConstantWeights lives.
bool is_constant(const torch::Tensor& weight);

/// Contiguous weight [outputs, inputs] as the right operand of x weight^T; made at the first call for a constant one.
std::shared_ptr<const kernels::PackedMatrix> packed_weight(const torch::Tensor& weight,
                                                           kernels::ProductPrecision precision);

}  // namespace tr::nn
