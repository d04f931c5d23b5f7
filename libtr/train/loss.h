// Cross-entropy of an output layer, with label smoothing: Szegedy et al. 2016, "Rethinking the Inception Architecture
// for Computer Vision", section 7.
#pragma once

#include <torch/types.h>

#include "libtr/nn/output_layer.h"
#include "libtr/train/options.h"

namespace tr::train {

struct LossOptions {
  double label_smoothing = 0;
  SmoothingOver over = SmoothingOver::others;
  int64_t chunk_rows = 256;  ///< rows that are projected at once; settles memory, and the last bits
};

/// Sums over all target tokens: whoever has all parts of an update divides them once.
struct LossSums {
  torch::Tensor loss;     ///< float64 scalar, differentiable: smoothed loss in nats
  torch::Tensor nll;      ///< float64 scalar: without smoothing
  torch::Tensor correct;  ///< int64 scalar: tokens that the model finds most probable
};

/// hidden [target_tokens, width], target [target_tokens] int64 in 0 … vocab-1.
/// Projection, softmax, loss and both backward products happen chunk by chunk, so [target_tokens, vocab] never exists;
/// backward() merely scales. Under autocast the products are bfloat16, softmax and sums float32. Without gradients
/// (NoGradGuard) the backward products are left out. Differentiable once.
LossSums cross_entropy(const torch::Tensor& hidden, const nn::OutputLayer& output, const torch::Tensor& target,
                       const LossOptions& options);

/// The same by stock operations on all logits at once: the plain twin.
LossSums plain_cross_entropy(const torch::Tensor& hidden, const nn::OutputLayer& output, const torch::Tensor& target,
                             const LossOptions& options);

}  // namespace tr::train
