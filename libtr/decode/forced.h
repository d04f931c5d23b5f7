// Forced scoring: what a model thinks of given translations, on the scale of the searches.
#pragma once

#include <vector>

#include "libtr/models/interface.h"

namespace tr::decode {

struct ForcedScore {
  double log_probability = 0;  ///< of the target, eos included, without label smoothing
  int64_t tokens = 0;          ///< eos counted
};

/// One score an example, in the order given; batches of up to `batch_tokens` padded tokens. Both sides end in eos and
/// fit the model's positions (data::cut).
std::vector<ForcedScore> score_targets(models::SequenceModel& model, const std::vector<data::Example>& examples,
                                       int64_t batch_tokens = 4096);

}  // namespace tr::decode
