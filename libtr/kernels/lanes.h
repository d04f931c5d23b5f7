// Vectors of numbers as wide as the level that a file is compiled for (CMakeLists.txt). All of it is local to the file:
// the same names mean other code in the next level.
#pragma once

#include <cstdint>
#include <cstring>

#include "libtr/kernels/dispatch.h"

namespace tr::kernels {
namespace {

#if defined(__AVX512F__)
constexpr int64_t kLanes = 16;  ///< 32-bit numbers that an instruction takes
#elif defined(__AVX__)
constexpr int64_t kLanes = 8;
#else
constexpr int64_t kLanes = 4;
#endif
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));
using Places = int32_t __attribute__((vector_size(kLanes * sizeof(int32_t))));
using Bits = uint32_t __attribute__((vector_size(kLanes * sizeof(uint32_t))));

TR_INLINE_LOOP Lanes load(const float* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
TR_INLINE_LOOP void store(float* to, const Lanes& lanes) { std::memcpy(to, &lanes, sizeof lanes); }
TR_INLINE_LOOP Lanes all(float value) { return Lanes{} + value; }

TR_INLINE_LOOP constexpr int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
TR_INLINE_LOOP constexpr int64_t rounded_up(int64_t count, int64_t step) { return (count + step - 1) / step * step; }

/// first, first + 1, …
TR_INLINE_LOOP Places places_from(int64_t first) {
  Places places{};
  for (int32_t i = 0; i < kLanes; ++i) places[i] = i;
  return places + static_cast<int32_t>(first);
}

/// Lanes whose neighbour is `kDistance` away, in each half of pairs: for sums and the like over all lanes.
template <int64_t kDistance>
TR_INLINE_LOOP Lanes exchanged(const Lanes& lanes) {
  Places from{};
  for (int32_t i = 0; i < kLanes; ++i) from[i] = i ^ static_cast<int32_t>(kDistance);
  return __builtin_shuffle(lanes, from);
}
template <int64_t kDistance = kLanes / 2>
TR_INLINE_LOOP float sum_of(Lanes lanes) {
  lanes += exchanged<kDistance>(lanes);
  if constexpr (kDistance > 1) return sum_of<kDistance / 2>(lanes);
  return lanes[0];
}
template <int64_t kDistance = kLanes / 2>
TR_INLINE_LOOP float highest_of(Lanes lanes) {
  const Lanes other = exchanged<kDistance>(lanes);
  lanes = other > lanes ? other : lanes;
  if constexpr (kDistance > 1) return highest_of<kDistance / 2>(lanes);
  return lanes[0];
}

/// Exchanges what stands off the diagonal of blocks of kDistance numbers, for rows that are kDistance apart.
template <int64_t kDistance>
TR_INLINE_LOOP void exchange(Lanes* rows) {
  Places of_first{}, of_second{};
  for (int32_t i = 0; i < kLanes; ++i) {
    of_first[i] = (i & kDistance) ? static_cast<int32_t>(kLanes) + (i ^ static_cast<int32_t>(kDistance)) : i;
    of_second[i] = (i & kDistance) ? static_cast<int32_t>(kLanes) + i : (i ^ static_cast<int32_t>(kDistance));
  }
#pragma GCC unroll 16
  for (int64_t i = 0; i < kLanes; ++i) {
    if (i & kDistance) continue;
    const Lanes first = rows[i], second = rows[i | kDistance];
    rows[i] = __builtin_shuffle(first, second, of_first);
    rows[i | kDistance] = __builtin_shuffle(first, second, of_second);
  }
  if constexpr (kDistance > 1) exchange<kDistance / 2>(rows);
}
/// A square of kLanes rows.
TR_INLINE_LOOP void transpose(Lanes* rows) { exchange<kLanes / 2>(rows); }

}  // namespace
}  // namespace tr::kernels
