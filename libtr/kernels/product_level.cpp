// Compiled once for each instruction set (CMakeLists.txt): TR_PRODUCT_LEVEL names the table that it fills. No function
// of the standard library that would be emitted here may be called: the linker could take this copy for the whole
// program.
#if defined(__AVX512BF16__)
#include <immintrin.h>
#endif

#include <cstring>

#include "libtr/kernels/lanes.h"
#include "libtr/kernels/product_loops.h"

namespace tr::kernels {
namespace {

#if defined(__AVX512F__)
constexpr int64_t kRows = 14;  ///< of a tile: its sums, the right operand and one number of the left fill the registers
#else
constexpr int64_t kRows = 6;
#endif
constexpr int64_t kParts = 2;  ///< vectors in a row of a tile
constexpr int64_t kPanel = kParts * kLanes;

// How numbers become 32-bit units, and what two units add to a sum.
#if defined(__AVX512BF16__)
constexpr int64_t kPair = 2;
/// Pairs of neighbours out of 2 kLanes numbers.
TR_INLINE_LOOP Lanes units_along(const float* from) {
  return reinterpret_cast<Lanes>(_mm512_cvtne2ps_pbh(load(from + kLanes), load(from)));
}
/// Pairs of one number of each row.
TR_INLINE_LOOP Lanes units_across(const float* first, const float* second) {
  const auto one_behind_the_other = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(load(second), load(first)));
  const __m512i places =
      _mm512_add_epi32(_mm512_set1_epi32(0x00100000),
                       _mm512_mullo_epi32(_mm512_set1_epi32(0x00010001),
                                          _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)));
  return reinterpret_cast<Lanes>(_mm512_permutexvar_epi16(places, one_behind_the_other));
}
TR_INLINE_LOOP void add_product(Lanes& sum, const Lanes& left, const Lanes& right) {
  sum = _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(left), reinterpret_cast<__m512bh>(right));
}
#else
constexpr int64_t kPair = 1;
TR_INLINE_LOOP Lanes units_along(const float* from) { return load(from); }
TR_INLINE_LOOP Lanes units_across(const float* first, const float*) { return load(first); }
TR_INLINE_LOOP void add_product(Lanes& sum, const Lanes& left, const Lanes& right) { sum += left * right; }
#endif

/// Of `count` numbers, fewer than whole vectors have: zeros stand for the others.
template <int64_t kWhole>
struct Padded {
  float numbers[kWhole] = {};
  TR_INLINE_LOOP Padded(const float* from, int64_t count) {
    std::memcpy(numbers, from, static_cast<size_t>(count) * sizeof(float));
  }
};
TR_INLINE_LOOP Lanes units_along(const float* from, int64_t count) {
  if (count >= kPair * kLanes) return units_along(from);
  return units_along(Padded<kPair * kLanes>(from, count > 0 ? count : 0).numbers);
}
/// Row `at` of rows that stand `row` apart and end at `end`; beyond it zeros.
TR_INLINE_LOOP Lanes units_across(const float* rows, int64_t row, int64_t at, int64_t end, int64_t columns) {
  const float zeros[kLanes] = {};
  const float* first = rows + at * row;
  const float* second = at + 1 < end ? first + row : zeros;
  if (columns >= kLanes) return units_across(first, second);
  const Padded<kLanes> padded(first, columns), other(second, columns);
  return units_across(padded.numbers, other.numbers);
}

/// Rows of the matrix are contiguous: a panel takes a piece of each.
TR_INLINE_LOOP void pack_rows(const MatrixView& matrix, int64_t begin, int64_t end, int64_t column, int64_t columns,
                              float* panel) {
  for (int64_t at = begin; at < end; at += kPair) {
    for (int64_t part = 0; part < kParts; ++part) {
      const int64_t first = column + part * kLanes;
      const Lanes units =
          first < columns ? units_across(matrix.data + first, matrix.row, at, end, columns - first) : Lanes{};
      store(panel, units);
      panel += kLanes;
    }
  }
}

/// Columns of the matrix are contiguous: squares are transposed on the way.
TR_INLINE_LOOP void pack_columns(const MatrixView& matrix, int64_t begin, int64_t end, int64_t column, int64_t columns,
                                 float* panel) {
  const int64_t units = (end - begin + kPair - 1) / kPair;
  for (int64_t part = 0; part < kParts; ++part) {
    const int64_t first = column + part * kLanes;
    for (int64_t unit = 0; unit < units; unit += kLanes) {
      const int64_t at = begin + unit * kPair;
      Lanes square[kLanes];
#pragma GCC unroll 16
      for (int64_t i = 0; i < kLanes; ++i) {
        square[i] =
            first + i < columns ? units_along(matrix.data + (first + i) * matrix.column + at, end - at) : Lanes{};
      }
      transpose(square);
      for (int64_t i = 0; i < least(kLanes, units - unit); ++i) {
        store(panel + (unit + i) * kPanel + part * kLanes, square[i]);
      }
    }
  }
}

void pack(const MatrixView& matrix, int64_t depth, int64_t columns, float* packed) {
  for (int64_t begin = 0; begin < depth; begin += kProductDepth * kPair) {
    const int64_t end = least(depth, begin + kProductDepth * kPair);
    for (int64_t column = 0; column < columns; column += kPanel) {
      if (matrix.column == 1) {
        pack_rows(matrix, begin, end, column, columns, packed);
      } else {
        pack_columns(matrix, begin, end, column, columns, packed);
      }
      packed += (end - begin + kPair - 1) / kPair * kPanel;
    }
  }
}

