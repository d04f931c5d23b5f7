// The loops of attention.h for one instruction set.
#pragma once

#include <cstddef>
#include <vector>

#include "libtr/kernels/attention.h"

namespace tr::kernels {

struct AttentionLoops {
  /// As attention(); `workspace` has room for attention_workspace() numbers.
  void (*forward)(const AttentionShape& shape, const AttentionForward& heads, int64_t first, int64_t last,
                  float* workspace);
  /// As attention_gradient().
  void (*backward)(const AttentionShape& shape, const AttentionBackward& heads, int64_t first, int64_t last,
                   float* workspace);
};

/// Those that this processor can run, the best first.
const std::vector<const AttentionLoops*>& attention_levels();

constexpr int64_t kAttentionBlock = 4;      ///< queries that are served together: each loaded key serves so many
constexpr int64_t kMostAttentionStep = 16;  ///< keys that the widest level takes at once
/// Numbers that a workspace holds: for the backward pass values, sums for keys and for values, two times the weights of
/// a block of queries and the weights of one, time rounded up to whole steps.
constexpr std::size_t attention_workspace(const AttentionShape& shape) {
  return static_cast<std::size_t>((3 * shape.d_head + 2 * kAttentionBlock + 1) * (shape.key_time + kMostAttentionStep));
}

}  // namespace tr::kernels
