// The toy corpus as a whole: splits, uniqueness, alignment, lengths, vocabulary, capacity and difficulty.
#include "libtr/data/toy_corpus.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "libtr/data/toy_sampler.h"
#include "libtr/metrics/bleu.h"
#include "tests/support.h"

using namespace tr::data;

namespace {

constexpr ToySplit kAllSplits[] = {ToySplit::train, ToySplit::valid, ToySplit::test, ToySplit::compositional};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

bool is_well_formed(const std::string& text) {
  return text.ends_with(" .") && text.find("  ") == std::string::npos && text.front() != ' ';
}

double bleu(const std::vector<std::string>& hypotheses, const std::vector<ToyPair>& pairs) {
  std::vector<std::string> references;
  for (const ToyPair& pair : pairs) references.push_back(pair.korean);
  return tr::metrics::corpus_bleu(hypotheses, references, {.tokenizer = tr::metrics::Tokenizer::none}).score;
}

/// Sentences as numbers of words, so that a look-up through a whole corpus takes seconds.
class Numbering {
 public:
  std::vector<int> operator()(const std::string& text) {
    std::vector<int> ids;
    for (const std::string& word : words_of(text)) {
      ids.push_back(ids_.try_emplace(word, static_cast<int>(ids_.size())).first->second);
    }
    return ids;
  }

