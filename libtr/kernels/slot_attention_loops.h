// The loops of slot_attention.h for one instruction set.
#pragma once

#include <cstddef>
#include <vector>

#include "libtr/kernels/slot_attention.h"

namespace tr::kernels {

/// As slot_attention(), for heads of 16, 32 or 64; `workspace` has room for slot_workspace() numbers.
using SlotLoops = void (*)(const SlotAttention& task, int64_t first, int64_t last, float* workspace);

/// Those that this processor can run, the best first.
const std::vector<SlotLoops>& slot_levels();

/// The weights of one query, rounded up to whole vectors of the widest level.
constexpr std::size_t slot_workspace(const SlotAttention& task) { return static_cast<std::size_t>(task.most + 16); }

}  // namespace tr::kernels
