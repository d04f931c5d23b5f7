// Attention of decoding steps, Vaswani et al. 2017, section 3.2.1: one query a row, keys and values wherever they
// stand.
#pragma once

#include <cstdint>

namespace tr::kernels {

struct SlotAttention {
  int64_t heads = 1;
  int64_t d_head = 16;
  const float* query = nullptr;  ///< row r at query + r * query_row, all heads side by side
  int64_t query_row = 0;
  const float* key_value = nullptr;  ///< [slots, 2 * heads * d_head]: a key, then its value
  const int64_t* places = nullptr;   ///< row r's slots, in order, at places + r * places_row
  int64_t places_row = 0;
  const int64_t* lengths = nullptr;  ///< [rows] how many slots a row sees, 1 … most
  int64_t most = 0;                  ///< width of a row of `weights`
  float* output = nullptr;           ///< [rows, heads * d_head]
  float* weights = nullptr;  ///< [rows, heads, most]: softmax(query key / sqrt(d_head)), zeros behind the length
};

/// Rows first … last-1.
void slot_attention(const SlotAttention& task, int64_t first, int64_t last);

}  // namespace tr::kernels
