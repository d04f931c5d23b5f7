// Work that several threads do at the same time, each on a graph of its own.
#pragma once

#include <cstdint>
#include <functional>

namespace tr::train {

/// work(0) … work(count - 1) at the same time, a thread each; LibTorch and its libraries stay on the thread that calls
/// them. The caller's precision holds in all. Throws what the first of them threw, in order of their numbers.
void at_the_same_time(int64_t count, const std::function<void(int64_t)>& work);

}  // namespace tr::train
