#include "libtr/nn/attention.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>

#include <cmath>
#include <limits>

namespace tr::nn {

torch::Tensor Visible::mask(int64_t key_time, const torch::Device& device) const {
  // Padding stands later than any real query, so the causal mask alone hides it.
  if (causal) return at::ones({key_time, key_time}, at::device(device).dtype(at::kBool)).tril();
  if (!key_lengths.defined()) return {};
  const auto place = at::arange(key_time, key_lengths.options());
  return (place < key_lengths.unsqueeze(1)).view({-1, 1, 1, key_time});
}

torch::Tensor attention_weights(const torch::Tensor& scores, const torch::Tensor& mask) {
  const auto wide = scores.scalar_type() == at::kDouble ? scores : scores.to(at::kFloat);
  if (!mask.defined()) return at::softmax(wide, -1);
  const auto forbidden = mask.logical_not();
  // The lowest number, not minus infinity: a row without any key stays finite, in its gradient too.
  const auto weights = at::softmax(wide.masked_fill(forbidden, std::numeric_limits<float>::lowest()), -1);
  return weights.masked_fill(forbidden, 0.0);
}

Attended scaled_dot_product(const AttentionInputs& inputs, Dropout& dropout, const Noise& noise) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(inputs.query.size(-1)));
  const auto scores = at::matmul(inputs.query * scale, inputs.key.transpose(-2, -1));
  const auto weights = dropout->attention(attention_weights(scores, inputs.mask), noise);
  return {at::matmul(weights, inputs.value), weights};
}

}  // namespace tr::nn
