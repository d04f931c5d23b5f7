// Dropout whose mask is a hash of counters: nothing is stored, and every instruction set gives the same bits. The
// idea is that of Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3".
#pragma once

#include <cstdint>

#include "libtr/kernels/dispatch.h"

namespace tr::kernels {

/// The bits of a bfloat16: the upper half of a float32.
struct BFloat16 {
  uint16_t bits;
};

/// Rows of features; each row brings a key of well mixed bits, from which its mask follows.
struct DropoutRows {
  const uint64_t* keys;  ///< [rows]
  int64_t rows;
  int64_t features;
  double rate;  ///< probability of a zero, from 0 to below 1
};

/// Uniform 32 bits for one element: two rounds of multiply and shift (constants: Wellons 2018, "Prospecting for hash
/// functions"), one half of the key entering before each. Number: uint32_t, or a vector of them.
template <class Number>
TR_INLINE_LOOP constexpr Number mask_bits(uint64_t row_key, Number feature) {
  Number x = static_cast<uint32_t>(row_key) + feature * 0x9e3779b9u;
  x = (x ^ (x >> 16)) * 0x21f0aaadu;
  x ^= static_cast<uint32_t>(row_key >> 32);
  x = (x ^ (x >> 15)) * 0x735a2d97u;
  return x ^ (x >> 15);
}
/// An element becomes zero if its mask_bits lie below this.
TR_INLINE_LOOP constexpr uint32_t mask_threshold(double rate) { return static_cast<uint32_t>(rate * 0x1p32); }

/// y = x / (1 - rate) where the mask keeps, else 0. x and y [rows, features], dense; they may be the same.
void dropout(const float* x, float* y, const DropoutRows& rows);
void dropout(const double* x, double* y, const DropoutRows& rows);
void dropout(const BFloat16* x, BFloat16* y, const DropoutRows& rows);

}  // namespace tr::kernels
