// Greedy search: the most probable token at each step.
#pragma once

#include "libtr/decode/options.h"

namespace tr::decode {

class GreedySearch : public Search {
 public:
  explicit GreedySearch(const DecodeOptions& options);
  std::vector<Hypotheses> run(Scorer& scorer, const SearchBatch& batch) override;

 private:
  DecodeOptions options_;
  std::shared_ptr<LengthPenalty> penalty_;
};

}  // namespace tr::decode
