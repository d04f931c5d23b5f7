#include "libtr/nn/slot_attention.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/record_function.h>

#include <cmath>

#include "libtr/kernels/slot_attention.h"
#include "libtr/nn/fast_paths.h"

namespace tr::nn {

Attended slot_attention(const torch::Tensor& query, const KeyValueSlots& seen, int64_t heads) {
  const int64_t rows = query.size(0), d_model = query.size(1), most = seen.places.size(1);
  TORCH_CHECK(!at::GradMode::is_enabled() || !query.requires_grad(), "slot attention: steps have no gradient");
  const auto type = query.scalar_type();
  const bool served = query.is_cpu() && (type == at::kFloat || type == at::kBFloat16);
  if (!fast_paths() || !served) return plain_slot_attention(query, seen, heads);
  RECORD_FUNCTION("tr::slot_attention", c10::ArrayRef<const c10::IValue>{});
  const auto wide = query.to(at::kFloat);
  const auto key_value = seen.key_value.contiguous(), lengths = seen.lengths.contiguous();
  Attended result{at::empty({rows, d_model}, wide.options()), at::empty({rows, heads, 1, most}, wide.options())};
  const kernels::SlotAttention task{.heads = heads,
                                    .d_head = d_model / heads,
                                    .query = wide.const_data_ptr<float>(),
                                    .query_row = wide.stride(0),
                                    .key_value = key_value.const_data_ptr<float>(),
                                    .places = seen.places.const_data_ptr<int64_t>(),
                                    .places_row = seen.places.stride(0),
                                    .lengths = lengths.const_data_ptr<int64_t>(),
                                    .most = most,
                                    .output = result.output.mutable_data_ptr<float>(),
                                    .weights = result.weights.mutable_data_ptr<float>()};
  at::parallel_for(0, rows, 16, [&](int64_t begin, int64_t end) { kernels::slot_attention(task, begin, end); });
  return result;
}

Attended plain_slot_attention(const torch::Tensor& query, const KeyValueSlots& seen, int64_t heads) {
  const int64_t rows = query.size(0), d_model = query.size(1), most = seen.places.size(1);
  const auto real = at::arange(most, seen.lengths.options()) < seen.lengths.unsqueeze(1);  // [rows, most]
  const auto places = seen.places.masked_fill(real.logical_not(), 0);
  const auto key_value = seen.key_value.index_select(0, places.flatten()).view({rows, most, 2, heads, -1});
  const auto parts = key_value.permute({2, 0, 3, 1, 4}).unbind(0);  // [rows, heads, most, d_head] each
  const double scale = 1.0 / std::sqrt(static_cast<double>(d_model / heads));
  const auto wide = query.to(key_value.scalar_type()).reshape({rows, heads, 1, -1});
  const auto scores = at::matmul(wide * scale, parts[0].transpose(-2, -1));
  const auto weights = attention_weights(scores, real.view({rows, 1, 1, most}));
  return {at::matmul(weights, parts[1]).reshape({rows, d_model}), weights};
}

}  // namespace tr::nn
