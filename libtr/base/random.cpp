#include "libtr/base/random.h"

namespace tr {

uint64_t stream_seed(uint64_t root, std::string_view name, std::initializer_list<uint64_t> indices) {
  uint64_t hash = mix(root);
  for (const unsigned char c : name) hash = mix(hash ^ c);
  for (const uint64_t index : indices) hash = mix(hash ^ mix(index));
  return hash;
}

uint64_t Random::bits() {
  const uint64_t value = mix(state_);
  state_ += 0x9e3779b97f4a7c15u;
  return value;
}

uint64_t Random::below(uint64_t bound) {
  const uint64_t limit = UINT64_MAX - UINT64_MAX % bound;  // values from here on would favour the small ones
  uint64_t value = bits();
  while (value >= limit) value = bits();
  return value % bound;
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

}  // namespace tr
