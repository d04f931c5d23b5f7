#include "libtr/metrics/perplexity.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace tr::metrics {
namespace {

double ratio(double sum, int64_t count) {
  return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

TokenCounts& TokenCounts::operator+=(const TokenCounts& other) {
  nll += other.nll;
  tokens += other.tokens;
  correct += other.correct;
  unknown += other.unknown;
  characters += other.characters;
  return *this;
}

double nll_per_token(const TokenCounts& counts) { return ratio(counts.nll, counts.tokens); }
double perplexity(const TokenCounts& counts) { return std::exp(nll_per_token(counts)); }
double bits_per_character(const TokenCounts& counts) {
  return ratio(counts.nll / std::numbers::ln2, counts.characters);
}
double accuracy(const TokenCounts& counts) { return ratio(static_cast<double>(counts.correct), counts.tokens); }
double unknown_rate(const TokenCounts& counts) { return ratio(static_cast<double>(counts.unknown), counts.tokens); }

}  // namespace tr::metrics
