#include "libtr/kernels/top_logits.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libtr/kernels/dispatch.h"
#include "libtr/kernels/exponential.h"

namespace tr::kernels {
namespace {

constexpr int64_t kBlock = 128;  // looked at one by one only if its highest is high enough

TR_INLINE_LOOP float block_highest(const float* logits, int64_t count) {
  float highest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : highest)
  for (int64_t i = 0; i < count; ++i) highest = logits[i] > highest ? logits[i] : highest;
  return highest;
}

/// The best so far, best first.
struct Best {
  int64_t* ids;
  float* values;
  int64_t width, count = 0;

  bool full() const { return count == width; }
  float worst() const { return values[count - 1]; }
  TR_INLINE_LOOP void insert(int64_t id, float value) {
    int64_t at = full() ? count - 1 : count++;
    for (; at > 0 && value > values[at - 1]; --at) {
      values[at] = values[at - 1];
      ids[at] = ids[at - 1];
    }
    values[at] = value;
    ids[at] = id;
  }
};

}  // namespace

TR_EACH_LEVEL float log_sum_exp(const float* logits, int64_t vocab) {
  const float highest = block_highest(logits, vocab);
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < vocab; ++i) sum += exponential(logits[i] - highest);
  return highest + std::log(sum);
}

TR_EACH_LEVEL void top_logits(const float* logits, int64_t vocab, int64_t width, int64_t* ids, float* values) {
  Best best{ids, values, width};
  for (int64_t begin = 0; begin < vocab; begin += kBlock) {
    const int64_t end = std::min(vocab, begin + kBlock);
    if (best.full() && !(block_highest(logits + begin, end - begin) > best.worst())) continue;
    for (int64_t i = begin; i < end; ++i) {
      if (!best.full() || logits[i] > best.worst()) best.insert(i, logits[i]);
    }
  }
}

}  // namespace tr::kernels
