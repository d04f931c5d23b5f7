// Sampling from the model's distribution: ancestral, with temperature, top-k (Fan et al. 2018, "Hierarchical Neural
// Story Generation", section 5.4) and top-p (Holtzman et al. 2020, "The Curious Case of Neural Text Degeneration",
// section 3.1).
#pragma once

#include "libtr/decode/options.h"

namespace tr::decode {

struct SamplingOptions {
  double temperature = 1;  ///< logits are divided by it
  int64_t top_k = 0;       ///< draw from the k most probable tokens; 0 = from all
  double top_p = 1;        ///< draw from the fewest most probable tokens that have at least this probability together
  int64_t seed = 1;

  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("temperature", self.temperature, "logits are divided by it: below 1 sharper, above 1 flatter",
          config::above(0));
    field("top_k", self.top_k, "draw from the k most probable tokens; 0 = from all", config::at_least(0));
    field("top_p", self.top_p, "draw from the fewest most probable tokens that have at least this probability together",
          config::Limits{.low = 0, .high = 1, .without_low = true});
    field("seed", self.seed, "draws depend on the seed, the source tokens and the number of the sample alone");
  }
};

/// Draws `n_best` samples a sentence. Their stream of random numbers is settled by seed, source and number of the
/// sample, so that neither batch nor order matters; equal sources get equal samples. Log-probabilities are the model's
/// own, whatever temperature and cuts.
class Sampling : public Search {
 public:
  Sampling(const SamplingOptions& sampling, const DecodeOptions& options);
  std::vector<Hypotheses> run(Scorer& scorer, const SearchBatch& batch) override;

 private:
  SamplingOptions sampling_;
  DecodeOptions options_;
  std::shared_ptr<LengthPenalty> penalty_;
};

}  // namespace tr::decode
