// Teacher-forced loss of a text: perplexity, bits per character, accuracy. All from sums that are divided once.
#pragma once

#include <cstdint>

namespace tr::metrics {

/// Additive counts over target tokens (pads not counted, eos counted). The quotients are NaN without tokens or
/// characters.
struct TokenCounts {
  double nll = 0;  ///< sum of -ln p(token), nats, without label smoothing
  int64_t tokens = 0;
  int64_t correct = 0;     ///< tokens that the model found most probable
  int64_t unknown = 0;     ///< tokens that are unk in the reference
  int64_t characters = 0;  ///< code points of the reference text and 1 for the end of each line

  TokenCounts& operator+=(const TokenCounts& other);
};

/// Nats.
double nll_per_token(const TokenCounts& counts);
/// exp of nll_per_token; infinite where that overflows.
double perplexity(const TokenCounts& counts);
/// Comparable between tokenizers, as neither bits nor characters depend on how the text is cut.
double bits_per_character(const TokenCounts& counts);
/// 0 … 1
double accuracy(const TokenCounts& counts);
/// 0 … 1
double unknown_rate(const TokenCounts& counts);

}  // namespace tr::metrics
