#include "libtr/nn/transformer_layer.h"

#include <string>

namespace tr::nn {
namespace {

/// Sub-modules "layer_0", "layer_1", …
template <class Layer>
std::vector<Layer> register_layers(torch::nn::Module& stack, const TransformerStackOptions& options) {
  std::vector<Layer> layers;
  for (int64_t i = 0; i < options.layers; ++i) {
    layers.push_back(stack.register_module("layer_" + std::to_string(i), Layer(options.layer)));
  }
  return layers;
}

config::Choice<norms> final_norm(const TransformerStackOptions& options) {
  return options.final_norm ? options.layer.residual.norm : config::Choice<norms>("none");
}

}  // namespace

EncoderLayerImpl::EncoderLayerImpl(const TransformerLayerOptions& options)
    : self_attention_(register_module("self_attention", SelfAttention(options.attention))),
      feed_forward_(register_module("feed_forward", FeedForward(options.feed_forward))),
      around_self_attention_(register_module("around_self_attention", Residual(options.residual))),
      around_feed_forward_(register_module("around_feed_forward", Residual(options.residual))) {}

torch::Tensor EncoderLayerImpl::forward(const torch::Tensor& x, const Visible& visible, const Noise& noise) {
  const auto attended = around_self_attention_(
      x, noise, [&](const torch::Tensor& input) { return self_attention_(input, visible, noise); });
  return around_feed_forward_(attended, noise, [&](const torch::Tensor& input) { return feed_forward_(input, noise); });
}

double EncoderLayerImpl::multiply_adds(int64_t tokens) const {
  return self_attention_->multiply_adds(tokens) + static_cast<double>(tokens) * feed_forward_->multiply_adds();
}

DecoderLayerImpl::DecoderLayerImpl(const TransformerLayerOptions& options)
    : self_attention_(register_module("self_attention", SelfAttention(options.attention))),
      cross_attention_(register_module("cross_attention", CrossAttention(options.attention))),
      feed_forward_(register_module("feed_forward", FeedForward(options.feed_forward))),
      around_self_attention_(register_module("around_self_attention", Residual(options.residual))),
      around_cross_attention_(register_module("around_cross_attention", Residual(options.residual))),
      around_feed_forward_(register_module("around_feed_forward", Residual(options.residual))) {}

Attended DecoderLayerImpl::forward(const torch::Tensor& x, const Memory& memory, const Visible& earlier,
                                   const Noise& noise) {
  torch::Tensor weights;
  auto y = around_self_attention_(x, noise,
                                  [&](const torch::Tensor& input) { return self_attention_(input, earlier, noise); });
  y = around_cross_attention_(y, noise, [&](const torch::Tensor& input) {
    const auto attended = cross_attention_(input, memory, noise);
    weights = attended.weights;
    return attended.output;
  });
  y = around_feed_forward_(y, noise, [&](const torch::Tensor& input) { return feed_forward_(input, noise); });
  return {y, weights};
}

Attended DecoderLayerImpl::step(const torch::Tensor& x, const KeyValueSlots& source, const KeyValueSlots& earlier,
                                int64_t first_slot) {
  torch::Tensor weights;
  const Noise none;
  auto y = around_self_attention_(
      x, none, [&](const torch::Tensor& input) { return self_attention_->step(input, earlier, first_slot); });
  y = around_cross_attention_(y, none, [&](const torch::Tensor& input) {
    const auto attended = cross_attention_->step(input, source);
    weights = attended.weights;
    return attended.output;
  });
  y = around_feed_forward_(y, none, [&](const torch::Tensor& input) { return feed_forward_(input, none); });
  return {y, weights};
}

double DecoderLayerImpl::multiply_adds(int64_t source_tokens, int64_t target_tokens) const {
  return self_attention_->multiply_adds(target_tokens) + cross_attention_->multiply_adds(target_tokens, source_tokens) +
         static_cast<double>(target_tokens) * feed_forward_->multiply_adds();
}

TransformerEncoderImpl::TransformerEncoderImpl(const TransformerStackOptions& options)
    : layers_(register_layers<EncoderLayer>(*this, options)),
      final_norm_(register_module("final_norm", final_norm(options).make(options.layer.residual.d_model))) {}

torch::Tensor TransformerEncoderImpl::forward(torch::Tensor x, const torch::Tensor& lengths, const Noise& noise) {
  for (auto& layer : layers_) x = layer(x, Visible{lengths}, noise);
  return final_norm_->forward(x);
}

double TransformerEncoderImpl::multiply_adds(int64_t tokens) const {
  double sum = 0;
  for (const auto& layer : layers_) sum += layer->multiply_adds(tokens);
  return sum;
}

TransformerDecoderImpl::TransformerDecoderImpl(const TransformerStackOptions& options)
    : layers_(register_layers<DecoderLayer>(*this, options)),
      final_norm_(register_module("final_norm", final_norm(options).make(options.layer.residual.d_model))) {}

std::vector<Memory> TransformerDecoderImpl::memories(const torch::Tensor& source, const torch::Tensor& lengths) {
  std::vector<Memory> memories;
  for (auto& layer : layers_) memories.push_back(layer->memory(source, lengths));
  return memories;
}

Decoded TransformerDecoderImpl::forward(const torch::Tensor& x, const torch::Tensor& lengths,
                                        const std::vector<Memory>& memories, const Noise& noise) {
  const Visible earlier{lengths, /*causal=*/true};
  Decoded decoded{x, {}};
  for (size_t i = 0; i < layers_.size(); ++i) {
    const auto attended = layers_[i](decoded.hidden, memories[i], earlier, noise);
    decoded.hidden = attended.output;
    decoded.weights.push_back(attended.weights);
  }
  decoded.hidden = final_norm_->forward(decoded.hidden);
  return decoded;
}

std::vector<torch::Tensor> TransformerDecoderImpl::key_values(const torch::Tensor& source) {
  std::vector<torch::Tensor> all;
  for (auto& layer : layers_) all.push_back(layer->key_value(source));
  return all;
}

Decoded TransformerDecoderImpl::step(const torch::Tensor& x, const std::vector<KeyValueSlots>& source,
                                     const std::vector<KeyValueSlots>& earlier, int64_t first_slot) {
  Decoded decoded{x, {}};
  for (size_t i = 0; i < layers_.size(); ++i) {
    const auto attended = layers_[i]->step(decoded.hidden, source[i], earlier[i], first_slot);
    decoded.hidden = attended.output;
    decoded.weights.push_back(attended.weights);
  }
  decoded.hidden = final_norm_->forward(decoded.hidden);
  return decoded;
}

double TransformerDecoderImpl::multiply_adds(int64_t source_tokens, int64_t target_tokens) const {
  double sum = 0;
  for (const auto& layer : layers_) sum += layer->multiply_adds(source_tokens, target_tokens);
  return sum;
}

}  // namespace tr::nn
