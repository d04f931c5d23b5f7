#include "libtr/decode/candidates.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/max.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/topk.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <limits>

#include "libtr/base/error.h"
#include "libtr/kernels/top_logits.h"
#include "libtr/nn/fast_paths.h"

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
  end_ = logits.select(1, tokenizer::kEos).contiguous().cpu();
  if (nn::fast_paths() && logits.is_cpu() && logits.scalar_type() == at::kFloat && logits.is_contiguous()) {
    choose_by_kernel(logits, allow_unknown);
  } else {
    choose_by_stock_operations(logits, allow_unknown);
  }
  ids_data_ = ids_.const_data_ptr<int64_t>();
  logits_data_ = logits_.const_data_ptr<float>();
  end_data_ = end_.const_data_ptr<float>();
  log_sums_data_ = log_sums_.const_data_ptr<float>();
}

void Candidates::choose_by_kernel(torch::Tensor& logits, bool allow_unknown) {
  RECORD_FUNCTION("tr::top_logits", c10::ArrayRef<const c10::IValue>{});
  const int64_t rows = logits.size(0), vocab = logits.size(1);
  log_sums_ = at::empty({rows}, logits.options());
  logits_ = at::empty({rows, width_}, logits.options());
  ids_ = at::empty({rows, width_}, logits.options().dtype(at::kLong));
  const float* all = logits.const_data_ptr<float>();
  auto* log_sums = log_sums_.mutable_data_ptr<float>();
  at::parallel_for(0, rows, 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) log_sums[row] = kernels::log_sum_exp(all + row * vocab, vocab);
  });
  require_finite(log_sums_);
  forbid_specials(logits, allow_unknown);
  auto* ids = ids_.mutable_data_ptr<int64_t>();
  auto* values = logits_.mutable_data_ptr<float>();
  at::parallel_for(0, rows, 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      kernels::top_logits(all + row * vocab, vocab, width_, ids + row * width_, values + row * width_);
    }
  });
}

void Candidates::choose_by_stock_operations(torch::Tensor& logits, bool allow_unknown) {
  log_sums_ = at::logsumexp(logits, 1).cpu();
  require_finite(log_sums_);
  forbid_specials(logits, allow_unknown);
  const auto [values, ids] = width_ == 1 ? at::max(logits, 1, /*keepdim=*/true) : at::topk(logits, width_, 1);
  logits_ = values.cpu().contiguous();
  ids_ = ids.cpu().contiguous();
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
