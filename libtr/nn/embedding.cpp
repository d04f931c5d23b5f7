#include "libtr/nn/embedding.h"

#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <cmath>

namespace tr::nn {

EmbeddingImpl::EmbeddingImpl(int64_t vocab, int64_t width)
    : weight(register_parameter("weight", at::empty({vocab, width}))) {}

torch::Tensor EmbeddingImpl::forward(const torch::Tensor& ids) {
  // Not index(): its gradient adds with atomics, in any order.
  return at::embedding(weight, ids);
}

void EmbeddingImpl::initialize(const Initialization&) {
  weight.detach().normal_(0.0, std::pow(static_cast<double>(weight.size(1)), -0.5));
}

VocabularyLayersImpl::VocabularyLayersImpl(const VocabularyLayersOptions& options) : options_(options) {
  if (options.tying == Tying::all) {
    source_ = target_ = register_module("shared", Embedding(options.source_vocab, options.width));
  } else {
    source_ = register_module("source", Embedding(options.source_vocab, options.width));
    target_ = register_module("target", Embedding(options.target_vocab, options.width));
  }
  if (options.tying == Tying::none) {
    output_weight_ = register_parameter("output_weight", at::empty({options.target_vocab, options.output_width}));
  }
  if (options.output_bias) output_bias_ = register_parameter("output_bias", at::zeros({options.target_vocab}));
}

torch::Tensor VocabularyLayersImpl::source(const torch::Tensor& ids) { return scaled(source_(ids)); }

torch::Tensor VocabularyLayersImpl::target(const torch::Tensor& ids) {
  const auto vectors = scaled(target_(ids));
  if (options_.zero_id < 0) return vectors;
  return vectors.masked_fill((ids == options_.zero_id).unsqueeze(-1), 0.0);
}

OutputLayer VocabularyLayersImpl::output() const {
  return {output_weight_.defined() ? output_weight_ : target_->weight, output_bias_};
}

void VocabularyLayersImpl::initialize(const Initialization& scheme) {
  if (output_weight_.defined()) scheme.draw(output_weight_.detach());
  if (output_bias_.defined()) output_bias_.detach().zero_();
}

torch::Tensor VocabularyLayersImpl::scaled(const torch::Tensor& vectors) const {
  return options_.scale ? vectors * std::sqrt(static_cast<double>(options_.width)) : vectors;
}

}  // namespace tr::nn
