// Beam search, many sentences at once: Graves 2012, "Sequence Transduction with Recurrent Neural Networks",
// section 2.5; Sutskever et al. 2014, section 3.2.
#pragma once

#include "libtr/decode/options.h"

namespace tr::decode {

/// The beam of a sentence holds `beam` hypotheses. One that ends keeps its place for good, so the places for unfinished
/// ones grow fewer; a sentence is done when none is left, or when the `n_best` finished ones score at least as high as
/// any unfinished one can come to score. Hence a beam of 1 is greedy search, and an n-best list is a prefix of every
/// longer one.
class BeamSearch : public Search {
 public:
  explicit BeamSearch(const DecodeOptions& options);
  std::vector<Hypotheses> run(Scorer& scorer, const SearchBatch& batch) override;

 private:
  DecodeOptions options_;
  std::shared_ptr<LengthPenalty> penalty_;
};

}  // namespace tr::decode
