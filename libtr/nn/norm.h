// Normalisation over features, as a table: Ba et al. 2016, "Layer normalization"; Zhang and Sennrich 2019, "Root mean
// square layer normalization".
#pragma once

#include <torch/nn/module.h>

#include <memory>

#include "libtr/config/registry.h"

namespace tr::nn {

class Norm : public torch::nn::Module {
 public:
  /// x [..., width] -> the same shape
  virtual torch::Tensor forward(const torch::Tensor& x) = 0;
};

using Norms = config::Registry<std::shared_ptr<Norm>, int64_t>;
/// layer_norm, rms_norm, none; made from the width. Open to more: norms().add(…).
Norms& norms();

}  // namespace tr::nn
