// The fast path of attention on a CPU: one autograd node around kernels/attention.h; its plain twin is
// scaled_dot_product.
#pragma once

#include "libtr/nn/attention.h"

namespace tr::nn {

struct FusedAttentionInputs {
  /// [batch, query_time, d_model]; of self-attention [batch, time, 3 d_model]: query, key and value of each place
  torch::Tensor query;
  torch::Tensor key_value;  ///< [batch, key_time, 2 d_model]; undefined: self-attention
  Visible visible;          ///< for self-attention the lengths are those of the queries too
  int64_t heads = 1;
};

/// Whether the kernel takes them: fast_paths(), on a CPU, float32 or bfloat16, a head as wide as it is made for.
bool fused_attention_serves(const torch::Tensor& query, int64_t d_head);

/// output [batch, query_time, d_model] float32, heads side by side, zeros for padding; weights [batch, heads,
/// query_time, key_time] before dropout, without gradient. Only for what fused_attention_serves().
Attended fused_attention(const FusedAttentionInputs& inputs, Dropout& dropout, const Noise& noise);

}  // namespace tr::nn
