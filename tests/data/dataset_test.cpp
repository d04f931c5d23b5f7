#include "libtr/data/dataset.h"

#include "tests/tokenizer/training.h"

using namespace tr;
using namespace tr::test;
using data::ParallelText;
using data::Reason;

namespace {

/// Words of one letter: as many tokens as letters.
tokenizer::Tokenizers letters(const config::Json& options = {{"type", "word"}}) {
  return train_tokenizers(options, {.source = {"a b c"}, .target = {"x y z"}, .files = {}});
}

ParallelText pairs(std::vector<std::string> source, std::vector<std::string> target) {
  return {.source = std::move(source), .target = std::move(target), .files = {}};
}

data::FilterOptions lenient() { return {.max_dropped_share = 1}; }

}  // namespace

TEST_CASE("both sides of an example end in eos and start without bos") {
  const auto tokenizers = letters();
  const auto set = make_training_set(pairs({"a b"}, {"x"}), tokenizers, {});
  REQUIRE(set.size() == 1);
  CHECK(tokenizers.source->tokens(set.examples()[0].source) == std::vector<std::string>{"▁a", "▁b", "</s>"});
  CHECK(tokenizers.target->tokens(set.examples()[0].target) == std::vector<std::string>{"▁x", "</s>"});
  const auto lengths = lengths_of(set.examples());
  CHECK(lengths[0].source == 3);
  CHECK(lengths[0].target == 2);
}

TEST_CASE("dropped pairs are counted by reason", "[F4][F12]") {
  data::FilterOptions options = lenient();
  options.max_source_tokens = 6;
  options.max_target_tokens = 5;
  options.max_length_ratio = 3;
  options.drop_duplicates = true;
  const ParallelText text = pairs({"a", "", "a", "a b c a b c", "a b c a b c a", "a a", "a a a a", "a a a", "a", "a"},
                                  {"x", "x", " ", "x y", "x x x", "x x x x x x", "x", "x", "x", "y"});
  const auto set = make_training_set(text, letters(), options);
  CHECK(set.counts().to_json() ==
        config::Json{{"pairs", 10},
                     {"kept", 4},
                     {"dropped",
                      {{"empty", 2}, {"too_long_source", 1}, {"too_long_target", 1}, {"ratio", 1}, {"duplicate", 1}}}});
  CHECK(set.size() == 4);
}

TEST_CASE("limits of 0 are no limits, a pair at the limit stays") {
  data::FilterOptions options{.max_source_tokens = 3, .max_target_tokens = 1, .max_length_ratio = 3};
  CHECK(make_training_set(pairs({"a b c"}, {"x"}), letters(), options).size() == 1);
  options = {.max_source_tokens = 0, .max_target_tokens = 0, .max_length_ratio = 0};
  std::string endless;
  for (int i = 0; i < 5000; ++i) endless += "a ";
  CHECK(make_training_set(pairs({endless}, {"x"}), letters(), options).size() == 1);
}

TEST_CASE("white space alone is empty", "[F2]") {
  for (const auto* blank : {"", " ", "\t", "\u00a0", "\u3000", " \u2003 "}) {
    const auto set = make_training_set(pairs({blank, "a", "a"}, {"x", blank, "x"}), letters(), lenient());
    CHECK(set.counts().dropped.at(Reason::empty) == 2);
    CHECK(set.size() == 1);
  }
}

TEST_CASE("too large a share of dropped pairs is an error with the reasons", "[F12]") {
  const ParallelText text = pairs({"a", "", "a b c"}, {"x", "x", "x"});
  CHECK(error_of([&] { make_training_set(text, letters(), {.max_source_tokens = 2}); }) ==
        "/data/filter: 2 of 3 training pairs are dropped (empty 1, too_long_source 1), allowed is a share of 0.1 that "
        "leaves one; see max_dropped_share and the limits beside it");
  CHECK_NOTHROW(make_training_set(text, letters(), {.max_source_tokens = 2, .max_dropped_share = 0.7}));
  CHECK(error_of([&] {
          make_training_set(pairs({""}, {"x"}), letters(), lenient());
        }).starts_with("/data/filter: 1 of 1 training pairs are dropped (empty 1)"));
  CHECK(error_of([&] { make_training_set({}, letters(), lenient()); }) == "/data/train: no sentence pairs");
}

TEST_CASE("validation and test lines are never dropped nor cut", "[F11]") {
  std::string endless;
  for (int i = 0; i < 5000; ++i) endless += "a ";
  const auto tokenizers = letters();
  const auto examples = encode_all(pairs({endless, "", "a", "\u00a0"}, {"x", "x y", "", ""}), tokenizers);
  REQUIRE(examples.size() == 4);
  CHECK(examples[0].source.size() == 5001);
  CHECK(examples[1].source == tokenizer::Ids{tokenizer::kEos});
  CHECK(examples[2].target == tokenizer::Ids{tokenizer::kEos});
  const auto sources = data::encode_sources({"a", "", "b"}, *tokenizers.source);
  CHECK(sources.size() == 3);
  CHECK(sources[0] == examples[2].source);
  CHECK(sources[1] == tokenizer::Ids{tokenizer::kEos});
}

TEST_CASE("a blank line is eos alone even if the tokenizer has ids for its white space", "[F2]") {
  const auto tokenizers = letters();
  const tokenizer::Ids end = {tokenizer::kEos};
  for (const std::string blank : {"", " ", "\t", "\u00a0", "\u3000"}) {
    CAPTURE(blank);
    CHECK(data::encode_sources({blank}, *tokenizers.source).front() == end);
    const auto example = encode_all(pairs({blank}, {blank}), tokenizers).front();
    CHECK(example.source == end);
    CHECK(example.target == end);
  }
  CHECK_FALSE(tokenizers.source->encode("\u3000").empty());
}

