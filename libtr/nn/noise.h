// What dropout masks are made from: counters, never a generator's hidden state.
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace tr::nn {

/// Key of all dropout masks of one pass over a batch. A mask's element depends on (key, site, slot of the sentence in
/// the update, position, feature) alone, so padding, the order of a batch, its division for gradient accumulation,
/// the number of threads and a resumed run leave every mask as it was.
struct Noise {
  uint64_t key = 0;            ///< mixes seed, update and pass (base/random.h: stream_seed)
  torch::Tensor slots;         ///< [batch] int64: place of each sentence in its update
  int64_t first_position = 0;  ///< time index of the first column, for step-by-step loops

  Noise at(int64_t position) const { return {key, slots, position}; }
};

}  // namespace tr::nn
