// Residual connection around a sub-layer: after it the norm (Vaswani et al. 2017, section 5.4), or before it (Wang et
// al. 2019, "Learning deep Transformer models for machine translation", section 2.1).
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <functional>
#include <utility>
#include <vector>

#include "libtr/nn/dropout.h"
#include "libtr/nn/norm.h"

namespace tr::nn {

enum class NormPlacement {
  pre,   ///< x + dropout(sublayer(norm(x)))
  post,  ///< norm(x + dropout(sublayer(x)))
};
inline auto names_of(NormPlacement) {
  return std::vector<std::pair<NormPlacement, const char*>>{{NormPlacement::pre, "pre"}, {NormPlacement::post, "post"}};
}

struct ResidualOptions {
  int64_t d_model = 512;
  NormPlacement norm_placement = NormPlacement::pre;
  config::Choice<norms> norm{"layer_norm"};
  double dropout = 0.0;  ///< of the sub-layer's output
};

class ResidualImpl : public torch::nn::Module {
 public:
  using Sublayer = std::function<torch::Tensor(const torch::Tensor&)>;
  explicit ResidualImpl(const ResidualOptions& options);

  /// x [batch, time, d_model] -> the same shape, as `sublayer` must keep it; in evaluation [rows, d_model] as well.
  torch::Tensor forward(const torch::Tensor& x, const Noise& noise, const Sublayer& sublayer);

 private:
  NormPlacement norm_placement_;
  std::shared_ptr<Norm> norm_;
  Dropout dropout_;
};
TORCH_MODULE(Residual);

}  // namespace tr::nn
