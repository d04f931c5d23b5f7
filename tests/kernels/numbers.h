// Numbers that the tests of kernels compute with.
#pragma once

#include <cstdint>
#include <vector>

#include "libtr/base/random.h"

namespace tr::kernels {

/// Uniform from -1 to 1, the same for the same seed.
inline std::vector<float> random_numbers(int64_t count, uint64_t seed) {
  Random random(seed);
  std::vector<float> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<float>(2 * random.uniform() - 1));
  return numbers;
}

}  // namespace tr::kernels
