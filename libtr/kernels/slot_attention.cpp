#include "libtr/kernels/slot_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "libtr/kernels/dispatch.h"
#include "libtr/kernels/exponential.h"

namespace tr::kernels {
namespace {

template <class Width>
TR_INLINE_LOOP float dot(const float* a, const float* b, Width width) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < width; ++i) sum += a[i] * b[i];
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

/// Width: the width of a head, where it is one of the usual ones as a constant of the compiler.
template <class Width>
TR_INLINE_LOOP void one_head(const SlotAttention& task, int64_t row, int64_t head, Width width) {
  const int64_t d_model = task.heads * width, length = task.lengths[row];
  const int64_t* places = task.places + row * task.places_row;
  const float* query = task.query + row * task.query_row + head * width;
  const float* keys = task.key_value + head * width;
  const float* values = keys + d_model;
  float* weights = task.weights + (row * task.heads + head) * task.most;
  float* output = task.output + (row * task.heads + head) * width;
  const float scale = 1.0f / std::sqrt(static_cast<float>(width));
  for (int64_t t = 0; t < length; ++t) weights[t] = scale * dot(query, keys + places[t] * 2 * d_model, width);
  const float share = 1.0f / exponentials(weights, length);
  std::fill(output, output + width, 0.0f);
  for (int64_t t = 0; t < length; ++t) {
    const float weight = weights[t] *= share;
    const float* value = values + places[t] * 2 * d_model;
#pragma omp simd
    for (int64_t i = 0; i < width; ++i) output[i] += weight * value[i];
  }
  std::fill(weights + length, weights + task.most, 0.0f);
}

template <class Width>
TR_INLINE_LOOP void rows_of(const SlotAttention& task, int64_t first, int64_t last, Width width) {
  for (int64_t row = first; row < last; ++row) {
    for (int64_t head = 0; head < task.heads; ++head) one_head(task, row, head, width);
  }
}

template <int64_t width>
using Constant = std::integral_constant<int64_t, width>;

}  // namespace

TR_EACH_LEVEL void slot_attention(const SlotAttention& task, int64_t first, int64_t last) {
  switch (task.d_head) {
    case 16:
      return rows_of(task, first, last, Constant<16>());
    case 32:
      return rows_of(task, first, last, Constant<32>());
    case 64:
      return rows_of(task, first, last, Constant<64>());
    default:
      return rows_of(task, first, last, task.d_head);
  }
}

}  // namespace tr::kernels
