// Compiled once for each instruction set (CMakeLists.txt): TR_SLOT_LEVEL names the function that it defines. No
// function of the standard library that would be emitted here may be called: the linker could take this copy for the
// whole program.
#include <cmath>

#include "libtr/kernels/slot_attention_loops.h"
#include "libtr/kernels/softmax_lanes.h"

namespace tr::kernels {
namespace {

/// scores[t] = scale * (query . key of slot t), for kLanes slots at once: products of each slot are lanes, which a
/// transposition makes sums over lanes of kLanes slots.
template <int64_t kWidth>
TR_INLINE_LOOP void scores_of(const float* query, const float* keys, int64_t slot, const int64_t* places,
                              int64_t length, float scale, float* scores) {
  constexpr int64_t kParts = kWidth / kLanes;
  Lanes asked[kParts];
  for (int64_t p = 0; p < kParts; ++p) asked[p] = load(query + p * kLanes) * scale;
  for (int64_t t = 0; t < length; t += kLanes) {
    Lanes products[kLanes];
#pragma GCC unroll 16
    for (int64_t j = 0; j < kLanes; ++j) {
      products[j] = Lanes{};
      if (t + j >= length) continue;
      const float* key = keys + places[t + j] * slot;
      for (int64_t p = 0; p < kParts; ++p) products[j] += asked[p] * load(key + p * kLanes);
    }
    transpose(products);
    Lanes sum{};
#pragma GCC unroll 16
    for (int64_t j = 0; j < kLanes; ++j) sum += products[j];
    store(scores + t, sum);
  }
}

/// output = sum over t of weights[t] * value of slot t
template <int64_t kWidth>
TR_INLINE_LOOP void average_of(const float* weights, const float* values, int64_t slot, const int64_t* places,
                               int64_t length, float* output) {
  constexpr int64_t kParts = kWidth / kLanes;
  Lanes sum[kParts] = {};
  for (int64_t t = 0; t < length; ++t) {
    const float* value = values + places[t] * slot;
    for (int64_t p = 0; p < kParts; ++p) sum[p] += load(value + p * kLanes) * weights[t];
  }
  for (int64_t p = 0; p < kParts; ++p) store(output + p * kLanes, sum[p]);
}

template <int64_t kWidth>
TR_INLINE_LOOP void rows_of(const SlotAttention& task, int64_t first, int64_t last, float* scores) {
  const int64_t d_model = task.heads * kWidth, slot = 2 * d_model;
  const auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(kWidth)));
  for (int64_t row = first; row < last; ++row) {
    const int64_t length = task.lengths[row];
    const int64_t* places = task.places + row * task.places_row;
    for (int64_t head = 0; head < task.heads; ++head) {
      const float* keys = task.key_value + head * kWidth;
      scores_of<kWidth>(task.query + row * task.query_row + head * kWidth, keys, slot, places, length, scale, scores);
      softmax(scores, length, whole_lanes(length));
      average_of<kWidth>(scores, keys + d_model, slot, places, length,
                         task.output + (row * task.heads + head) * kWidth);
      float* weights = task.weights + (row * task.heads + head) * task.most;
      for (int64_t t = 0; t < task.most; ++t) weights[t] = t < length ? scores[t] : 0.0f;
    }
  }
}

}  // namespace

void TR_SLOT_LEVEL(const SlotAttention& task, int64_t first, int64_t last, float* workspace);
void TR_SLOT_LEVEL(const SlotAttention& task, int64_t first, int64_t last, float* workspace) {
  switch (task.d_head) {
    case 16:
      return rows_of<16>(task, first, last, workspace);
    case 32:
      return rows_of<32>(task, first, last, workspace);
    case 64:
      return rows_of<64>(task, first, last, workspace);
    default:
      break;
  }
}

}  // namespace tr::kernels
