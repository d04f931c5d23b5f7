// Scaled dot-product attention: Vaswani et al. 2017, "Attention is all you need", section 3.2.1.
#pragma once

#include <torch/types.h>

#include "libtr/nn/dropout.h"

namespace tr::nn {

/// What attention gives: values averaged, and the weights of the average.
struct Attended {
  torch::Tensor output;
  torch::Tensor weights;  ///< [batch, heads, query_time, key_time]; in training fast paths leave dropout out of them
};

/// Which keys a query may attend to: the real ones, which stand before the padding, and with `causal` none after the
/// query's own place. Queries that are padding themselves may get anything.
struct Visible {
  torch::Tensor key_lengths;  ///< [batch] int64; undefined: no padding
  bool causal = false;        ///< queries and keys are the same sequence

  /// The mask that attention_weights() reads.
  torch::Tensor mask(int64_t key_time, const torch::Device& device) const;
};

/// Weights from scores [batch, heads, query_time, key_time]: softmax over the keys that `mask` allows, exactly 0
/// elsewhere; a query that may attend to nothing has all weights 0. mask: bool, broadcastable to the scores' shape,
/// true = may attend; undefined = all may. Computed in float32 at least.
torch::Tensor attention_weights(const torch::Tensor& scores, const torch::Tensor& mask);

/// Queries, keys and values of a batch, each [batch, heads, time, d_head]; keys and values have key_time.
struct AttentionInputs {
  torch::Tensor query, key, value;
  torch::Tensor mask;  ///< as of attention_weights
};

/// softmax(query key^T / sqrt(d_head)) value -> output [batch, heads, query_time, d_head]. `dropout` acts on weights.
Attended scaled_dot_product(const AttentionInputs& inputs, Dropout& dropout, const Noise& noise);

}  // namespace tr::nn
