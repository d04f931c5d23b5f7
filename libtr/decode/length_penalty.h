// What makes hypotheses of different length comparable: score = log-probability / divisor(length).
#pragma once

#include <cstdint>
#include <memory>

#include "libtr/config/registry.h"

namespace tr::decode {

/// Lengths count eos, as the log-probability does.
class LengthPenalty {
 public:
  virtual ~LengthPenalty() = default;
  /// Positive, and never smaller for a longer hypothesis: the search's proof that nothing better can follow rests on
  /// it.
  virtual double divisor(int64_t length) const = 0;

  double score(double log_probability, int64_t length) const { return log_probability / divisor(length); }
  /// No continuation, to at most `longest` tokens, of a hypothesis with this log-probability scores higher.
  double bound(double log_probability, int64_t longest) const { return score(log_probability, longest); }
};

using LengthPenalties = config::Registry<std::shared_ptr<LengthPenalty>>;
/// none, average, gnmt; open to more.
LengthPenalties& length_penalties();

}  // namespace tr::decode
