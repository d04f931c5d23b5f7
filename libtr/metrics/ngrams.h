// Counts of n-grams of one sentence, for metrics that compare a hypothesis with references.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace tr::metrics {

/// n-gram (as a node of an NgramTrie) → how often it occurs; one map an order, the first for single symbols.
using NgramCounts = std::vector<std::unordered_map<uint32_t, int64_t>>;

/// Numbers n-grams by the node that they end in, so that equal n-grams of several texts have equal numbers, exactly and
/// without hashing whole strings. One trie serves a hypothesis and its references.
class NgramTrie {
 public:
  /// Counts of the n-grams of order 1 … max_order of `symbols` (code points, or words through word()).
  NgramCounts count(const std::vector<uint32_t>& symbols, int64_t max_order);
  /// The number of a word, the same for equal words.
  uint32_t word(const std::string& word);
  std::vector<uint32_t> words(const std::vector<std::string>& words);

 private:
  uint32_t child(uint32_t node, uint32_t symbol);

  std::unordered_map<uint64_t, uint32_t> children_;  // node << 32 | symbol → node; the root is 0
  std::unordered_map<std::string, uint32_t> words_;
};

}  // namespace tr::metrics
