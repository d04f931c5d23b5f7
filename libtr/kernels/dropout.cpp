#include "libtr/kernels/dropout.h"

#include <bit>

#include "libtr/kernels/dispatch.h"

namespace tr::kernels {
namespace {

TR_INLINE_LOOP float scaled(float x, float scale) { return x * scale; }
TR_INLINE_LOOP double scaled(double x, float scale) { return x * scale; }
TR_INLINE_LOOP BFloat16 scaled(BFloat16 x, float scale) {
  const float product = std::bit_cast<float>(static_cast<uint32_t>(x.bits) << 16) * scale;
  const auto bits = std::bit_cast<uint32_t>(product);
  return {static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};  // to nearest, ties to even
}

template <class T>
TR_INLINE_LOOP void dropout_loop(const T* x, T* y, const DropoutRows& rows) {
  const uint32_t threshold = mask_threshold(rows.rate);
  const auto scale = static_cast<float>(1.0 / (1.0 - rows.rate));
  const auto features = static_cast<uint32_t>(rows.features);
  for (int64_t row = 0; row < rows.rows; ++row) {
    const uint64_t key = rows.keys[row];
    const T* from = x + row * rows.features;
    T* to = y + row * rows.features;
    for (uint32_t feature = 0; feature < features; ++feature) {
      const T kept = scaled(from[feature], scale);
      to[feature] = mask_bits(key, feature) < threshold ? T{} : kept;
    }
  }
}

}  // namespace

TR_EACH_INSTRUCTION_SET void dropout(const float* x, float* y, const DropoutRows& rows) { dropout_loop(x, y, rows); }
TR_EACH_INSTRUCTION_SET void dropout(const double* x, double* y, const DropoutRows& rows) { dropout_loop(x, y, rows); }
TR_EACH_LEVEL void dropout(const BFloat16* x, BFloat16* y, const DropoutRows& rows) {
  dropout_loop(x, y, rows);
}

}  // namespace tr::kernels
