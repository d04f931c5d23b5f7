// The best next tokens of each row of logits, and how the steps behind a hypothesis are remembered.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "libtr/decode/search.h"

namespace tr::decode {

/// Next tokens of rows. Log-probabilities are those of the whole vocabulary: what is not allowed keeps its share, so
/// that forced scoring finds the same values.
class Candidates {
 public:
  /// The `width` best of each row, without pad and bos, unk as told. Changes `logits` [rows, vocab].
  Candidates(torch::Tensor logits, int64_t width, bool allow_unknown);

  int64_t width() const { return width_; }
  int64_t id(int64_t row, int64_t rank) const { return ids_data_[row * width_ + rank]; }
  double log_probability(int64_t row, int64_t rank) const {
    return log_probability_of(logits_data_[row * width_ + rank], row);
  }
  double end_log_probability(int64_t row) const { return log_probability_of(end_data_[row], row); }

 private:
  void choose_by_kernel(torch::Tensor& logits, bool allow_unknown);
  void choose_by_stock_operations(torch::Tensor& logits, bool allow_unknown);
  // The difference of two rounded numbers may come out above 0, which no log-probability is.
  double log_probability_of(float logit, int64_t row) const;

  int64_t width_;
  torch::Tensor ids_, logits_, end_, log_sums_;  // [rows, width] twice, [rows] twice; on the CPU
  const int64_t* ids_data_;
  const float *logits_data_, *end_data_, *log_sums_data_;
};

/// Sets to -infinity what is never produced: pad, bos, and unk unless allowed. logits [rows, vocab].
void forbid_specials(torch::Tensor& logits, bool allow_unknown);

/// Throws DataError for log-sums of logits that are not finite: nothing can be compared with them.
void require_finite(const torch::Tensor& log_sums);

/// Steps of all hypotheses of a batch as a tree: a hypothesis is its last node.
class History {
 public:
  static constexpr int64_t kRoot = -1;

  /// Attention of the step whose tokens are added next, [rows, source_time], or undefined.
  void start_step(const torch::Tensor& attention);
  /// `row`: whose attention belongs to the token. Returns the new node.
  int64_t add(int64_t parent, int64_t id, int64_t row);
  /// Tokens up to `node`, eos at the end left out; attention over `source_time` columns.
  Hypothesis hypothesis(int64_t node, int64_t source_time) const;

 private:
  struct Node {
    int64_t parent, id, step, row;
  };
  std::vector<Node> nodes_;
  std::vector<torch::Tensor> attention_;  // of each step
};

}  // namespace tr::decode
