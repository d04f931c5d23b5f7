// The built-in corpus: English sentences of a small grammar, their Korean translations and the word alignment.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "libtr/config/fields.h"
#include "libtr/data/toy_tree.h"

namespace tr::data {

/// Tokens stand between single blanks; both sentences end in " .".
struct ToyPair {
  std::string english, korean;
  std::vector<std::pair<int, int>> alignment;  ///< (English word, Korean word), counted from 0, in rising order
  std::string combination;  ///< the reserved combination in it; empty outside ToySplit::compositional
};

/// A sentence belongs to one split whatever the seed and the size: compositional holds all sentences with a reserved
/// combination of structures, the others share the rest by a hash of the English sentence.
enum class ToySplit { train, valid, test, compositional };

inline auto names_of(ToySplit) {
  return std::vector<std::pair<ToySplit, const char*>>{{ToySplit::train, "train"},
                                                       {ToySplit::valid, "valid"},
                                                       {ToySplit::test, "test"},
                                                       {ToySplit::compositional, "compositional"}};
}

inline constexpr size_t kToyMinWords = 3, kToyMaxWords = 40;  ///< of an English sentence, its full stop counted
inline constexpr int64_t kToyMaxPairs = 1'000'000;

struct ToyOptions {
  ToySplit split = ToySplit::train;
  int64_t pairs = 20000;
  int64_t seed = 1;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("split", self.split, "sentences that no other split has");
    field("pairs", self.pairs, "number of sentence pairs, all distinct", config::between(1, kToyMaxPairs));
    field("seed", self.seed, "which sentences of the split are drawn");
  }
};

/// Distinct pairs; the first n of a larger request are the same. UsageError for pairs out of 1 … kToyMaxPairs.
std::vector<ToyPair> toy_corpus(ToySplit split, int64_t pairs, uint64_t seed);

/// Both sides of a tree and their alignment.
ToyPair translate(const Sentence& sentence);
/// Name of the reserved combination that a tree contains; empty if none. Each of its parts alone is seen in training.
std::string reserved_combination(const Sentence& sentence);

}  // namespace tr::data
