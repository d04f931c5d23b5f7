// Products of linear layers on a CPU by kernels/product.h. Their plain twin is at::linear.
#pragma once

#include <torch/types.h>

#include <optional>

#include "libtr/kernels/product.h"

namespace tr::nn {

/// The precision in which the kernels multiply x [rows, width] with weights: bfloat16 under
/// autocast, else float32; none if LibTorch has to do it: another device or type, fast paths off, an old processor.
std::optional<kernels::ProductPrecision> product_precision(const torch::Tensor& x);

/// For fewer rows packing the weights costs more than the product.
constexpr int64_t kFewestRowsToPack = 16;

/// product() of kernels/product.h with the rows shared out among the threads.
void shared_product(int64_t rows, const kernels::MatrixView& left, const kernels::PackedMatrix& right,
                    const kernels::ProductResult& result);

/// A float32 matrix [rows, columns] with contiguous rows.
kernels::MatrixView view_of(const torch::Tensor& matrix);

/// y = x weight^T + bias: x [..., inputs], weight [outputs, inputs], bias [outputs] or undefined -> [..., outputs].
/// Under autocast the products are bfloat16; the kernels then keep x and y in float32. LibTorch multiplies fewer than
/// kFewestRowsToPack rows, unless what is packed is kept (constant_weights.h). Differentiable once.
torch::Tensor linear(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias);

}  // namespace tr::nn
