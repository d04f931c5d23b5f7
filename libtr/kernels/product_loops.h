// The loops of product.h for one instruction set.
#pragma once

#include <cstddef>
#include <vector>

#include "libtr/kernels/product.h"

namespace tr::kernels {

struct ProductTask {
  int64_t rows, depth, columns;
  MatrixView left;
  const float* right;  ///< packed
  ProductResult result;
};

struct ProductLoops {
  int64_t panel;  ///< columns that are packed side by side
  int64_t pair;   ///< numbers of the depth that share 32 bits
  void (*pack)(const MatrixView& matrix, int64_t depth, int64_t columns, float* packed);
  /// `workspace` has room for kProductWorkspace numbers.
  void (*multiply)(const ProductTask& task, float* workspace);
};

/// Those that this processor can run, the best first; none for an old processor.
const std::vector<const ProductLoops*>& product_levels(ProductPrecision precision);

constexpr int64_t kProductDepth = 256;  ///< 32-bit units of the depth that are multiplied before results are stored
constexpr int64_t kProductRows = 448;   ///< rows of the left operand that are at hand at once
constexpr int64_t kUnitsApart = 16;     ///< so that rows of a copy do not all fall into one set of the cache
constexpr std::size_t kProductWorkspace = (kProductRows + 16) * (kProductDepth + kUnitsApart);

/// 32-bit numbers of a packed matrix.
constexpr std::size_t packed_size(const ProductLoops& loops, int64_t depth, int64_t columns) {
  return static_cast<std::size_t>((depth + loops.pair - 1) / loops.pair * ((columns + loops.panel - 1) / loops.panel) *
                                  loops.panel);
}

}  // namespace tr::kernels
