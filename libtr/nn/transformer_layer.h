// Encoder and decoder layers and their stacks: Vaswani et al. 2017, "Attention is all you need", section 3.1, figure 1.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <vector>

#include "libtr/nn/feed_forward.h"
#include "libtr/nn/multi_head_attention.h"
#include "libtr/nn/residual.h"

namespace tr::nn {

struct TransformerLayerOptions {
  MultiHeadAttentionOptions attention;
  FeedForwardOptions feed_forward;
  ResidualOptions residual;
};
struct TransformerStackOptions {
  int64_t layers = 6;
  bool final_norm = true;  ///< one norm more behind the last layer
  TransformerLayerOptions layer;
};

class EncoderLayerImpl : public torch::nn::Module {
 public:
  explicit EncoderLayerImpl(const TransformerLayerOptions& options);

  /// x [batch, time, d_model] -> the same shape
  torch::Tensor forward(const torch::Tensor& x, const Visible& visible, const Noise& noise);
  double multiply_adds(int64_t tokens) const;

 private:
  SelfAttention self_attention_;
  FeedForward feed_forward_;
  Residual around_self_attention_, around_feed_forward_;
};
TORCH_MODULE(EncoderLayer);

class DecoderLayerImpl : public torch::nn::Module {
 public:
  explicit DecoderLayerImpl(const TransformerLayerOptions& options);

  /// source [batch, source_time, d_model], lengths [batch] int64 or undefined: no padding
  Memory memory(const torch::Tensor& source, const torch::Tensor& lengths) {
    return cross_attention_->memory(source, lengths);
  }
  /// x [batch, time, d_model]; output of x's shape, weights over the source.
  Attended forward(const torch::Tensor& x, const Memory& memory, const Visible& earlier, const Noise& noise);
  /// What step() attends to: source [batch, source_time, d_model] -> [batch, source_time, 2 d_model].
  torch::Tensor key_value(const torch::Tensor& source) { return cross_attention_->key_value(source); }
  /// One position more: x [rows, d_model] -> output of the same shape, weights over the source [rows, heads, 1, most].
  /// `earlier` and `first_slot` as of SelfAttention::step.
  Attended step(const torch::Tensor& x, const KeyValueSlots& source, const KeyValueSlots& earlier, int64_t first_slot);
  double multiply_adds(int64_t source_tokens, int64_t target_tokens) const;

 private:
  SelfAttention self_attention_;
  CrossAttention cross_attention_;
  FeedForward feed_forward_;
  Residual around_self_attention_, around_cross_attention_, around_feed_forward_;
};
TORCH_MODULE(DecoderLayer);

class TransformerEncoderImpl : public torch::nn::Module {
 public:
  explicit TransformerEncoderImpl(const TransformerStackOptions& options);

  /// x [batch, time, d_model] -> the same shape; lengths [batch] int64, or undefined: no padding
  torch::Tensor forward(torch::Tensor x, const torch::Tensor& lengths, const Noise& noise);
  double multiply_adds(int64_t tokens) const;

 private:
  std::vector<EncoderLayer> layers_;
  std::shared_ptr<Norm> final_norm_;
};
TORCH_MODULE(TransformerEncoder);

/// Hidden states, and each layer's attention over the source.
struct Decoded {
  torch::Tensor hidden;
  std::vector<torch::Tensor> weights;
};

class TransformerDecoderImpl : public torch::nn::Module {
 public:
  explicit TransformerDecoderImpl(const TransformerStackOptions& options);

  /// What the layers attend to. source [batch, source_time, d_model], lengths [batch] int64 or undefined.
  std::vector<Memory> memories(const torch::Tensor& source, const torch::Tensor& lengths);
  /// x [batch, time, d_model], lengths [batch] int64 or undefined -> hidden of x's shape; no position sees a later one.
  Decoded forward(const torch::Tensor& x, const torch::Tensor& lengths, const std::vector<Memory>& memories,
                  const Noise& noise);
  /// Each layer's key_value().
  std::vector<torch::Tensor> key_values(const torch::Tensor& source);
  /// As DecoderLayer::step, with slots for each layer.
  Decoded step(const torch::Tensor& x, const std::vector<KeyValueSlots>& source,
               const std::vector<KeyValueSlots>& earlier, int64_t first_slot);
  double multiply_adds(int64_t source_tokens, int64_t target_tokens) const;

 private:
  std::vector<DecoderLayer> layers_;
  std::shared_ptr<Norm> final_norm_;
};
TORCH_MODULE(TransformerDecoder);

}  // namespace tr::nn
