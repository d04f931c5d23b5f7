#include "libtr/decode/candidates.h"

#include <ATen/ops/isfinite.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/max.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/topk.h>

#include <algorithm>
#include <limits>

#include "libtr/base/error.h"

namespace tr::decode {

void forbid_specials(torch::Tensor& logits, bool allow_unknown) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  logits.select(1, tokenizer::kPad).fill_(kNever);
  logits.select(1, tokenizer::kBos).fill_(kNever);
  if (!allow_unknown) logits.select(1, tokenizer::kUnk).fill_(kNever);
}

void require_finite(const torch::Tensor& log_sums) {
  if (!at::isfinite(log_sums).all().item<bool>()) {
    throw DataError("decoding", "the model's scores are not finite: its training diverged");
  }
}

Candidates::Candidates(torch::Tensor logits, int64_t width, bool allow_unknown)
    : width_(std::min(width, logits.size(1))) {
  log_sums_ = at::logsumexp(logits, 1).cpu();
  end_ = logits.select(1, tokenizer::kEos).contiguous().cpu();
  forbid_specials(logits, allow_unknown);
  auto [values, ids] = width_ == 1 ? at::max(logits, 1, /*keepdim=*/true) : at::topk(logits, width_, 1);
  logits_ = values.cpu().contiguous();
  ids_ = ids.cpu().contiguous();
  ids_data_ = ids_.const_data_ptr<int64_t>();
  logits_data_ = logits_.const_data_ptr<float>();
  end_data_ = end_.const_data_ptr<float>();
  log_sums_data_ = log_sums_.const_data_ptr<float>();
  require_finite(log_sums_);
}

double Candidates::log_probability_of(float logit, int64_t row) const {
  return std::min(0.0, static_cast<double>(logit) - static_cast<double>(log_sums_data_[row]));
}

void History::start_step(const torch::Tensor& attention) {
  attention_.push_back(attention.defined() ? attention.to(torch::kFloat32).cpu() : attention);
}

int64_t History::add(int64_t parent, int64_t id, int64_t row) {
  nodes_.push_back({parent, id, static_cast<int64_t>(attention_.size()) - 1, row});
  return static_cast<int64_t>(nodes_.size()) - 1;
}

Hypothesis History::hypothesis(int64_t node, int64_t source_time) const {
  Hypothesis hypothesis;
  std::vector<torch::Tensor> rows;
  for (; node != kRoot; node = nodes_[node].parent) {
    const auto& [parent, id, step, row] = nodes_[node];
    if (id != tokenizer::kEos) hypothesis.ids.push_back(id);
    if (attention_[step].defined()) rows.push_back(attention_[step][row].slice(0, 0, source_time));
  }
  std::reverse(hypothesis.ids.begin(), hypothesis.ids.end());
  std::reverse(rows.begin(), rows.end());
  if (!rows.empty()) hypothesis.attention = at::stack(rows);  // [target, source_time]
  return hypothesis;
}

}  // namespace tr::decode