TEST_CASE("a sentence is cut to its first tokens and eos, and only where it is too long", "[F10]") {
  const tokenizer::Ids sentence = {7, 8, 9, tokenizer::kEos};
  CHECK(data::cut(sentence, 0) == sentence);
  CHECK(data::cut(sentence, 4) == sentence);
  CHECK(data::cut(sentence, 3) == tokenizer::Ids{7, 8, tokenizer::kEos});
  CHECK(data::cut(sentence, 1) == tokenizer::Ids{tokenizer::kEos});
  const auto examples = data::cut(std::vector<data::Example>{{sentence, {5, 6, tokenizer::kEos}}}, 2);
  CHECK(examples[0].source == tokenizer::Ids{7, tokenizer::kEos});
  CHECK(examples[0].target == tokenizer::Ids{5, tokenizer::kEos});
}

TEST_CASE("one pair is a corpus", "[F35]") { CHECK(make_training_set(pairs({"a"}, {"x"}), letters(), {}).size() == 1); }

TEST_CASE("subword sampling: examples depend on seed, epoch and line alone", "[F41]") {
  const config::Json options = {
      {"type", "unigram"}, {"vocab_size", 400}, {"sampling", {{"type", "n_best"}, {"n", 8}, {"alpha", 0.2}}}};
  ParallelText text = fixture();
  text.source[5] = "";  // dropped: places in the text count, not places in the set
  const auto tokenizers = train_tokenizers(options, text);
  auto set = make_training_set(text, tokenizers, {}), again = make_training_set(text, tokenizers, {});
  const auto sources = [](const std::vector<data::Example>& examples) {
    std::vector<tokenizer::Ids> ids;
    for (const auto& example : examples) ids.push_back(example.source);
    return ids;
  };
  CHECK(set.varies());
  const auto first = sources(set.epoch(1, 0)), second = sources(set.epoch(1, 1));
  CHECK(sources(set.epoch(1, 0)) == first);
  CHECK(first.size() == 79);
  CHECK(first != second);
  CHECK(first != sources(set.examples()));
  CHECK(first != sources(set.epoch(2, 0)));
  CHECK(sources(again.epoch(1, 1)) == second);  // without epoch 0 before
  CHECK(sources(set.epoch(1, 0)) == first);
  CHECK(tokenizers.source->decode(first[5]) == text.source[6]);

  ParallelText shorter = text;  // another pair dropped in front changes nothing behind it
  shorter.source[0] = "";
  auto others = make_training_set(shorter, tokenizers, {});
  CHECK(sources(others.epoch(1, 0)) == std::vector<tokenizer::Ids>(first.begin() + 1, first.end()));
}

TEST_CASE("subword sampling: a side drawn longer than the filter allows has its best segmentation", "[F10]") {
  const config::Json options = {
      {"type", "unigram"}, {"vocab_size", 400}, {"sampling", {{"type", "n_best"}, {"n", 32}, {"alpha", 0}}}};
  const auto tokenizers = train_tokenizers(options);
  data::FilterOptions limited = lenient(), unlimited = lenient();
  limited.max_source_tokens = 9;
  limited.max_target_tokens = 12;
  unlimited.max_source_tokens = unlimited.max_target_tokens = 0;
  auto set = make_training_set(fixture(), tokenizers, limited);
  CHECK(set.limits().source == 10);
  CHECK(set.limits().target == 13);
  const auto& best = set.examples();
  int64_t drawn = 0;
  for (const auto& lengths : data::lengths_of(set.epoch(1, 0))) {
    CHECK(lengths.source <= 10);
    CHECK(lengths.target <= 13);
  }
  for (size_t i = 0; i < set.size(); ++i) drawn += set.epoch(1, 0)[i].source != best[i].source;
  CHECK(drawn > 0);  // where it fits, the drawn one stays

  auto whole = make_training_set(fixture(), tokenizers, unlimited);
  CHECK(whole.limits().source == 0);
  int64_t replaced = 0;
  for (size_t i = 0, k = 0; i < set.size(); ++i, ++k) {
    while (whole.examples()[k].source != best[i].source || whole.examples()[k].target != best[i].target) ++k;
    const auto& sampled = whole.epoch(1, 0)[k].source;
    replaced += std::ssize(sampled) > 10;
    CHECK(set.epoch(1, 0)[i].source == (std::ssize(sampled) > 10 ? best[i].source : sampled));
  }
  CHECK(replaced > 0);
}

TEST_CASE("the batches of a set give the examples of their epoch") {
  const config::Json options = {{"type", "unigram"}, {"vocab_size", 400}, {"sampling", {{"type", "n_best"}}}};
  auto set = make_training_set(fixture(), train_tokenizers(options), {});
  const data::BatchOptions batches{.batch_tokens = 0, .batch_sentences = 50};
  auto stream = set.batches(batches, 3), again = set.batches(batches, 3);
  for (int64_t batch = 0; batch < 5; ++batch) {
    const auto examples = set.next(stream, 3);
    const auto expected = data::chosen(set.epoch(3, batch / 2), again.next());
    REQUIRE(examples.size() == expected.size());
    for (size_t i = 0; i < examples.size(); ++i) CHECK(examples[i].source == expected[i].source);
  }
}

TEST_CASE("without sampling every epoch is the same object") {
  auto set = make_training_set(pairs({"a"}, {"x"}), letters(), {});
  CHECK(!set.varies());
  CHECK(&set.epoch(1, 0) == &set.examples());
  CHECK(&set.epoch(1, 7) == &set.examples());
}
