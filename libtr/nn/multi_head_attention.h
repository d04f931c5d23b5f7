// Multi-head attention: Vaswani et al. 2017, "Attention is all you need", section 3.2.2. Projections of one input are
// one product: queries, keys and values of self-attention, keys and values of attention over the source.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "libtr/nn/attention.h"
#include "libtr/nn/linear.h"

namespace tr::nn {

struct MultiHeadAttentionOptions {
  int64_t d_model = 512;
  int64_t heads = 8;     ///< divides d_model; d_head = d_model / heads
  double dropout = 0.0;  ///< of attention weights
};

/// Where one decoding step writes and how far it reads in caches [rows, heads, capacity, d_head].
struct CachePlace {
  /// position [rows] int64: the position of each row's new token
  explicit CachePlace(const torch::Tensor& position);

  torch::Tensor position;  ///< [rows]
  int64_t length = 0;      ///< positions that any row has, the new one counted
  torch::Tensor mask;      ///< [rows, 1, 1, length] bool; undefined where all rows stand at the same position
};

/// Keys and values of earlier positions, [rows, heads, capacity, d_head] each.
struct KeyValueCache {
  torch::Tensor keys, values;
};

/// A sequence attends to itself.
class SelfAttentionImpl : public torch::nn::Module {
 public:
  explicit SelfAttentionImpl(const MultiHeadAttentionOptions& options);

  /// x [batch, time, d_model] -> the same shape
  torch::Tensor forward(const torch::Tensor& x, const Visible& visible, const Noise& noise);
  /// One position more: x [rows, d_model] -> the same shape. Writes into the cache's tensors.
  torch::Tensor step(const torch::Tensor& x, const KeyValueCache& cache, const CachePlace& place);
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

  /// source [batch, source_time, d_model], lengths [batch] int64 or undefined
  Memory memory(const torch::Tensor& source, const torch::Tensor& lengths);
  /// x [batch, query_time, d_model] -> output of the same shape, weights [batch, heads, query_time, source_time]
  Attended forward(const torch::Tensor& x, const Memory& memory, const Noise& noise);
  /// Multiply-adds for one pair of sequences.
  double multiply_adds(int64_t queries, int64_t source_tokens) const;

 private:
  int64_t d_model_, heads_;
  Linear query_, key_value_, output_;
  Dropout dropout_;
};
TORCH_MODULE(CrossAttention);

}  // namespace tr::nn
