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

}  // namespace

ToyPair translate(const Sentence& sentence) {
  const std::vector<Word> source = english(sentence), target = korean(sentence);
  return {joined(source), joined(target), alignment(source, target), reserved_combination(sentence)};
}

ToySplit split_of(const ToyPair& pair) {
  if (!pair.combination.empty()) return ToySplit::compositional;
  const uint64_t twentieth = stream_seed(0, pair.english) % 20;
  return twentieth == 0 ? ToySplit::test : twentieth == 1 ? ToySplit::valid : ToySplit::train;
}

std::vector<ToyPair> toy_corpus(ToySplit split, int64_t pairs, uint64_t seed) {
  if (pairs < 1 || pairs > kToyMaxPairs)
    throw UsageError("toy corpus", format("got {} pairs, expected 1 to {}", pairs, kToyMaxPairs));
  Random random(stream_seed(seed, "toy corpus"));
  ToySampler sampler(random);
  std::unordered_set<std::string> seen;
  std::vector<ToyPair> corpus;
  while (static_cast<int64_t>(corpus.size()) < pairs) {
    ToyPair pair = translate(sampler.sentence());
    const auto words = 1 + std::count(pair.english.begin(), pair.english.end(), ' ');
    if (words < kToyMinWords || words > kToyMaxWords || split_of(pair) != split) continue;
    if (seen.insert(pair.english).second) corpus.push_back(std::move(pair));
  }
  return corpus;
}

}  // namespace tr::data
