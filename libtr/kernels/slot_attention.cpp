#include "libtr/kernels/slot_attention.h"

#include <algorithm>
#include <cmath>

#include "libtr/kernels/slot_attention_loops.h"

namespace tr::kernels {

#if defined(TR_KERNELS_X86_LEVELS)
void slots_v4(const SlotAttention& task, int64_t first, int64_t last, float* workspace);
void slots_v3(const SlotAttention& task, int64_t first, int64_t last, float* workspace);
#endif
void slots_base(const SlotAttention& task, int64_t first, int64_t last, float* workspace);

namespace {

/// A head of any width.
void one_head(const SlotAttention& task, int64_t row, int64_t head) {
  const int64_t width = task.d_head, d_model = task.heads * width, length = task.lengths[row];
  const int64_t* places = task.places + row * task.places_row;
  const float* query = task.query + row * task.query_row + head * width;
  const float* keys = task.key_value + head * width;
  float* weights = task.weights + (row * task.heads + head) * task.most;
  float* output = task.output + (row * task.heads + head) * width;
  const float scale = 1.0f / std::sqrt(static_cast<float>(width));
  for (int64_t t = 0; t < length; ++t) {
    const float* key = keys + places[t] * 2 * d_model;
    weights[t] = 0;
    for (int64_t i = 0; i < width; ++i) weights[t] += query[i] * scale * key[i];
  }
  const float highest = *std::max_element(weights, weights + length);
  float sum = 0;
  for (int64_t t = 0; t < length; ++t) sum += weights[t] = std::exp(weights[t] - highest);
  std::fill(output, output + width, 0.0f);
  for (int64_t t = 0; t < length; ++t) {
    const float weight = weights[t] /= sum;
    const float* value = keys + d_model + places[t] * 2 * d_model;
    for (int64_t i = 0; i < width; ++i) output[i] += weight * value[i];
  }
  std::fill(weights + length, weights + task.most, 0.0f);
}

}  // namespace

const std::vector<SlotLoops>& slot_levels() {
  static const auto levels = [] {
    std::vector<SlotLoops> found;
#if defined(TR_KERNELS_X86_LEVELS)
    if (__builtin_cpu_supports("x86-64-v4")) found.push_back(slots_v4);
    if (__builtin_cpu_supports("x86-64-v3")) found.push_back(slots_v3);
#endif
    found.push_back(slots_base);
    return found;
  }();
  return levels;
}

void slot_attention(const SlotAttention& task, int64_t first, int64_t last) {
  if (task.d_head == 16 || task.d_head == 32 || task.d_head == 64) {
    std::vector<float> workspace(slot_workspace(task));
    return slot_levels().front()(task, first, last, workspace.data());
  }
  for (int64_t row = first; row < last; ++row) {
    for (int64_t head = 0; head < task.heads; ++head) one_head(task, row, head);
  }
}

}  // namespace tr::kernels
