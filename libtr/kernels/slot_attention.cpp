#include "libtr/kernels/slot_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libtr/kernels/dispatch.h"
#include "libtr/kernels/exponential.h"

namespace tr::kernels {
namespace {

template <int64_t kHead>
TR_INLINE_LOOP float dot(const float* a, const float* b) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < kHead; ++i) sum += a[i] * b[i];
  return sum;
}

/// Scores become exp(score - highest); returns their sum.
TR_INLINE_LOOP float exponentials(float* scores, int64_t length) {
  float highest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : highest)
  for (int64_t t = 0; t < length; ++t) highest = scores[t] > highest ? scores[t] : highest;
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t t = 0; t < length; ++t) sum += scores[t] = exponential(scores[t] - highest);
  return sum;
}

template <int64_t kHead>
TR_INLINE_LOOP void one_head(const SlotAttention& task, int64_t row, int64_t head) {
  const int64_t slot = 2 * task.heads * kHead, length = task.lengths[row];
  const int64_t* places = task.places + row * task.places_row;
  const float* query = task.query + row * task.query_row + head * kHead;
  const float* keys = task.key_value + head * kHead;
  const float* values = keys + task.heads * kHead;
  float* weights = task.weights + (row * task.heads + head) * task.most;
  const float scale = 1.0f / std::sqrt(static_cast<float>(kHead));
  for (int64_t t = 0; t < length; ++t) weights[t] = scale * dot<kHead>(query, keys + places[t] * slot);
  const float share = 1.0f / exponentials(weights, length);
  float sum[kHead] = {};
  for (int64_t t = 0; t < length; ++t) {
    weights[t] *= share;
    const float* value = values + places[t] * slot;
#pragma omp simd
    for (int64_t i = 0; i < kHead; ++i) sum[i] += weights[t] * value[i];
  }
  std::fill(weights + length, weights + task.most, 0.0f);
  std::copy(sum, sum + kHead, task.output + (row * task.heads + head) * kHead);
}

template <int64_t kHead>
TR_INLINE_LOOP void rows_of(const SlotAttention& task, int64_t first, int64_t last) {
  for (int64_t row = first; row < last; ++row) {
    for (int64_t head = 0; head < task.heads; ++head) one_head<kHead>(task, row, head);
  }
}

TR_EACH_LEVEL void rows_of_16(const SlotAttention& task, int64_t first, int64_t last) {
  rows_of<16>(task, first, last);
}
TR_EACH_LEVEL void rows_of_32(const SlotAttention& task, int64_t first, int64_t last) {
  rows_of<32>(task, first, last);
}
TR_EACH_LEVEL void rows_of_64(const SlotAttention& task, int64_t first, int64_t last) {
  rows_of<64>(task, first, last);
}

}  // namespace

void slot_attention(const SlotAttention& task, int64_t first, int64_t last) {
  switch (task.d_head) {
    case 16:
      return rows_of_16(task, first, last);
    case 32:
      return rows_of_32(task, first, last);
    case 64:
      return rows_of_64(task, first, last);
  }
}

}  // namespace tr::kernels
