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

namespace {

void check(const torch::Tensor& query, const KeyValueSlots& seen, int64_t heads) {
  const auto& [key_value, places, lengths] = seen;
  TORCH_CHECK(query.dim() == 2 && query.size(1) % heads == 0, "slot attention: expected a query [rows, d_model], ",
              heads, " dividing d_model, got ", query.sizes());
  const int64_t rows = query.size(0), width = 2 * query.size(1);
  TORCH_CHECK(key_value.dim() == 2 && key_value.size(1) == width, "slot attention: expected keys and values [slots, ",
              width, "], got ", key_value.sizes());
  TORCH_CHECK(places.dim() == 2 && places.size(0) == rows, "slot attention: expected places [", rows, ", most], got ",
              places.sizes());
  TORCH_CHECK(lengths.dim() == 1 && lengths.size(0) == rows, "slot attention: expected lengths [", rows, "], got ",
              lengths.sizes());
  const auto wanted = query.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  TORCH_CHECK(key_value.scalar_type() == wanted, "slot attention: expected keys and values of type ", wanted, ", got ",
              key_value.scalar_type());
  TORCH_CHECK(places.scalar_type() == at::kLong && lengths.scalar_type() == at::kLong,
              "slot attention: expected places and lengths of type Long, got ", places.scalar_type(), " and ",
              lengths.scalar_type());
  TORCH_CHECK(!at::GradMode::is_enabled() || !(query.requires_grad() || key_value.requires_grad()),
              "slot attention: steps have no gradient");
}

/// The numbers of a row side by side, as the kernel reads them.
torch::Tensor with_dense_rows(const torch::Tensor& x) { return x.stride(1) == 1 ? x : x.contiguous(); }

}  // namespace

Attended slot_attention(const torch::Tensor& query, const KeyValueSlots& seen, int64_t heads) {
  check(query, seen, heads);
  const int64_t rows = query.size(0), d_model = query.size(1), most = seen.places.size(1);
  const auto type = query.scalar_type();
  const bool served = query.is_cpu() && (type == at::kFloat || type == at::kBFloat16);
  if (!fast_paths() || !served) return plain_slot_attention(query, seen, heads);
  RECORD_FUNCTION("tr::slot_attention", c10::ArrayRef<const c10::IValue>{});
  const auto wide = with_dense_rows(query.to(at::kFloat)), places = with_dense_rows(seen.places);
  const auto key_value = seen.key_value.contiguous(), lengths = seen.lengths.contiguous();
  Attended result{at::empty({rows, d_model}, wide.options()), at::empty({rows, heads, 1, most}, wide.options())};
  const kernels::SlotAttention task{.heads = heads,
                                    .d_head = d_model / heads,
                                    .query = wide.const_data_ptr<float>(),
                                    .query_row = wide.stride(0),
                                    .key_value = key_value.const_data_ptr<float>(),
                                    .places = places.const_data_ptr<int64_t>(),
                                    .places_row = places.stride(0),
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
