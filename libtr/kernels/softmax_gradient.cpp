#include "libtr/kernels/softmax_gradient.h"

#include <bit>
#include <cmath>
#include <limits>

#include "libtr/kernels/dispatch.h"
#include "libtr/kernels/exponential.h"

namespace tr::kernels {
namespace {

TR_INLINE_LOOP float load(float value) { return value; }
TR_INLINE_LOOP float load(BFloat16Bits value) { return std::bit_cast<float>(static_cast<uint32_t>(value) << 16); }
TR_INLINE_LOOP void store(float value, float& place) { place = value; }
/// Rounds to the nearest, ties to even; values here are finite or a gradient that is of no use anyway.
TR_INLINE_LOOP void store(float value, BFloat16Bits& place) {
  const auto bits = std::bit_cast<uint32_t>(value);
  place = static_cast<BFloat16Bits>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

struct Sums {
  float highest = 0;
  float exponentials = 0;  ///< sum of exp(logit - highest)
  float logits = 0;        ///< sum of (logit - highest)
};

template <class Element>
TR_INLINE_LOOP float highest_of(const Element* logits, int64_t vocab) {
  float highest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : highest)
  for (int64_t i = 0; i < vocab; ++i) {
    const float logit = load(logits[i]);
    highest = logit > highest ? logit : highest;
  }
  return highest;
}

template <class Element>
TR_INLINE_LOOP RowLoss row_loss(const Element* logits, int64_t target, TargetWeights weights, Sums sums) {
  const double log_sum = std::log(static_cast<double>(sums.exponentials));  // of exp(logit - highest)
  const double own = static_cast<double>(load(logits[target])) - static_cast<double>(sums.highest);
  RowLoss row;
  row.nll = log_sum - own;
  row.loss = log_sum - weights.other * static_cast<double>(sums.logits) - (weights.target - weights.other) * own;
  row.correct = own == 0;
  for (int64_t i = 0; row.correct && i < target; ++i) row.correct = load(logits[i]) < sums.highest;
  return row;
}

template <class Element>
TR_INLINE_LOOP RowLoss loss_of(const Element* logits, int64_t vocab, int64_t target, TargetWeights weights) {
  const float highest = highest_of(logits, vocab);
  float exponentials = 0, sum = 0;
#pragma omp simd reduction(+ : exponentials, sum)
  for (int64_t i = 0; i < vocab; ++i) {
    const float logit = load(logits[i]) - highest;
    sum += logit;
    exponentials += exponential(logit);
  }
  return row_loss(logits, target, weights, {highest, exponentials, sum});
}

template <class Element>
TR_INLINE_LOOP RowLoss gradient_of(Element* logits, int64_t vocab, int64_t target, TargetWeights weights) {
  const float highest = highest_of(logits, vocab);
  float exponentials = 0, sum = 0;
#pragma omp simd reduction(+ : exponentials, sum)
  for (int64_t i = 0; i < vocab; ++i) {
    const float logit = load(logits[i]) - highest;
    sum += logit;
    exponentials += exponential(logit);
  }
  const RowLoss row = row_loss(logits, target, weights, {highest, exponentials, sum});
  const float scale = 1.0f / exponentials;
  const auto other = static_cast<float>(weights.other);
  const float own = exponential(load(logits[target]) - highest) * scale - static_cast<float>(weights.target);
#pragma omp simd
  for (int64_t i = 0; i < vocab; ++i) {
    store(exponential(load(logits[i]) - highest) * scale - other, logits[i]);
  }
  store(own, logits[target]);
  return row;
}

}  // namespace

TR_EACH_LEVEL RowLoss softmax_loss(const float* logits, int64_t vocab, int64_t target, TargetWeights weights) {
  return loss_of(logits, vocab, target, weights);
}
TR_EACH_LEVEL RowLoss softmax_loss(const BFloat16Bits* logits, int64_t vocab, int64_t target, TargetWeights weights) {
  return loss_of(logits, vocab, target, weights);
}
TR_EACH_LEVEL RowLoss softmax_gradient(float* logits, int64_t vocab, int64_t target, TargetWeights weights) {
  return gradient_of(logits, vocab, target, weights);
}
TR_EACH_LEVEL RowLoss softmax_gradient(BFloat16Bits* logits, int64_t vocab, int64_t target, TargetWeights weights) {
  return gradient_of(logits, vocab, target, weights);
}

RowLoss softmax_gradient_reference(const double* logits, int64_t vocab, int64_t target, TargetWeights weights,
                                   double* gradient) {
  double highest = logits[0];
  int64_t best = 0;
  for (int64_t i = 1; i < vocab; ++i) {
    if (logits[i] > highest) highest = logits[best = i];
  }
  double sum = 0;
  for (int64_t i = 0; i < vocab; ++i) sum += std::exp(logits[i] - highest);
  const double log_sum = highest + std::log(sum);
  RowLoss row{.loss = 0, .nll = log_sum - logits[target], .correct = best == target};
  for (int64_t i = 0; i < vocab; ++i) {
    const double weight = i == target ? weights.target : weights.other;
    row.loss += weight * (log_sum - logits[i]);
    gradient[i] = std::exp(logits[i] - log_sum) - weight;
  }
  return row;
}

}  // namespace tr::kernels
