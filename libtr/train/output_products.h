// The three products of an output layer, some rows at a time: logits, and the gradients of hidden states and weights.
#pragma once

#include <torch/types.h>

#include <memory>

#include "libtr/nn/output_layer.h"

namespace tr::train {

class OutputProducts {
 public:
  virtual ~OutputProducts() = default;
  /// Logits [rows, vocab] of rows begin … begin+rows-1; valid until the next call.
  virtual torch::Tensor logits(int64_t begin, int64_t rows) = 0;
  /// For the gradient [rows, vocab] of those logits: writes that of the hidden states, adds that of the weights.
  virtual void add_gradient(int64_t begin, const torch::Tensor& of_logits) = 0;

  /// Of all rows that were added: hidden [tokens, width], weight [vocab, width], bias [vocab] or undefined.
  torch::Tensor hidden_gradient, weight_gradient, bias_gradient;
};

/// For hidden [tokens, width], at most `rows` at once, in the precision that autocast asks for: by kernels where they
/// serve, else by LibTorch. `gradient`: whether add_gradient() will be called.
std::unique_ptr<OutputProducts> output_products(const torch::Tensor& hidden, const nn::OutputLayer& output,
                                                int64_t rows, bool gradient);

}  // namespace tr::train
