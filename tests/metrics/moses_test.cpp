#include "libtr/metrics/moses.h"

#include <zlib.h>

#include <sstream>

#include "tests/support.h"

namespace tr::metrics {
namespace {

std::vector<std::string> lines_of_gzip(const std::string& path) {
  const gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) throw DataError(path, "cannot be opened");
  std::string text, block(1 << 16, '\0');
  for (int count; (count = gzread(file, block.data(), static_cast<unsigned>(block.size()))) > 0;)
    text.append(block, 0, static_cast<size_t>(count));
  gzclose(file);
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

struct Agreement {
  size_t lines = 0, mapped = 0;  ///< mapped: the raw line becomes the tokenized one
  size_t stable = 0;             ///< the tokenized line becomes itself
};

/// Multi30k holds the raw text and what Moses made of it. Lines that differ are printed.
Agreement agreement_with_moses(const std::string& language) {
  Agreement result;
  const std::string folder = test::shared_folder() + "/data/multi30k/";
  for (const std::string name : {"val", "test_2016_flickr"}) {
    const auto raw = lines_of_gzip(folder + name + "." + language + ".gz");
    const auto tokenized = lines_of_gzip(folder + name + ".lc.norm.tok." + language + ".gz");
    REQUIRE(raw.size() == tokenized.size());
    result.lines += raw.size();
    for (size_t i = 0; i < raw.size(); ++i) {
      const auto expected = tokenized[i].substr(0, tokenized[i].find_last_not_of(' ') + 1);
      const auto got = moses_lower_cased(raw[i], language);
      result.mapped += got == expected;
      result.stable += moses_lower_cased(expected, language) == expected;
      if (got != expected)
        std::cout << name << ":" << i + 1 << "\n  got      " << got << "\n  expected " << expected << "\n";
    }
  }
  std::cout << language << ": " << result.mapped << " of " << result.lines << " lines mapped onto the Moses files; "
            << result.stable << " tokenized lines stay as they are\n";
  return result;
}

TEST_CASE("raw Multi30k becomes its lower-cased, normalised and tokenised files") {
  if (test::shared_folder().empty()) return test::skip("no ../shared");
  for (const std::string language : {"de", "en", "fr"}) {
    const auto agreement = agreement_with_moses(language);
    CHECK(agreement.lines == 2014);
    CHECK(agreement.mapped == agreement.lines);
    // Entities and split-off apostrophes are what tokenizing twice gets wrong: hence BleuOptions::references_tokenized.
    CHECK(agreement.stable < agreement.lines);
  }
}

TEST_CASE("apostrophes are split by language") {
  CHECK(moses_lower_cased("The man's 1990's hat isn't 4' tall", "en") ==
        "the man &apos;s 1990 &apos;s hat isn &apos;t 4 &apos; tall");
  CHECK(moses_lower_cased("L'homme d’art", "fr") == "l&apos; homme d&apos; art");
  CHECK(moses_lower_cased("Joe's Café", "de") == "joe &apos; s café");
}

TEST_CASE("quotes meet full stops by language") {
  CHECK(moses_lower_cased("Er sagt: „Nein.“", "de") == "er sagt : &quot; nein &quot; .");
  CHECK(moses_lower_cased("He says: “No”.", "en") == "he says : &quot; no . &quot;");
  CHECK(moses_lower_cased("Il dit\u00a0: «\u00a0non\u00a0», oui", "fr").find("&quot;") != std::string::npos);
}

TEST_CASE("numbers, abbreviations and ellipses keep their periods") {
  CHECK(moses_lower_cased("Am 10. Mai kamen ca. 1.500, usw. usf.", "de") == "am 10. mai kamen ca. 1.500 , usw. usf.");
  CHECK(moses_lower_cased("Zug 100.", "de") == "zug 100 .");
  CHECK(moses_lower_cased("Zug 10.", "de") == "zug 10.");  // might be an ordinal
  CHECK(moses_lower_cased("Train 10.", "en") == "train 10 .");
  CHECK(moses_lower_cased("Wait ... a.m. 5,300 well..", "en") == "wait ... a.m. 5,300 well ..");
  CHECK(moses_lower_cased("See pp. 5 f.", "en") == "see pp. 5 f .");
  CHECK(moses_lower_cased("3\u00a0000 m", "de") == "3,000 m");
  CHECK(moses_lower_cased("3\u00a0000 m", "en") == "3.000 m");
}

TEST_CASE("special characters are escaped and empty lines stay empty") {
  CHECK(moses_lower_cased("a & b [c] <d> | e-f", "en") == "a &amp; b &#91; c &#93; &lt; d &gt; &#124; e-f");
  CHECK(moses_lower_cased(" \t\u00a0", "en") == "");
  CHECK(moses_lower_cased("a\x01"
                          "b\x1c"
                          "c",
                          "en") == "abc");
}

TEST_CASE("other languages get the shared rules") {
  CHECK(moses_lower_cased("Čtyři lidé, dva psi.", "cs") == "čtyři lidé , dva psi .");
}

}  // namespace
}  // namespace tr::metrics
