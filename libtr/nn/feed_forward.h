// Position-wise feed-forward network: Vaswani et al. 2017, "Attention is all you need", section 3.3.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "libtr/nn/activation.h"
#include "libtr/nn/dropout.h"
#include "libtr/nn/linear.h"

namespace tr::nn {

struct FeedForwardOptions {
  int64_t d_model = 512;
  int64_t d_hidden = 2048;
  config::Choice<activations> activation{"relu"};
  double dropout = 0.0;  ///< of the hidden layer
};

/// activation(x W_1 + b_1) W_2 + b_2
class FeedForwardImpl : public torch::nn::Module {
 public:
  explicit FeedForwardImpl(const FeedForwardOptions& options);

  /// x [batch, time, d_model] -> the same shape
  torch::Tensor forward(const torch::Tensor& x, const Noise& noise);
  /// Multiply-adds for one position.
  double multiply_adds() const { return inner_->multiply_adds() + outer_->multiply_adds(); }

 private:
  Linear inner_, outer_;
  std::shared_ptr<Activation> activation_;
  Dropout dropout_;
};
TORCH_MODULE(FeedForward);

}  // namespace tr::nn
