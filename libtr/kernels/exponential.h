// exp for vector code.
#pragma once

#include <cstdint>

#include "libtr/kernels/dispatch.h"

namespace tr::kernels {

/// exp(x) for x <= 0, relative error below 2e-7; exp(-87) below -87; NaN for NaN. x = n log 2 + r with
/// |r| <= log(2) / 2, exp(r) by a polynomial, 2^n through the exponent bits. Floats: float, or a vector of them;
/// Integers: int32_t, or as many.
template <class Floats, class Integers>
TR_INLINE_LOOP Floats exponential(Floats x) {
  const Floats lowest = Floats{} - 87.0f;
  const float shift = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer, found in the low bits
  x = x < lowest ? lowest : x;
  const Floats shifted = x * 1.44269504f + shift;
  const Floats n = shifted - shift;
  const Floats r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  Floats p = r * (1.0f / 5040.0f) + 1.0f / 720.0f;
  p = p * r + 1.0f / 120.0f;
  p = p * r + 1.0f / 24.0f;
  p = p * r + 1.0f / 6.0f;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  const Integers power = (__builtin_bit_cast(Integers, shifted) << 23) + (127 << 23);
  return p * __builtin_bit_cast(Floats, power);
}
TR_INLINE_LOOP float exponential(float x) { return exponential<float, int32_t>(x); }

}  // namespace tr::kernels
