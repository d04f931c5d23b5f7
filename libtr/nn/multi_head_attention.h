// Multi-head attention: Vaswani et al. 2017, "Attention is all you need", section 3.2.2. Projections of one input are
// one product: queries, keys and values of self-attention, keys and values of attention over the source.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "libtr/nn/attention.h"
#include "libtr/nn/linear.h"
#include "libtr/nn/slot_attention.h"

namespace tr::nn {

struct MultiHeadAttentionOptions {
  int64_t d_model = 512;
  int64_t heads = 8;     ///< divides d_model; d_head = d_model / heads
  double dropout = 0.0;  ///< of attention weights
};

/// A sequence attends to itself.
class SelfAttentionImpl : public torch::nn::Module {
 public:
  explicit SelfAttentionImpl(const MultiHeadAttentionOptions& options);

  /// x [batch, time, d_model] -> the same shape
  torch::Tensor forward(const torch::Tensor& x, const Visible& visible, const Noise& noise);
  /// One position more: x [rows, d_model] -> the same shape. Row i's key and value are written into slot
  /// `first_slot` + i, which is its last place in `seen`.
  torch::Tensor step(const torch::Tensor& x, const KeyValueSlots& seen, int64_t first_slot);
  /// Multiply-adds for one sequence.
  double multiply_adds(int64_t tokens) const;

 private:
  int64_t d_model_, heads_;
  Linear query_key_value_, output_;
  Dropout dropout_;
};
TORCH_MODULE(SelfAttention);

/// What a decoder layer attends to: the source's keys and values, as the path that reads them wants them.
struct Memory {
  torch::Tensor
      key_value;  ///< fused: [sentences, source_time, 2 d_model]; plain: [sentences, 2, heads, source_time, d_head]
  torch::Tensor lengths;  ///< [sentences] int64, or undefined: no padding
};

/// One sequence attends to another.
class CrossAttentionImpl : public torch::nn::Module {
 public:
  explicit CrossAttentionImpl(const MultiHeadAttentionOptions& options);

  /// source [batch, source_time, d_model] -> [batch, source_time, 2 d_model], float32 at least
  torch::Tensor key_value(const torch::Tensor& source);
  /// source [batch, source_time, d_model], lengths [batch] int64 or undefined
  Memory memory(const torch::Tensor& source, const torch::Tensor& lengths);
  /// x [batch, query_time, d_model] -> output of the same shape, weights [batch, heads, query_time, source_time]
  Attended forward(const torch::Tensor& x, const Memory& memory, const Noise& noise);
  /// x [rows, d_model] -> output of the same shape, weights as of slot_attention(). `seen` holds key_value() of
  /// sources.
  Attended step(const torch::Tensor& x, const KeyValueSlots& seen);
  /// Multiply-adds for one pair of sequences.
  double multiply_adds(int64_t queries, int64_t source_tokens) const;

 private:
  int64_t d_model_, heads_;
  Linear query_, key_value_, output_;
  Dropout dropout_;
};
TORCH_MODULE(CrossAttention);

}  // namespace tr::nn
