// Work that several threads do at the same time, each on tensors of its own.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>

namespace tr::models {

/// Threads worth having for work on `device`: those of the process on a CPU, else 1.
int64_t workers_on(const torch::Device& device);

/// work(0) … work(count - 1) at the same time, a thread each; of several, LibTorch and its libraries stay on the thread
/// that calls them. The caller's precision and gradient mode hold in all. Throws what the first of them threw, in order
/// of their numbers.
void at_the_same_time(int64_t count, const std::function<void(int64_t worker)>& work);

/// work(worker, item) once for each of `items`, in order, as workers become free; no more workers than items. Nothing
/// is begun after a failure.
void share_out(int64_t workers, int64_t items, const std::function<void(int64_t worker, int64_t item)>& work);

}  // namespace tr::models
