#include "libtr/metrics/sentences.h"

#include "libtr/metrics/bleu.h"
#include "libtr/metrics/chrf.h"
#include "tests/support.h"

namespace tr::metrics {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("different counts of lines are errors that name both") {
  const std::string unequal = "hypotheses: 2 hypotheses, 3 references, expected equal counts";
  CHECK(test::error_of([] { corpus_bleu({"a", "b"}, Lines{"a", "b", "c"}); }) == unequal);
  CHECK(test::error_of([] { corpus_chrf({"a", "b"}, Lines{"a", "b", "c"}); }) == unequal);
  CHECK(test::error_of([] {
          References::of_streams({{"a"}, {"a"}, {"a", "b"}});
        }) == "references: reference 1 has 1 lines, reference 3 has 2, expected equal counts");
}

TEST_CASE("nothing to score is an error") {
  CHECK(test::error_of([] { corpus_bleu({}, Lines{}); }) == "hypotheses: 0 lines, expected at least one");
  CHECK(test::error_of([] { corpus_chrf({}, Lines{}); }) == "hypotheses: 0 lines, expected at least one");
  CHECK(test::error_of([] { References::of_streams({}); }) ==
        "references: no references, expected at least one line for each hypothesis");
  CHECK(test::error_of([] {
          References::of_sentences({{"a"}, {}});
        }) == "references: sentence 2 has no reference, expected at least one");
}

TEST_CASE("references may vary in number") {
  CHECK(References::of_streams({{"a", "b"}, {"c", "d"}}).number() == "2");
  CHECK(References::of_streams({{"a", "b"}, {"c", "d"}}).of(1) == Lines{"b", "d"});
  CHECK(References::of_sentences({{"a"}, {"b", "c"}}).number() == "var");
  CHECK(References(Lines{"a", ""}).number() == "1");
}

TEST_CASE("sentence counts add up by column") {
  SentenceCounts counts(2), more(2);
  counts.add(std::vector<int64_t>{1, 2});
  counts.add(std::vector<int64_t>{3, 4});
  more.add(std::vector<int64_t>{10, 20});
  counts.append(more);
  CHECK(counts.sentences() == 3);
  CHECK(counts.sum() == std::vector<int64_t>{14, 26});
  CHECK(counts.row(1)[0] == 3);
  CHECK(test::error_of([&] { counts.add(std::vector<int64_t>{1, 2, 3}); }) == "sentence counts: 3 columns, expected 2");
}

}  // namespace
}  // namespace tr::metrics
