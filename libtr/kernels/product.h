// Matrix products of the sizes that small models have: a few dozen to a few thousand rows, widths of 64 to 1024, a
// vocabulary on one side. After Goto and van de Geijn 2008, "Anatomy of high-performance matrix multiplication", and
// Van Zee and van de Geijn 2015, "BLIS: a framework for rapidly instantiating BLAS functionality".
#pragma once

#include <cstdint>
#include <memory>

namespace tr::kernels {

/// What is multiplied: the float32 numbers themselves, or the bfloat16 numbers nearest to them. Sums are float32.
enum class ProductPrecision { float32, bfloat16 };

/// Whether this processor has a kernel for it that is worth taking: float32 with AVX2 or AVX-512; bfloat16 with the
/// instructions of AVX-512 for it, but not where there are tiles (AMX), which LibTorch uses.
bool products_serve(ProductPrecision precision);

/// Element (i, j) is data[i * row + j * column]; one of the two strides is 1.
struct MatrixView {
  const float* data = nullptr;
  int64_t row = 0, column = 1;

  MatrixView transposed() const { return {data, column, row}; }
};

/// A right operand [depth, columns] in the order in which the kernel reads it: packed once, multiplied many times. Only
/// in a precision that is served.
class PackedMatrix {
 public:
  PackedMatrix(const MatrixView& matrix, int64_t depth, int64_t columns, ProductPrecision precision);

  int64_t depth() const { return depth_; }
  int64_t columns() const { return columns_; }
  ProductPrecision precision() const { return precision_; }
  const float* panels() const { return panels_.get(); }

 private:
  int64_t depth_, columns_;
  ProductPrecision precision_;
  std::unique_ptr<float[]> panels_;
};

/// Where a product goes.
struct ProductResult {
  float* data = nullptr;  ///< [rows, columns], element (i, j) at data[i * row + j]
  int64_t row = 0;
  bool add = false;             ///< to what stands there, rather than in its place
  const float* bias = nullptr;  ///< [columns] or null: added to each row; not together with `add`
};

/// result = left right (+ bias), left [rows, right.depth()]. Rows are independent of each other: no bit of one changes
/// with the number of rows or with how several calls share them out.
void product(int64_t rows, const MatrixView& left, const PackedMatrix& right, const ProductResult& result);

}  // namespace tr::kernels
