// Attention scores of recurrent decoders: Luong et al. 2015, "Effective approaches to attention-based neural machine
// translation", section 3.1 (dot, general); Bahdanau et al. 2015, "Neural machine translation by jointly learning to
// align and translate", appendix A.1.2 (additive); Vaswani et al. 2017, section 3.2.1 (scaled dot).
#pragma once

#include <torch/nn/module.h>
#include <torch/types.h>

#include <memory>

#include "libtr/config/registry.h"

namespace tr::nn {

struct ScoreWidths {
  int64_t d_query = 0;   ///< of a decoder state s
  int64_t d_memory = 0;  ///< of an encoded source position h
};

/// How well a decoder state matches each source position. Whatever depends on the source alone is in the keys, which
/// are made once a sentence.
class AttentionScore : public torch::nn::Module {
 public:
  /// memory [batch, source_time, d_memory] -> keys [batch, source_time, width]
  virtual torch::Tensor keys(const torch::Tensor& memory) = 0;
  /// query [batch, query_time, d_query], keys [batch, source_time, width] -> scores [batch, query_time, source_time]
  virtual torch::Tensor scores(const torch::Tensor& query, const torch::Tensor& keys) = 0;
  /// Multiply-adds of the keys of one source position, of the part of the scores that one query costs whatever the
  /// source is, and of one pair of query and source position.
  struct Cost {
    double key = 0, query = 0, pair = 0;
  };
  virtual Cost multiply_adds() const = 0;
};

using AttentionScores = config::Registry<std::shared_ptr<AttentionScore>, const ScoreWidths&>;
/// dot, scaled_dot (both need d_query = d_memory, else UsageError), general, additive; open to more.
AttentionScores& attention_scores();

}  // namespace tr::nn
