#include "libtr/kernels/product.h"

#include "libtr/kernels/product_loops.h"

namespace tr::kernels {

#if defined(TR_KERNELS_X86_LEVELS)
extern const ProductLoops product_v3, product_v4, product_v4_bfloat16;
#endif

namespace {

std::vector<const ProductLoops*> find_levels([[maybe_unused]] ProductPrecision precision) {
  std::vector<const ProductLoops*> found;
#if defined(TR_KERNELS_X86_LEVELS)
  const bool v4 = __builtin_cpu_supports("x86-64-v4") != 0;
  if (precision == ProductPrecision::bfloat16) {
    if (v4 && __builtin_cpu_supports("avx512bf16")) found.push_back(&product_v4_bfloat16);
    return found;
  }
  if (v4) found.push_back(&product_v4);
  if (__builtin_cpu_supports("x86-64-v3")) found.push_back(&product_v3);
#endif
  return found;
}

bool has_tiles() {
#if defined(TR_KERNELS_X86_LEVELS)
  return __builtin_cpu_supports("amx-bf16") != 0;
#else
  return false;
#endif
}

const ProductLoops& best(ProductPrecision precision) { return *product_levels(precision).front(); }

}  // namespace

const std::vector<const ProductLoops*>& product_levels(ProductPrecision precision) {
  static const auto exact = find_levels(ProductPrecision::float32), rounded = find_levels(ProductPrecision::bfloat16);
  return precision == ProductPrecision::float32 ? exact : rounded;
}

bool products_serve(ProductPrecision precision) {
  static const bool tiles = has_tiles();
  if (precision == ProductPrecision::bfloat16 && tiles) return false;
  return !product_levels(precision).empty();
}

PackedMatrix::PackedMatrix(const MatrixView& matrix, int64_t depth, int64_t columns, ProductPrecision precision)
    : depth_(depth),
      columns_(columns),
      precision_(precision),
      panels_(std::make_unique_for_overwrite<float[]>(packed_size(best(precision), depth, columns))) {
  best(precision).pack(matrix, depth, columns, panels_.get());
}

void product(int64_t rows, const MatrixView& left, const PackedMatrix& right, const ProductResult& result) {
  thread_local std::vector<float> workspace(kProductWorkspace);
  best(right.precision())
      .multiply({rows, right.depth(), right.columns(), left, right.panels(), result}, workspace.data());
}

}  // namespace tr::kernels
