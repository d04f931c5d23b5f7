// A batch of sentence pairs as padded tensors: the only place that knows about padding, masks and teacher forcing.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "libtr/data/dataset.h"
#include "libtr/nn/noise.h"

namespace tr::models {

/// Sentences padded on the right.
struct Side {
  torch::Tensor ids;         ///< [batch, time] int64; tokenizer::kPad behind the end
  torch::Tensor mask;        ///< [batch, time] bool, true = real token
  torch::Tensor lengths;     ///< [batch] int64, real tokens
  bool any_padding = false;  ///< false: the mask is all true

  int64_t batch() const { return ids.size(0); }
  int64_t time() const { return ids.size(1); }
};

struct Batch {
  Side source;                ///< ends in eos
  Side target;                ///< what the decoder reads: bos, y_1 … y_n; as long as what it has to say
  torch::Tensor target_rows;  ///< [target_tokens] int64: places of real tokens in the flattened [batch * target_time]
  torch::Tensor
      target_output;  ///< [target_tokens] int64: what it has to say: y_1 … y_n, eos; order: sentence, then time
  nn::Noise noise;    ///< for dropout; slots 0 … batch-1 unless the trainer says otherwise

  int64_t sentences() const { return source.batch(); }
  int64_t target_tokens() const { return target_output.size(0); }
  /// Copies on another device.
  Batch to(const torch::Device& device) const;
};

/// Pairs in the order given; both sides of each example end in eos.
Batch make_batch(const std::vector<data::Example>& examples);
/// Sources alone (for a search); the target side is undefined.
Batch make_source_batch(const std::vector<tokenizer::Ids>& sources);

/// x [batch, target_time, width] -> [target_tokens, width], pads dropped.
torch::Tensor drop_pads(const torch::Tensor& x, const Batch& batch);

}  // namespace tr::models
