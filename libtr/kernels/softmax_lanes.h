// Softmax of few numbers, for the files that are compiled for each level.
#pragma once

#include <limits>

#include "libtr/kernels/exponential.h"
#include "libtr/kernels/lanes.h"

namespace tr::kernels {
namespace {

TR_INLINE_LOOP int64_t whole_lanes(int64_t count) { return rounded_up(count, kLanes); }
/// The lanes before number `count` of those that begin at number t; the others become `otherwise`.
TR_INLINE_LOOP Lanes first_of(int64_t count, int64_t t, const Lanes& lanes, float otherwise) {
  return places_from(t) < static_cast<int32_t>(count) ? lanes : all(otherwise);
}

/// Softmax of the first `seen` scores, zeros up to `padded`, a multiple of kLanes.
TR_INLINE_LOOP void softmax(float* scores, int64_t seen, int64_t padded) {
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  Lanes highest = all(kLowest);
  for (int64_t t = 0; t < seen; t += kLanes) {
    const Lanes score = first_of(seen, t, load(scores + t), kLowest);
    highest = score > highest ? score : highest;
  }
  const float most = highest_of(highest);
  Lanes sum{};
  for (int64_t t = 0; t < seen; t += kLanes) {
    const Lanes share = first_of(seen, t, exponential<Lanes, Places>(load(scores + t) - most), 0.0f);
    store(scores + t, share);
    sum += share;
  }
  const float scale = 1.0f / sum_of(sum);
  int64_t t = 0;
  for (; t < seen; t += kLanes) store(scores + t, load(scores + t) * scale);
  for (; t < padded; t += kLanes) store(scores + t, Lanes{});
}

}  // namespace
}  // namespace tr::kernels
