// How the rows of a search stand to their sentences.
#pragma once

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>

#include <cstdint>

namespace tr::models {

/// True if sentence i is that of rows i * k … i * k + k - 1, with one k for all: then what a sentence's rows share need
/// not be copied for each. sentence_of_row [rows] int64.
inline bool rows_stand_together(const at::Tensor& sentence_of_row, int64_t sentences) {
  const int64_t rows = sentence_of_row.size(0);
  if (rows == 0 || rows % sentences != 0) return false;
  const auto expected = at::arange(sentences, sentence_of_row.options()).repeat_interleave(rows / sentences);
  return at::equal(sentence_of_row, expected);
}

}  // namespace tr::models
