// Reproducible random numbers: one root seed, named streams, the same values with every standard library.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace tr {

/// Mixes 64 bits so that every input bit reaches every output bit (the finaliser of SplitMix64: Steele, Lea and Flood
/// 2014, "Fast splittable pseudorandom number generators", figure 15).
constexpr uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Seed of the stream `name` under `root`, for example stream_seed(seed, "batches", {epoch}).
uint64_t stream_seed(uint64_t root, std::string_view name, std::initializer_list<uint64_t> indices = {});

/// SplitMix64 generator; its whole state is one number.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t bits();
  /// Uniform in 0 … bound-1, without bias; bound > 0.
  uint64_t below(uint64_t bound);
  /// Uniform in [0, 1), 53 bits.
  double uniform();
  /// Fisher-Yates, the same permutation everywhere.
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  uint64_t state_;
};

}  // namespace tr
