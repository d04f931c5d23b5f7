#include "libtr/nn/residual.h"

namespace tr::nn {

ResidualImpl::ResidualImpl(const ResidualOptions& options)
    : norm_placement_(options.norm_placement),
      norm_(register_module("norm", options.norm.make(options.d_model))),
      dropout_(register_module("dropout", Dropout(options.dropout))) {}

torch::Tensor ResidualImpl::forward(const torch::Tensor& x, const Noise& noise, const Sublayer& sublayer) {
  if (norm_placement_ == NormPlacement::pre) return x + dropout_(sublayer(norm_->forward(x)), noise);
  return norm_->forward(x + dropout_(sublayer(x), noise));
}

}  // namespace tr::nn
