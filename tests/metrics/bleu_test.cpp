#include "libtr/metrics/bleu.h"

#include <cmath>

#include "tests/support.h"

namespace tr::metrics {
namespace {

using Catch::Matchers::Contains;

const std::string kReference = "나는 학교에 가는 것을 좋아한다 .";

BleuOptions plain(int64_t max_order) {
  BleuOptions options;
  options.tokenizer = Tokenizer::none;
  options.smoothing = Smoothing::none;
  options.max_order = max_order;
  return options;
}

double fraction(const std::string& hypothesis, int64_t max_order) {
  return sentence_bleu(hypothesis, {kReference}, plain(max_order)).score / 100;
}

TEST_CASE("BLEU of Korean pairs equals the values by hand") {
  const std::string moved = "학교에 가는 것을 좋아한다 나는 .";    // 6/6, 3/5, 2/4, 1/3
  const std::string other = "나는 오락실에 가는 것을 싫어한다 .";  // 4/6, 1/5, 0/4, 0/3
  CHECK(fraction(moved, 2) == Approx(0.7746).margin(5e-5));
  CHECK(fraction(other, 2) == Approx(0.3651).margin(5e-5));
  CHECK(fraction(moved, 4) == Approx(0.5623).margin(5e-5));
  CHECK(fraction(other, 4) == 0);
}

TEST_CASE("two tokens against six are punished by exp(1 - 6/2)") {
  const auto bleu = sentence_bleu("나는 학교에", {kReference}, plain(1));
  CHECK(bleu.brevity_penalty == Approx(0.1353).margin(5e-5));
  CHECK(bleu.score == Approx(100 * std::exp(-2.0)));
}

TEST_CASE("a repeated word matches as often as the reference has it") {
  const auto bleu = sentence_bleu("나는 나는 나는 나는", {kReference}, plain(1));
  CHECK(bleu.matches[0] == 1);
  CHECK(bleu.totals[0] == 4);
  CHECK(bleu.precisions[0] == 25);
}

TEST_CASE("of two references equally far in length the shorter counts") {
  CHECK(sentence_bleu("a b c", {"a b c d", "a b"}, plain(1)).reference_length == 2);
  CHECK(sentence_bleu("a b c", {"a b c d", "a"}, plain(1)).reference_length == 4);
}

TEST_CASE("counts of sentences add up to the corpus") {
  const std::vector<std::string> hypotheses{"the cat sat on the mat", "a dog", ""};
  const std::vector<std::string> references{"the cat sat on a mat", "a dog barks", "nothing"};
  const auto counts = bleu_counts(hypotheses, references, {});
  REQUIRE(counts.sentences() == 3);
  CHECK(bleu_of_sum(counts.sum(), {}).score == corpus_bleu(hypotheses, references).score);
  CHECK(bleu_of_sum(counts.row(0), {}).score == sentence_bleu(hypotheses[0], {references[0]}).score);
  std::vector<int64_t> twice = counts.sum();
  for (auto& value : twice) value *= 2;
  CHECK(bleu_of_sum(twice, {}).score == Approx(corpus_bleu(hypotheses, references).score).epsilon(1e-12));
}

TEST_CASE("signatures name what was done [F22]", "[F22]") {
  const References one(std::vector<std::string>{"a"});
  BleuOptions options;
  CHECK(bleu_signature(one, options) == "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0");
  options.smoothing = Smoothing::floor;
  options.lowercase = options.effective_order = true;
  CHECK(bleu_signature(References::of_sentences({{"a"}, {"a", "b"}}), options) ==
        "nrefs:var|case:lc|eff:yes|tok:13a|smooth:floor[0.10]|version:2.6.0");
  BleuOptions moses;
  moses.tokenizer = Tokenizer::moses_lc;
  moses.language = "de";
  CHECK_THAT(bleu_signature(one, moses),
             Catch::StartsWith("nrefs:1|case:lc|eff:no|tok:moses-lc-de|smooth:exp|version:libtr-"));
  moses.references_tokenized = true;
  CHECK_THAT(bleu_signature(one, moses), Contains("|tok:moses-lc-de|ref:tok|smooth:"));
}

TEST_CASE("moses-lc takes raw references, or tokenized ones if told so") {
  BleuOptions options;
  options.tokenizer = Tokenizer::moses_lc;
  options.language = "en";
  const std::string raw = "The man's \"hat\" isn't blue, is it?";
  const std::string tokenized = "the man &apos;s &quot; hat &quot; isn &apos;t blue , is it ?";
  CHECK(sentence_bleu(raw, {raw}, options).score == Approx(100));
  CHECK(sentence_bleu(raw, {tokenized}, options).score < 60);  // entities split once more
  options.references_tokenized = true;
  CHECK(sentence_bleu(raw, {tokenized}, options).score == Approx(100));
}

TEST_CASE("lower-casing concerns hypothesis and reference [F23]", "[F23]") {
  BleuOptions options;
  CHECK(sentence_bleu("DIE KATZE SASS DA", {"Die Katze sass da"}, options).score < 20);
  options.lowercase = true;
  CHECK(sentence_bleu("DIE KATZE SASS DA", {"Die Katze sass da"}, options).score == Approx(100));
}

TEST_CASE("BLEU by length groups sentences by the words of their source") {
  const std::vector<std::string> sources{"", "1 2 3 4 5", "1 2 3 4 5 6", "1  2\t3 4 5 6 ",
                                         "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 "
                                         "29 30 31"};
  const std::vector<std::string> hypotheses{"a b c d", "a b c d", "a b c d", "x y z w", "q r s t"};
  const std::vector<std::string> references{"a b c d", "a b c d", "a b c d", "a b c d", "a b c d"};
  const auto counts = bleu_counts(hypotheses, references, {});
  const auto buckets = bleu_by_length(sources, counts, {});
  REQUIRE(buckets.size() == 3);
  CHECK((buckets[0].first == 1 && buckets[0].last == 5 && buckets[0].sentences == 2));
  CHECK((buckets[1].first == 6 && buckets[1].last == 10 && buckets[1].sentences == 2));
  CHECK((buckets[2].first == 31 && buckets[2].last == 0 && buckets[2].sentences == 1));
  CHECK(buckets[0].bleu.score == Approx(100));
  CHECK(buckets[1].bleu.score ==
        corpus_bleu({"a b c d", "x y z w"}, {std::vector<std::string>{"a b c d", "a b c d"}}).score);
  CHECK(buckets[2].bleu.score == 0);
  CHECK(bleu_by_length(sources, counts, {}, {40}).size() == 1);
  CHECK(test::error_of([&] { bleu_by_length({"a"}, counts, {}); }) ==
        "sources: 1 sources, 5 hypotheses, expected equal counts");
  CHECK(test::error_of([&] {
          bleu_by_length(sources, counts, {}, {5, 5});
        }) == "length limits: not rising, expected each larger than the one before");
}

TEST_CASE("wrong options of BLEU are errors") {
  const auto error = [](const BleuOptions& options) {
    return test::error_of([&] { corpus_bleu({"a"}, std::vector<std::string>{"a"}, options); });
  };
  BleuOptions options;
  options.max_order = 0;
  CHECK(error(options) == "max_order: 0, expected at least 1");
  options = {};
  options.smoothing = Smoothing::floor;
  options.smooth_value = -1;
  CHECK(error(options) == "smooth_value: -1, expected a number from 0 up");
  options.smoothing = Smoothing::exp;
  options.smooth_value = 1;
  CHECK(error(options) == "smooth_value: given with smoothing exp, expected floor or add-k");
  options = {};
  options.references_tokenized = true;
  CHECK(error(options) == "references_tokenized: true with tokenizer 13a, expected moses-lc");
  CHECK(test::error_of([] { smoothing_of_name("add_k"); }) ==
        "--smooth: unknown smoothing \"add_k\", expected one of none, floor, add-k, exp");
}

}  // namespace
}  // namespace tr::metrics
