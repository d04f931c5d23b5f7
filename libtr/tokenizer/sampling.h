// Subword regularisation: another segmentation of a sentence in each epoch (Kudo 2018, "Subword Regularization").
#pragma once

#include "libtr/config/registry.h"
#include "libtr/tokenizer/tokenizer.h"

namespace tr::tokenizer {

/// Chooses among the segmentations of a line. The same seed gives the same choice everywhere.
class Sampling {
 public:
  virtual ~Sampling() = default;
  /// False if every draw is encode(): then examples need not be made anew for each epoch.
  virtual bool varies() const = 0;
  virtual Ids draw(const Tokenizer& tokenizer, const std::string& line, uint64_t seed) const = 0;
};

/// Section 3.2 of the paper: P(x_i) ~ probability(x_i)^alpha among the n best.
struct NBestOptions {
  int64_t n = 64;      ///< l of the paper
  double alpha = 0.1;  ///< 0: all alike; large: nearly always the best
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("n", self.n, "number of best segmentations among which one is drawn", config::between(2, 1024));
    field("alpha", self.alpha, "exponent of their probabilities: 0 draws evenly, a large one takes the best",
          config::at_least(0));
  }
};

using Samplings = config::Registry<std::shared_ptr<const Sampling>>;
/// none, n_best
Samplings& samplings();

}  // namespace tr::tokenizer