 private:
  std::map<std::string, int> ids_;
};

/// Share of words in common (Dice), order ignored; arguments are sorted.
double overlap(const std::vector<int>& one, const std::vector<int>& other) {
  size_t i = 0, j = 0, common = 0;
  while (i < one.size() && j < other.size()) {
    if (one[i] == other[j])
      ++common, ++i, ++j;
    else
      ++(one[i] < other[j] ? i : j);
  }
  return 2.0 * static_cast<double>(common) / static_cast<double>(one.size() + other.size());
}

/// Minus the Levenshtein distance over the length of the longer sentence.
double likeness(const std::vector<int>& one, const std::vector<int>& other) {
  std::vector<size_t> row(other.size() + 1);
  for (size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= one.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j < row.size(); ++j) {
      const size_t replaced = diagonal + (one[i - 1] == other[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return -static_cast<double>(row.back()) / static_cast<double>(std::max(one.size(), other.size()));
}

/// Translates each test sentence by the translation of the training sentence that is most like it.
template <class Score>
double look_up_bleu(const std::vector<std::vector<int>>& train_ids, const std::vector<std::vector<int>>& test_ids,
                    const std::vector<ToyPair>& train, const std::vector<ToyPair>& test, Score score) {
  std::vector<std::string> hypotheses;
  for (const auto& source : test_ids) {
    std::pair<double, size_t> best{-2, 0};
    for (size_t i = 0; i < train_ids.size(); ++i) {
      const double value = score(source, train_ids[i]);
      if (value > best.first) best = {value, i};
    }
    hypotheses.push_back(train[best.second].korean);
  }
  return bleu(hypotheses, test);
}

/// For each English word the Korean word that it is most often linked to; "" if it is mostly without a link.
std::map<std::string, std::string> best_lexicon(const std::vector<ToyPair>& train) {
  std::map<std::string, std::map<std::string, int>> counts;
  for (const ToyPair& pair : train) {
    const auto source = words_of(pair.english), target = words_of(pair.korean);
    std::vector<char> linked(source.size(), 0);
    for (const auto& [i, j] : pair.alignment) {
      ++counts[source[static_cast<size_t>(i)]][target[static_cast<size_t>(j)]];
      linked[static_cast<size_t>(i)] = 1;
    }
    for (size_t i = 0; i < source.size(); ++i) {
      if (!linked[i]) ++counts[source[i]][""];
    }
  }
  std::map<std::string, std::string> lexicon;
  for (const auto& [word, translations] : counts) {
    lexicon[word] = std::max_element(translations.begin(), translations.end(), [](const auto& a, const auto& b) {
                      return a.second < b.second;
                    })->first;
  }
  return lexicon;
}

}  // namespace

TEST_CASE("the same request gives the same pairs, and a larger one begins with them") {
  const auto small = toy_corpus(ToySplit::train, 500, 7), large = toy_corpus(ToySplit::train, 2000, 7);
  REQUIRE(small.size() == 500);
  REQUIRE(large.size() == 2000);
  for (size_t i = 0; i < small.size(); ++i) {
    REQUIRE(small[i].english == large[i].english);
    REQUIRE(small[i].korean == large[i].korean);
    REQUIRE(small[i].alignment == large[i].alignment);
  }
  CHECK(toy_corpus(ToySplit::train, 1, 8)[0].english != small[0].english);
}

TEST_CASE("the first pairs of seed 1 are those of every machine") {
  const auto pairs = toy_corpus(ToySplit::train, 2, 1);
  CHECK(pairs[0].english + " | " + pairs[0].korean ==
        "there are two men at the arcade . | 오락실에 남자 두 명이 있다 .");
  CHECK(pairs[1].english + " | " + pairs[1].korean ==
        "seven bad children will run in the office . | 나쁜 아이 일곱 명은 사무실에서 달릴 것이다 .");
}

TEST_CASE("a number of pairs out of range is refused") {
  const std::string expected = "expected 1 to 1000000";
  CHECK(tr::test::error_of([] { toy_corpus(ToySplit::train, 0, 1); }) == "toy corpus: got 0 pairs, " + expected);
  CHECK(tr::test::error_of([] { toy_corpus(ToySplit::test, 1000001, 1); }) ==
        "toy corpus: got 1000001 pairs, " + expected);
}

TEST_CASE("no sentence is in two splits, whatever the seeds and sizes") {
  std::map<std::string, ToySplit> home;
  int64_t size = 1000;
  for (const uint64_t seed : {1u, 2u, 3u}) {
    for (const ToySplit split : kAllSplits) {
      for (const ToyPair& pair : toy_corpus(split, size += 100, seed)) {
        REQUIRE(home.try_emplace(pair.english, split).first->second == split);
        REQUIRE(pair.combination.empty() == (split != ToySplit::compositional));
      }
    }
  }
}

TEST_CASE("two hundred thousand pairs are all distinct, well formed and of 3 to 40 words") {
  const auto pairs = toy_corpus(ToySplit::train, 200'000, 1);
  std::unordered_set<std::string> distinct;
  std::vector<int> histogram(kToyMaxWords + 1, 0);
  std::set<std::string> english_words;
  for (const ToyPair& pair : pairs) {
    distinct.insert(pair.english);
    const auto source = words_of(pair.english);
    if (source.size() < kToyMinWords || source.size() > kToyMaxWords) FAIL(pair.english);
    ++histogram[source.size()];
    english_words.insert(source.begin(), source.end());
    if (!is_well_formed(pair.english) || !is_well_formed(pair.korean)) FAIL(pair.english << " | " << pair.korean);
  }
  CHECK(distinct.size() == pairs.size());
  CHECK(std::all_of(histogram.begin() + kToyMinWords, histogram.end(), [](int count) { return count >= 20; }));
  const auto share = [&](int first, int last) {
    return std::accumulate(histogram.begin() + first, histogram.begin() + last + 1, 0.0) /
           static_cast<double>(pairs.size());
  };
  CHECK(share(3, 8) > 0.50);
  CHECK(share(9, 20) > 0.30);
  CHECK(share(21, 40) > 0.01);
  CHECK(english_words.size() < 350);
}

TEST_CASE("the grammar has more than a million sentences in one pattern alone") {
  // determiner adjective person, verb in three tenses with or without not, determiner adjective object
  int64_t determiners_of_singular = 0, sentences = 0;
  for (const Determiner& determiner : determiners()) determiners_of_singular += determiner.number != Number::plural;
  const auto phrases = [&](unsigned classes) {
    int64_t count = 0;
    for (const Noun& noun : nouns()) {
      if ((noun.kind & classes) == 0) continue;
      for (const Adjective& adjective : adjectives())
        count += (adjective.of & noun.kind) != 0 ? determiners_of_singular : 0;
    }
    return count;
  };
  for (const Verb& verb : verbs()) {
    if (verb.frame == Frame::object) sentences += phrases(kPerson) * 6 * phrases(verb.objects);
  }
  CAPTURE(sentences);
  CHECK(sentences == 49'975'380);
}

TEST_CASE("the sampler seldom repeats itself") {
  tr::Random random(5);
  ToySampler sampler(random);
  std::unordered_set<std::string> distinct;
  for (int i = 0; i < 200'000; ++i) distinct.insert(translate(sampler.sentence()).english);
  CHECK(distinct.size() > 170'000);
}

TEST_CASE("the translation is a function of the source, in small languages where sentences collide") {
  for (const size_t words_per_choice : {1, 2, 4}) {
    tr::Random random(words_per_choice);
    ToySampler sampler(random, words_per_choice);
    std::unordered_map<std::string, ToyPair> known;
    for (int i = 0; i < 100'000; ++i) {
      const ToyPair pair = translate(sampler.sentence());
      const ToyPair& first = known.try_emplace(pair.english, pair).first->second;
      if (pair.korean != first.korean) FAIL(pair.english << " | " << pair.korean << " | " << first.korean);
      if (pair.alignment != first.alignment || pair.combination != first.combination) FAIL(pair.english);
    }
    CHECK(known.size() < 90'000);  // so that there were collisions to judge by
  }
}

TEST_CASE("every Korean word is linked to an English one, and only articles stay without a link") {
  const std::set<std::string> articles = {"a", "an", "the"};
  for (const ToySplit split : kAllSplits) {
    for (const ToyPair& pair : toy_corpus(split, 1000, 4)) {
      const auto source = words_of(pair.english), target = words_of(pair.korean);
      std::vector<char> source_linked(source.size(), 0), target_linked(target.size(), 0);
      for (const auto& [i, j] : pair.alignment) {
        if (i < 0 || i >= std::ssize(source) || j < 0 || j >= std::ssize(target)) FAIL("a link is out of range");
        source_linked[static_cast<size_t>(i)] = target_linked[static_cast<size_t>(j)] = 1;
      }
      CAPTURE(pair.english, pair.korean);
      REQUIRE(std::is_sorted(pair.alignment.begin(), pair.alignment.end()));
      REQUIRE(std::find(target_linked.begin(), target_linked.end(), 0) == target_linked.end());
      for (size_t i = 0; i < source.size(); ++i) {
        if (!source_linked[i] && !articles.contains(source[i])) FAIL(source[i] << " has no link");
      }
    }
  }
}

TEST_CASE("every reserved combination occurs, and training sees all of its words") {
  std::map<std::string, int> counts;
  std::set<std::string> seen, needed;
  for (const ToyPair& pair : toy_corpus(ToySplit::compositional, 1000, 1)) {
    ++counts[pair.combination];
    for (const std::string& word : words_of(pair.english)) needed.insert(word);
  }
  for (const ToyPair& pair : toy_corpus(ToySplit::train, 20'000, 1)) {
    for (const std::string& word : words_of(pair.english)) seen.insert(word);
    CHECK_FALSE(pair.korean.find("고양이 여섯 마리") != std::string::npos);
  }
  CHECK(counts.size() == 4);
  for (const auto& [combination, count] : counts) CHECK(count >= 50);
  CHECK(std::includes(seen.begin(), seen.end(), needed.begin(), needed.end()));
}

TEST_CASE("neither look-up nor substitution reaches 40 BLEU") {
  const auto train = toy_corpus(ToySplit::train, 20'000, 1), test = toy_corpus(ToySplit::test, 200, 1);
  Numbering numbers;
  std::vector<std::vector<int>> train_ids, test_ids;
  for (const ToyPair& pair : train) train_ids.push_back(numbers(pair.english));
  for (const ToyPair& pair : test) test_ids.push_back(numbers(pair.english));
  CHECK(look_up_bleu(train_ids, test_ids, train, test, likeness) < 20);
  for (auto* corpus : {&train_ids, &test_ids}) {
    for (auto& sentence : *corpus) std::sort(sentence.begin(), sentence.end());
  }
  CHECK(look_up_bleu(train_ids, test_ids, train, test, overlap) < 20);
  CHECK(look_up_bleu(test_ids, test_ids, test, test, overlap) == Approx(100));  // the look-up itself works

  const auto lexicon = best_lexicon(train);
  std::vector<std::string> substituted;
  for (const ToyPair& pair : test) {
    std::string text;
    for (const std::string& word : words_of(pair.english)) {
      const std::string& translation = lexicon.at(word);
      text += (text.empty() || translation.empty() ? "" : " ") + translation;
    }
    substituted.push_back(text);
  }
  CHECK(bleu(substituted, test) < 10);
}
