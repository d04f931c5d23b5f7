// Every level of the product kernel that this machine runs, against loops in double.
#include "libtr/kernels/product.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "libtr/kernels/product_loops.h"
#include "tests/kernels/numbers.h"

using namespace tr;
using namespace tr::kernels;

namespace {

/// The bfloat16 number nearest to x, ties to even.
float rounded(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  return std::bit_cast<float>((bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u);
}

/// How an operand stands in memory.
enum class Order { rows, columns };

/// A matrix with some numbers between its lines that belong to something else.
struct Operand {
  std::vector<float> numbers;
  MatrixView view;

  Operand(int64_t rows, int64_t columns, Order order, uint64_t seed) {
    const int64_t line = (order == Order::rows ? columns : rows) + 3;
    const int64_t lines = order == Order::rows ? rows : columns;
    numbers = random_numbers(line * lines, seed);
    view = order == Order::rows ? MatrixView{numbers.data(), line, 1} : MatrixView{numbers.data(), 1, line};
  }
  float at(int64_t i, int64_t j) const { return view.data[i * view.row + j * view.column]; }
};

struct Shape {
  int64_t rows, depth, columns;
};

constexpr int64_t kMargin = 2;  ///< columns of the result that are none of the kernel's business

void check(const ProductLoops& loops, ProductPrecision precision, const Shape& shape, Order of_left, Order of_right,
           bool add) {
  const Operand left(shape.rows, shape.depth, of_left, 1), right(shape.depth, shape.columns, of_right, 2);
  const auto bias = random_numbers(shape.columns, 3);
  const int64_t row = shape.columns + kMargin;
  auto result = random_numbers(shape.rows * row, 4);
  const auto before = result;
  std::vector<float> packed(packed_size(loops, shape.depth, shape.columns), NAN), workspace(kProductWorkspace, NAN);
  loops.pack(right.view, shape.depth, shape.columns, packed.data());
  loops.multiply({shape.rows,
                  shape.depth,
                  shape.columns,
                  left.view,
                  packed.data(),
                  {result.data(), row, add, add ? nullptr : bias.data()}},
                 workspace.data());
  const auto seen = [precision](float x) { return precision == ProductPrecision::bfloat16 ? rounded(x) : x; };
  double widest = 0;
  bool margin_kept = true;
  for (int64_t i = 0; i < shape.rows; ++i) {
    for (int64_t j = 0; j < row; ++j) {
      const auto at = static_cast<size_t>(i * row + j);
      if (j >= shape.columns) {
        margin_kept = margin_kept && result[at] == before[at];
        continue;
      }
      double sum = add ? before[at] : bias[static_cast<size_t>(j)];
      for (int64_t k = 0; k < shape.depth; ++k) {
        sum += static_cast<double>(seen(left.at(i, k))) * static_cast<double>(seen(right.at(k, j)));
      }
      const double gap = std::abs(sum - static_cast<double>(result[at]));
      widest = gap <= widest ? widest : gap;  // NaN wins
    }
  }
  CAPTURE(shape.rows, shape.depth, shape.columns, of_left == Order::rows, of_right == Order::rows, add, loops.panel);
  CHECK(widest < 2e-6 * std::sqrt(static_cast<double>(shape.depth)) + 2e-6);
  CHECK(margin_kept);
}

}  // namespace

TEST_CASE("the product kernel is a product, at every level of the processor, for both orders of both operands") {
  const std::vector<Shape> shapes{{1, 1, 1},    {5, 3, 2},     {14, 16, 32},  {15, 17, 33},  {6, 64, 16},
                                  {29, 257, 7}, {33, 512, 40}, {20, 515, 65}, {451, 10, 31}, {40, 1029, 3}};
  for (const auto precision : {ProductPrecision::float32, ProductPrecision::bfloat16}) {
    for (const auto* level : product_levels(precision)) {
      for (const auto& shape : shapes) {
        for (const auto of_left : {Order::rows, Order::columns}) {
          for (const auto of_right : {Order::rows, Order::columns}) {
            for (const bool add : {false, true}) check(*level, precision, shape, of_left, of_right, add);
          }
        }
      }
    }
  }
}

TEST_CASE("rows so far apart that they share a place in the cache are multiplied as others are") {
  const int64_t rows = 20, depth = 600, columns = 35, row = 1024;
  const auto left = random_numbers(rows * row, 1), right = random_numbers(depth * columns, 2);
  std::vector<float> close(static_cast<size_t>(rows * depth));
  for (int64_t i = 0; i < rows; ++i) std::copy_n(left.data() + i * row, depth, close.data() + i * depth);
  for (const auto precision : {ProductPrecision::float32, ProductPrecision::bfloat16}) {
    if (!products_serve(precision)) continue;
    const PackedMatrix packed({right.data(), columns, 1}, depth, columns, precision);
    std::vector<float> far_apart(static_cast<size_t>(rows * columns)), together(far_apart.size());
    product(rows, {left.data(), row, 1}, packed, {far_apart.data(), columns});
    product(rows, {close.data(), depth, 1}, packed, {together.data(), columns});
    CHECK(far_apart == together);
  }
}

TEST_CASE("a row of a product is the same bit for bit whatever rows are computed with it") {
  const int64_t rows = 61, depth = 300, columns = 50;
  const auto left = random_numbers(rows * depth, 1), right = random_numbers(depth * columns, 2);
  for (const auto precision : {ProductPrecision::float32, ProductPrecision::bfloat16}) {
    if (!products_serve(precision)) continue;
    const PackedMatrix packed({right.data(), columns, 1}, depth, columns, precision);
    std::vector<float> at_once(static_cast<size_t>(rows * columns)), one_by_one(at_once.size());
    product(rows, {left.data(), depth, 1}, packed, {at_once.data(), columns});
    for (int64_t i = 0; i < rows; ++i) {
      product(1, {left.data() + i * depth, depth, 1}, packed, {one_by_one.data() + i * columns, columns});
    }
    CHECK(at_once == one_by_one);
  }
}

TEST_CASE("a number that is not finite stays so in its row and its column of a product, and nowhere else") {
  const int64_t rows = 17, depth = 20, columns = 34;
  auto left = random_numbers(rows * depth, 1), right = random_numbers(depth * columns, 2);
  left[3 * depth + 5] = NAN;
  right[7 * columns + 11] = INFINITY;
  for (const auto precision : {ProductPrecision::float32, ProductPrecision::bfloat16}) {
    if (!products_serve(precision)) continue;
    const PackedMatrix packed({right.data(), columns, 1}, depth, columns, precision);
    std::vector<float> result(static_cast<size_t>(rows * columns));
    product(rows, {left.data(), depth, 1}, packed, {result.data(), columns});
    bool as_expected = true;
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        const bool finite = std::isfinite(result[static_cast<size_t>(i * columns + j)]);
        as_expected = as_expected && finite == (i != 3 && j != 11);
      }
    }
    CHECK(as_expected);
  }
}
