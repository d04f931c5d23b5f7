// Softmax, cross-entropy and its gradient in the logits, one row at a time and in place.
#pragma once

#include <cstdint>

namespace tr::kernels {

/// The distribution that a row is compared with: `target` for the right class, `other` for each other one;
/// target + (vocab - 1) other = 1.
struct TargetWeights {
  double target = 1;
  double other = 0;
};

/// What cross-entropy says of one row, in nats.
struct RowLoss {
  double loss = 0;       ///< -sum of weight * log-probability
  double nll = 0;        ///< -log-probability of the target
  bool correct = false;  ///< no other class scores higher, and none before the target as high
};

/// bfloat16 as the bits that it is stored in.
using BFloat16Bits = uint16_t;

/// Loss of logits [vocab]; `target` < vocab. Not finite if a logit is not.
RowLoss softmax_loss(const float* logits, int64_t vocab, int64_t target, TargetWeights weights);
RowLoss softmax_loss(const BFloat16Bits* logits, int64_t vocab, int64_t target, TargetWeights weights);
/// The same, and overwrites the logits with the gradient of the loss: softmax - weights.
RowLoss softmax_gradient(float* logits, int64_t vocab, int64_t target, TargetWeights weights);
RowLoss softmax_gradient(BFloat16Bits* logits, int64_t vocab, int64_t target, TargetWeights weights);

/// Plain reference in double; `gradient` [vocab] receives softmax - weights.
RowLoss softmax_gradient_reference(const double* logits, int64_t vocab, int64_t target, TargetWeights weights,
                                   double* gradient);

}  // namespace tr::kernels
