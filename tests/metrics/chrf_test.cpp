#include "libtr/metrics/chrf.h"

#include "tests/support.h"

namespace tr::metrics {
namespace {

TEST_CASE("chrF equals the value by hand") {
  ChrfOptions options;
  options.char_order = 2;
  // 가나다 against 가나라: characters 2/3, pairs 1/2; precision = recall = (2/3 + 1/2) / 2
  CHECK(sentence_chrf("가나다", {"가나라"}, options).score == Approx(100 * 7.0 / 12));
  // ab against abcd: precision 1, recall (2/4 + 1/3) / 2 = 5/12; F2 = 5 · 5/12 / (4 + 5/12)
  CHECK(sentence_chrf("ab", {"abcd"}, options).score == Approx(100 * (25.0 / 12) / (53.0 / 12)));
}

TEST_CASE("of several references chrF takes the best") {
  CHECK(sentence_chrf("guten tag", {"auf wiedersehen", "guten tag", "hallo"}).score == Approx(100));
}

TEST_CASE("counts of sentences add up to the corpus chrF") {
  const std::vector<std::string> hypotheses{"the cat sat", "a dog", ""};
  const std::vector<std::string> references{"the cat sits", "a dog barks", "nothing"};
  const auto counts = chrf_counts(hypotheses, references, {});
  CHECK(chrf_of_sum(counts.sum(), {}) == corpus_chrf(hypotheses, references).score);
  CHECK(chrf_of_sum(counts.row(1), {}) == sentence_chrf(hypotheses[1], {references[1]}).score);
}

TEST_CASE("chrF has a name and a signature [F22]", "[F22]") {
  ChrfOptions options;
  options.word_order = 2;
  options.beta = 3;
  options.whitespace = options.lowercase = true;
  const auto chrf = corpus_chrf({"a"}, References::of_streams({{"a"}, {"b"}}), options);
  CHECK(chrf.name == "chrF3++");
  CHECK(chrf.signature == "nrefs:2|case:lc|eff:yes|nc:6|nw:2|space:yes|version:2.6.0");
}

TEST_CASE("wrong options of chrF are errors") {
  const auto error = [](const ChrfOptions& options) {
    return test::error_of([&] { corpus_chrf({"a"}, std::vector<std::string>{"a"}, options); });
  };
  ChrfOptions options;
  options.char_order = 0;
  CHECK(error(options) == "char_order: 0, expected at least 1");
  options = {};
  options.word_order = -1;
  CHECK(error(options) == "word_order: -1, expected at least 0");
  options = {};
  options.beta = 0;
  CHECK(error(options) == "beta: 0, expected at least 1");
}

}  // namespace
}  // namespace tr::metrics
