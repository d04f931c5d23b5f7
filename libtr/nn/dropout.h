// Dropout by counter: Srivastava et al. 2014, "Dropout: a simple way to prevent neural networks from overfitting";
// shared over time (variational): Gal and Ghahramani 2016, "A theoretically grounded application of dropout in
// recurrent neural networks".
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "libtr/nn/noise.h"

namespace tr::nn {

/// Zeroes elements with probability `rate` and scales the others by 1 / (1 - rate), in training mode alone.
class DropoutImpl : public torch::nn::Module {
 public:
  explicit DropoutImpl(double rate = 0.0);

  /// x [batch, time, features…]; a mask of its own for each position. Returns the shape of x.
  torch::Tensor forward(const torch::Tensor& x, const Noise& noise);
  /// weights [batch, heads, query_time, key_time]; noise.first_position is that of the first query.
  torch::Tensor attention(const torch::Tensor& weights, const Noise& noise);
  /// The keys of that mask's rows for kernels that drop weights themselves: [batch * heads * query_time] int64;
  /// undefined where nothing is dropped.
  torch::Tensor attention_keys(const Noise& noise, int64_t query_time, int64_t heads) const;
  /// x [batch, time, features] or [batch, features]: one mask for all positions (variational dropout).
  torch::Tensor same_for_all_positions(const torch::Tensor& x, const Noise& noise);

  double rate() const { return rate_; }
  void set_site(uint64_t site) { site_ = site; }

 private:
  double rate_;
  uint64_t site_ = 0;
};
TORCH_MODULE(Dropout);

/// Gives every dropout below `root` a site of its own, from its name in the tree. To be called once by each model's
/// constructor, after all parts are registered.
void number_dropout_sites(torch::nn::Module& root);

}  // namespace tr::nn
