#include "libtr/nn/multi_head_attention.h"

#include <ATen/ops/stack.h>

#include <vector>

#include "libtr/nn/fused_attention.h"

namespace tr::nn {
namespace {

/// x [batch, time, parts * heads * d_head] -> parts times [batch, heads, time, d_head], with one copy for all.
std::vector<torch::Tensor> split_heads(const torch::Tensor& x, int64_t parts, int64_t heads) {
  return x.view({x.size(0), x.size(1), parts, heads, -1}).permute({2, 0, 3, 1, 4}).contiguous().unbind(0);
}

/// [batch, heads, time, d_head] -> [batch, time, heads * d_head]
torch::Tensor join_heads(const torch::Tensor& x) { return x.transpose(1, 2).flatten(2); }

}  // namespace

SelfAttentionImpl::SelfAttentionImpl(const MultiHeadAttentionOptions& options)
    : d_model_(options.d_model),
      heads_(options.heads),
      query_key_value_(register_module("query_key_value", Linear(LinearOptions{d_model_, 3 * d_model_, /*parts=*/3}))),
      output_(register_module("output", Linear(LinearOptions{d_model_, d_model_}))),
      dropout_(register_module("dropout", Dropout(options.dropout))) {}

torch::Tensor SelfAttentionImpl::forward(const torch::Tensor& x, const Visible& visible, const Noise& noise) {
  const auto projected = query_key_value_(x);  // [batch, time, 3 d_model]
  if (fused_attention_serves(projected, d_model_ / heads_)) {
    return output_(fused_attention({projected, {}, visible, heads_}, dropout_, noise).output);
  }
  const auto parts = split_heads(projected, 3, heads_);
  const auto mask = visible.mask(x.size(1), x.device());
  const auto attended = scaled_dot_product({parts[0], parts[1], parts[2], mask}, dropout_, noise);
  return output_(join_heads(attended.output));
}

torch::Tensor SelfAttentionImpl::step(const torch::Tensor& x, const KeyValueSlots& seen, int64_t first_slot) {
  const auto projected = query_key_value_(x);  // [rows, 3 d_model]
  seen.key_value.narrow(0, first_slot, x.size(0)).copy_(projected.narrow(1, d_model_, 2 * d_model_));
  return output_(slot_attention(projected.narrow(1, 0, d_model_), seen, heads_).output);
}

double SelfAttentionImpl::multiply_adds(int64_t tokens) const {
  const auto n = static_cast<double>(tokens);
  return n * (query_key_value_->multiply_adds() + output_->multiply_adds()) + 2 * n * n * static_cast<double>(d_model_);
}

CrossAttentionImpl::CrossAttentionImpl(const MultiHeadAttentionOptions& options)
    : d_model_(options.d_model),
      heads_(options.heads),
      query_(register_module("query", Linear(LinearOptions{d_model_, d_model_}))),
      key_value_(register_module("key_value", Linear(LinearOptions{d_model_, 2 * d_model_, /*parts=*/2}))),
      output_(register_module("output", Linear(LinearOptions{d_model_, d_model_}))),
      dropout_(register_module("dropout", Dropout(options.dropout))) {}

torch::Tensor CrossAttentionImpl::key_value(const torch::Tensor& source) {
  const auto projected = key_value_(source);
  return projected.scalar_type() == at::kBFloat16 ? projected.to(at::kFloat) : projected;
}

Memory CrossAttentionImpl::memory(const torch::Tensor& source, const torch::Tensor& lengths) {
  const auto projected = key_value_(source);  // [batch, source_time, 2 d_model]
  if (fused_attention_serves(projected, d_model_ / heads_)) return {projected.to(at::kFloat), lengths};
  return {at::stack(split_heads(projected, 2, heads_), 1), lengths};
}

Attended CrossAttentionImpl::forward(const torch::Tensor& x, const Memory& memory, const Noise& noise) {
  const auto projected = query_(x);  // [batch, query_time, d_model]
  const Visible visible{memory.lengths};
  if (fused_attention_serves(projected, d_model_ / heads_)) {
    const auto attended = fused_attention({projected, memory.key_value, visible, heads_}, dropout_, noise);
    return {output_(attended.output), attended.weights};
  }
  const auto query = split_heads(projected, 1, heads_).front();
  const auto parts = memory.key_value.unbind(1);
  const auto mask = visible.mask(parts[0].size(2), x.device());
  const auto attended = scaled_dot_product({query, parts[0], parts[1], mask}, dropout_, noise);
  return {output_(join_heads(attended.output)), attended.weights};
}

Attended CrossAttentionImpl::step(const torch::Tensor& x, const KeyValueSlots& seen) {
  const auto attended = slot_attention(query_(x), seen, heads_);
  return {output_(attended.output), attended.weights};
}

double CrossAttentionImpl::multiply_adds(int64_t queries, int64_t source_tokens) const {
  const auto t = static_cast<double>(queries), s = static_cast<double>(source_tokens);
  return t * (query_->multiply_adds() + output_->multiply_adds()) + s * key_value_->multiply_adds() +
         2 * t * s * static_cast<double>(d_model_);
}

}  // namespace tr::nn
