// What a search needs of a row of logits: how much all of them weigh, and the few best.
#pragma once

#include <cstdint>

namespace tr::kernels {

/// log of the sum of exp(logits [vocab]); not finite if a logit is not, -infinity aside.
float log_sum_exp(const float* logits, int64_t vocab);

/// The `width` highest of logits [vocab], 1 <= width <= vocab: best first, of equal ones the lower id first. No logit
/// may be NaN.
void top_logits(const float* logits, int64_t vocab, int64_t width, int64_t* ids, float* values);

}  // namespace tr::kernels
