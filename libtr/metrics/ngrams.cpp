#include "libtr/metrics/ngrams.h"

#include <algorithm>

namespace tr::metrics {

uint32_t NgramTrie::child(uint32_t node, uint32_t symbol) {
  const uint64_t edge = static_cast<uint64_t>(node) << 32 | symbol;
  return children_.try_emplace(edge, static_cast<uint32_t>(children_.size() + 1)).first->second;
}

NgramCounts NgramTrie::count(const std::vector<uint32_t>& symbols, int64_t max_order) {
  NgramCounts counts(static_cast<size_t>(max_order));
  for (size_t start = 0; start < symbols.size(); ++start) {
    const size_t orders = std::min(counts.size(), symbols.size() - start);
    uint32_t node = 0;
    for (size_t order = 0; order < orders; ++order) {
      node = child(node, symbols[start + order]);
      ++counts[order][node];
    }
  }
  return counts;
}

uint32_t NgramTrie::word(const std::string& word) {
  return words_.try_emplace(word, static_cast<uint32_t>(words_.size())).first->second;
}

std::vector<uint32_t> NgramTrie::words(const std::vector<std::string>& words) {
  std::vector<uint32_t> numbers;
  numbers.reserve(words.size());
  for (const auto& text : words) numbers.push_back(word(text));
  return numbers;
}

}  // namespace tr::metrics
