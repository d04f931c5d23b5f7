#include "libtr/nn/fast_paths.h"

#include <atomic>

namespace tr::nn {
namespace {

std::atomic<bool> use_fast_paths = true;

}  // namespace

bool fast_paths() { return use_fast_paths; }
void set_fast_paths(bool on) { use_fast_paths = on; }

}  // namespace tr::nn