/// Some rows of the left operand, in units: unit u of row r is data[r * row + u * unit].
struct LeftRows {
  const float* data;
  int64_t row, unit;
};
/// Where a tile's result goes.
struct Target {
  float* data;
  int64_t row;
  const float* bias;  ///< or null
  bool add;
};

template <int64_t kTileRows>
void tile(int64_t units, const LeftRows& left, const float* panel, const Target& target) {
  Lanes sum[kTileRows][kParts];
#pragma GCC unroll 16
  for (int64_t r = 0; r < kTileRows; ++r) {
    for (int64_t p = 0; p < kParts; ++p) sum[r][p] = Lanes{};
  }
  for (int64_t unit = 0; unit < units; ++unit) {
    const Lanes right[kParts] = {load(panel + unit * kPanel), load(panel + unit * kPanel + kLanes)};
#pragma GCC unroll 16
    for (int64_t r = 0; r < kTileRows; ++r) {
      const Lanes number = Lanes{} + left.data[r * left.row + unit * left.unit];
      for (int64_t p = 0; p < kParts; ++p) add_product(sum[r][p], number, right[p]);
    }
  }
#pragma GCC unroll 16
  for (int64_t r = 0; r < kTileRows; ++r) {
    for (int64_t p = 0; p < kParts; ++p) {
      float* to = target.data + r * target.row + p * kLanes;
      Lanes result = sum[r][p];
      if (target.add) result += load(to);
      if (target.bias != nullptr) result += load(target.bias + p * kLanes);
      store(to, result);
    }
  }
}

template <int64_t kTileRows = kRows>
TR_INLINE_LOOP void tile_of(int64_t rows, int64_t units, const LeftRows& left, const float* panel,
                            const Target& target) {
  if (rows == kTileRows) return tile<kTileRows>(units, left, panel, target);
  if constexpr (kTileRows > 1) tile_of<kTileRows - 1>(rows, units, left, panel, target);
}

/// At the right edge: by way of a tile of whole width.
TR_INLINE_LOOP void narrow_tile(int64_t rows, int64_t columns, int64_t units, const LeftRows& left, const float* panel,
                                const Target& target) {
  float whole[kRows * kPanel] = {}, bias[kPanel] = {};
  const auto bytes = static_cast<size_t>(columns) * sizeof(float);
  for (int64_t r = 0; target.add && r < rows; ++r) std::memcpy(whole + r * kPanel, target.data + r * target.row, bytes);
  if (target.bias != nullptr) std::memcpy(bias, target.bias, bytes);
  tile_of(rows, units, left, panel, {whole, kPanel, bias, target.add});
  for (int64_t r = 0; r < rows; ++r) std::memcpy(target.data + r * target.row, whole + r * kPanel, bytes);
}

/// Rows first … last-1 and depth begin … end-1 of the left operand, as the tiles read them; copied where they stand
/// otherwise, or so far apart that they would drive each other out of the cache.
TR_INLINE_LOOP LeftRows rows_at_hand(const MatrixView& left, int64_t first, int64_t last, int64_t begin, int64_t end,
                                     float* workspace) {
  constexpr int64_t kFarApart = 512;
  const int64_t units = (end - begin + kPair - 1) / kPair;
  if (left.column == 1) {
    const float* rows = left.data + first * left.row + begin;
    if (kPair == 1 && left.row % kFarApart != 0) return {rows, left.row, 1};
    const int64_t stride = rounded_up(units, kLanes) + kUnitsApart;
    for (int64_t r = 0; r < last - first; ++r) {
      for (int64_t unit = 0; unit < units; unit += kLanes) {
        store(workspace + r * stride + unit,
              units_along(rows + r * left.row + unit * kPair, end - begin - unit * kPair));
      }
    }
    return {workspace, stride, 1};
  }
  const int64_t stride = rounded_up(last - first, kLanes);
  for (int64_t unit = 0; unit < units; ++unit) {
    for (int64_t r = first; r < last; r += kLanes) {
      store(workspace + unit * stride + r - first,
            units_across(left.data + r, left.column, begin + unit * kPair, end, last - r));
    }
  }
  return {workspace, 1, stride};
}

void multiply(const ProductTask& task, float* workspace) {
  for (int64_t begin = 0; begin < task.depth; begin += kProductDepth * kPair) {
    const int64_t end = least(task.depth, begin + kProductDepth * kPair);
    const int64_t units = (end - begin + kPair - 1) / kPair;
    const float* panels = task.right + begin / kPair * rounded_up(task.columns, kPanel);
    const bool add = task.result.add || begin > 0;
    for (int64_t first = 0; first < task.rows; first += kProductRows) {
      const int64_t last = least(task.rows, first + kProductRows);
      const LeftRows rows = rows_at_hand(task.left, first, last, begin, end, workspace);
      for (int64_t column = 0; column < task.columns; column += kPanel) {
        const float* panel = panels + column * units;
        const int64_t columns = least(kPanel, task.columns - column);
        const float* bias = begin == 0 && task.result.bias != nullptr ? task.result.bias + column : nullptr;
        for (int64_t row = first; row < last; row += kRows) {
          const LeftRows left{rows.data + (row - first) * rows.row, rows.row, rows.unit};
          const Target target{task.result.data + row * task.result.row + column, task.result.row, bias, add};
          const int64_t count = least(kRows, last - row);
          if (columns == kPanel) {
            tile_of(count, units, left, panel, target);
          } else {
            narrow_tile(count, columns, units, left, panel, target);
          }
        }
      }
    }
  }
}

}  // namespace

extern const ProductLoops TR_PRODUCT_LEVEL;
const ProductLoops TR_PRODUCT_LEVEL{kPanel, kPair, pack, multiply};

}  // namespace tr::kernels
