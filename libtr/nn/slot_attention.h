// Attention of decoding steps: Vaswani et al. 2017, section 3.2.1, for one query a row. Keys and values stand in slots
// and stay there; a row is a list of its slots, so that a search that repeats, drops and reorders rows copies lists
// alone.
#pragma once

#include "libtr/nn/attention.h"

namespace tr::nn {

struct KeyValueSlots {
  torch::Tensor key_value;  ///< [slots, 2 d_model] float32, or float64 if the query is: a key, then its value
  torch::Tensor places;     ///< [rows, most] int64: a row's slots in order; what stands behind its length is not read
  torch::Tensor lengths;    ///< [rows] int64: how many slots a row sees, at least 1
};

/// query [rows, d_model] float32, bfloat16 or float64 -> output [rows, d_model] of the type of `key_value`, weights
/// [rows, heads, 1, most], 0 behind a row's length. Refuses other shapes and types and what would need a gradient;
/// places and lengths are taken as they are.
Attended slot_attention(const torch::Tensor& query, const KeyValueSlots& seen, int64_t heads);
/// The same by stock operations: the plain twin.
Attended plain_slot_attention(const torch::Tensor& query, const KeyValueSlots& seen, int64_t heads);

}  // namespace tr::nn
