// The built-in corpus from sampled trees: translation, alignment, split.
#include "libtr/data/toy_corpus.h"

#include <algorithm>
#include <unordered_set>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/base/random.h"
#include "libtr/data/toy_sampler.h"

namespace tr::data {
namespace {

std::string joined(const std::vector<Word>& words) {
  std::string text;
  for (const Word& word : words) text += (text.empty() ? "" : " ") + word.text;
  return text;
}

bool share_a_label(const Word& one, const Word& other) {
  return std::any_of(one.labels.begin(), one.labels.end(), [&](const Label& label) {
    return std::find(other.labels.begin(), other.labels.end(), label) != other.labels.end();
  });
}

std::vector<std::pair<int, int>> alignment(const std::vector<Word>& source, const std::vector<Word>& target) {
  std::vector<std::pair<int, int>> links;
  for (size_t i = 0; i < source.size(); ++i) {
    for (size_t j = 0; j < target.size(); ++j) {
      if (share_a_label(source[i], target[j])) links.emplace_back(static_cast<int>(i), static_cast<int>(j));
    }
  }
  return links;
}

/// Decided by the sentence alone, so that no seed and no size can move a sentence to another split.
ToySplit split_of(const Sentence& sentence, const std::string& source) {
  if (!reserved_combination(sentence).empty()) return ToySplit::compositional;
  const uint64_t twentieth = stream_seed(0, source) % 20;
  return twentieth == 0 ? ToySplit::test : twentieth == 1 ? ToySplit::valid : ToySplit::train;
}

}  // namespace

ToyPair translate(const Sentence& sentence) {
  const std::vector<Word> source = english(sentence), target = korean(sentence);
  return {joined(source), joined(target), alignment(source, target), reserved_combination(sentence)};
}

std::vector<ToyPair> toy_corpus(ToySplit split, int64_t pairs, uint64_t seed) {
  if (pairs < 1 || pairs > kToyMaxPairs)
    throw UsageError("toy corpus", format("got {} pairs, expected 1 to {}", pairs, kToyMaxPairs));
  Random random(stream_seed(seed, "toy corpus"));
  ToySampler sampler(random);
  std::unordered_set<std::string> seen;
  std::vector<ToyPair> corpus;
  while (static_cast<int64_t>(corpus.size()) < pairs) {
    const Sentence sentence = sampler.sentence();
    const std::vector<Word> words = english(sentence);
    if (words.size() < kToyMinWords || words.size() > kToyMaxWords) continue;
    std::string source = joined(words);
    if (split_of(sentence, source) != split || !seen.insert(std::move(source)).second) continue;
    corpus.push_back(translate(sentence));
  }
  return corpus;
}

}  // namespace tr::data
