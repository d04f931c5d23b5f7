// The projection of hidden states onto the vocabulary.
#pragma once

#include <torch/types.h>

namespace tr::nn {

/// Views of a model's parameters: loss and search decide how many rows they project, and how.
struct OutputLayer {
  torch::Tensor weight;  ///< [vocab, output width]; the embedding itself where they are tied
  torch::Tensor bias;    ///< [vocab], or undefined

  int64_t vocab() const { return weight.size(0); }
  /// hidden [..., output width] -> logits [..., vocab]
  torch::Tensor logits(const torch::Tensor& hidden) const;
};

}  // namespace tr::nn
