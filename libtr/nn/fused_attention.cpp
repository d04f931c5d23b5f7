#include "libtr/nn/fused_attention.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/record_function.h>
#include <torch/csrc/autograd/custom_function.h>

#include <optional>

#include "libtr/kernels/attention.h"
#include "libtr/nn/fast_paths.h"

namespace tr::nn {
namespace {

using torch::Tensor;

/// The `part`-th of several projections that stand side by side in x [batch, time, parts * d_model].
template <class Element>
kernels::HeadRows<Element> part_of(Element* x, const Tensor& like, int64_t part, int64_t d_model) {
  return {x + part * d_model, like.size(1) * like.size(2), like.size(2)};
}
kernels::HeadRows<const float> read_part(const Tensor& x, int64_t part, int64_t d_model) {
  return part_of(x.const_data_ptr<float>(), x, part, d_model);
}
kernels::HeadRows<float> write_part(Tensor& x, int64_t part, int64_t d_model) {
  return part_of(x.mutable_data_ptr<float>(), x, part, d_model);
}

const int64_t* numbers(const Tensor& lengths) {
  return lengths.defined() ? lengths.const_data_ptr<int64_t>() : nullptr;
}

/// Where the three operands stand.
struct Operands {
  Tensor query, key_value;  ///< of self-attention the same
  bool self;

  int64_t d_model() const { return query.size(2) / (self ? 3 : 1); }
  int64_t key_part() const { return self ? 1 : 0; }
};

struct Settings {
  Tensor lengths, dropout_keys;
  bool causal;
  int64_t heads;
  double dropout;
};

kernels::AttentionShape shape_of(const Operands& operands, const Settings& settings) {
  return {.heads = settings.heads,
          .d_head = operands.d_model() / settings.heads,
          .query_time = operands.query.size(1),
          .key_time = operands.key_value.size(1),
          .query_lengths = operands.self ? numbers(settings.lengths) : nullptr,
          .key_lengths = numbers(settings.lengths),
          .causal = settings.causal,
          .dropout_keys = reinterpret_cast<const uint64_t*>(numbers(settings.dropout_keys)),
          .dropout = settings.dropout};
}

/// Sentences are shared out, each with all its heads: they read the same rows.
template <class Work>
void for_each_head(const Operands& operands, int64_t heads, const Work& work) {
  at::parallel_for(0, operands.query.size(0), 1, [&](int64_t begin, int64_t end) { work(begin * heads, end * heads); });
}

Attended forward_of(const Operands& operands, const Settings& settings) {
  RECORD_FUNCTION("tr::attention", c10::ArrayRef<const c10::IValue>{});
  const auto shape = shape_of(operands, settings);
  const int64_t d_model = operands.d_model(), batch = operands.query.size(0), key = operands.key_part();
  Attended result{at::empty({batch, shape.query_time, d_model}, operands.query.options()),
                  at::empty({batch, shape.heads, shape.query_time, shape.key_time}, operands.query.options())};
  const kernels::AttentionForward rows{.query = read_part(operands.query, 0, d_model),
                                       .key = read_part(operands.key_value, key, d_model),
                                       .value = read_part(operands.key_value, key + 1, d_model),
                                       .output = write_part(result.output, 0, d_model),
                                       .weights = result.weights.mutable_data_ptr<float>()};
  for_each_head(operands, shape.heads,
                [&](int64_t first, int64_t last) { kernels::attention(shape, rows, first, last); });
  return result;
}

/// Gradients of query and key_value; of self-attention one for both.
Operands backward_of(const Operands& operands, const Settings& settings, const Tensor& weights,
                     const Tensor& arriving) {
  RECORD_FUNCTION("tr::attention_gradient", c10::ArrayRef<const c10::IValue>{});
  const auto shape = shape_of(operands, settings);
  const int64_t d_model = operands.d_model(), key = operands.key_part();
  Operands gradient{at::empty_like(operands.query), {}, operands.self};
  gradient.key_value = operands.self ? gradient.query : at::empty_like(operands.key_value);
  const kernels::AttentionBackward rows{.query = read_part(operands.query, 0, d_model),
                                        .key = read_part(operands.key_value, key, d_model),
                                        .value = read_part(operands.key_value, key + 1, d_model),
                                        .output_gradient = read_part(arriving, 0, d_model),
                                        .weights = weights.const_data_ptr<float>(),
                                        .query_gradient = write_part(gradient.query, 0, d_model),
                                        .key_gradient = write_part(gradient.key_value, key, d_model),
                                        .value_gradient = write_part(gradient.key_value, key + 1, d_model)};
  for_each_head(operands, shape.heads,
                [&](int64_t first, int64_t last) { kernels::attention_gradient(shape, rows, first, last); });
  return gradient;
}

struct FusedAttentionFunction : torch::autograd::Function<FusedAttentionFunction> {
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context, const Tensor& query,
                                                const std::optional<Tensor>& key_value, const Settings& settings) {
    const Operands operands{query, key_value.value_or(query), !key_value.has_value()};
    const auto result = forward_of(operands, settings);
    context->save_for_backward(
        {query, key_value.value_or(Tensor()), result.weights, settings.lengths, settings.dropout_keys});
    context->saved_data["causal"] = settings.causal;
    context->saved_data["heads"] = settings.heads;
    context->saved_data["dropout"] = settings.dropout;
    context->mark_non_differentiable({result.weights});
    return {result.output, result.weights};
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& arriving) {
    const auto saved = context->get_saved_variables();
    const bool self = !saved[1].defined();
    const Settings settings{.lengths = saved[3],
                            .dropout_keys = saved[4],
                            .causal = context->saved_data["causal"].toBool(),
                            .heads = context->saved_data["heads"].toInt(),
                            .dropout = context->saved_data["dropout"].toDouble()};
    const auto gradient =
        backward_of({saved[0], self ? saved[0] : saved[1], self}, settings, saved[2], arriving[0].contiguous());
    return {gradient.query, self ? Tensor() : gradient.key_value, Tensor()};
  }
};

int64_t d_head_of(const FusedAttentionInputs& inputs) {
  return inputs.query.size(2) / (inputs.key_value.defined() ? 1 : 3) / inputs.heads;
}

}  // namespace

bool fused_attention_serves(const Tensor& query, int64_t d_head) {
  const auto type = query.scalar_type();
  return fast_paths() && query.is_cpu() && (type == at::kFloat || type == at::kBFloat16) &&
         kernels::attention_serves(d_head);
}

Attended fused_attention(const FusedAttentionInputs& inputs, Dropout& dropout, const Noise& noise) {
  TORCH_CHECK(fused_attention_serves(inputs.query, d_head_of(inputs)), "fused attention: not for this input");
  const auto wide = [](const Tensor& x) { return x.to(at::kFloat).contiguous(); };
  const Settings settings{.lengths = inputs.visible.key_lengths,
                          .dropout_keys = dropout->attention_keys(noise, inputs.query.size(1), inputs.heads),
                          .causal = inputs.visible.causal,
                          .heads = inputs.heads,
                          .dropout = dropout->rate()};
  const auto key_value = inputs.key_value.defined() ? std::optional(wide(inputs.key_value)) : std::nullopt;
  const auto result = FusedAttentionFunction::apply(wide(inputs.query), key_value, settings);
  return {result[0], result[1]};
}

}  // namespace tr::nn
