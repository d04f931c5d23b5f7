#include "libtr/nn/feed_forward.h"

namespace tr::nn {

FeedForwardImpl::FeedForwardImpl(const FeedForwardOptions& options)
    : inner_(register_module("inner", Linear(LinearOptions{options.d_model, options.d_hidden}))),
      outer_(register_module("outer", Linear(LinearOptions{options.d_hidden, options.d_model}))),
      activation_(register_module("activation", options.activation.make())),
      dropout_(register_module("dropout", Dropout(options.dropout))) {}

torch::Tensor FeedForwardImpl::forward(const torch::Tensor& x, const Noise& noise) {
  const auto hidden = activation_->forward(inner_(x));  // [batch, time, d_hidden]
  return outer_(dropout_(hidden, noise));
}

}  // namespace tr::nn
