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

/// Numbers that a workspace holds.
std::size_t attention_workspace(const AttentionShape& shape);

}  // namespace tr::kernels
