#include "libtr/metrics/tokenize.h"

#include "tests/support.h"

namespace tr::metrics {
namespace {

using Tokens = std::vector<std::string>;

TEST_CASE("13a keeps numbers whole and decodes four entities") {
  CHECK(tokenize("It costs $1,234.50 (3-ish).", Tokenizer::mteval_13a) ==
        Tokens{"It", "costs", "$", "1,234.50", "(", "3", "-", "ish", ")", "."});
  CHECK(tokenize("&quot;a&amp;lt;b&apos;", Tokenizer::mteval_13a) == Tokens{"\"", "a", "<", "b", "&", "apos", ";"});
  CHECK(tokenize("<skipped>cut-\nting\nlines", Tokenizer::mteval_13a) == Tokens{"cutting", "lines"});
}

TEST_CASE("white space is what Python splits at") {
  for (const auto tokenizer : {Tokenizer::mteval_13a, Tokenizer::none, Tokenizer::intl, Tokenizer::zh}) {
    INFO(tokenizer_name(tokenizer));
    CHECK(tokenize("a\u00a0b\u0085"
                   "c\u2028"
                   "d\u3000"
                   "e\x1c"
                   "f ",
                   tokenizer) == Tokens{"a", "b", "c", "d", "e", "f"});
    CHECK(tokenize("a\u200b"
                   "b",
                   tokenizer)
              .size() == (tokenizer == Tokenizer::zh ? 3 : 1));
    CHECK(tokenize("", tokenizer).empty());
    CHECK(tokenize(" \u2028", tokenizer).empty());
  }
}

TEST_CASE("char makes a token of every code point but white space") {
  CHECK(tokenize("가 나👍🏽", Tokenizer::character) == Tokens{"가", "나", "👍", "🏽"});
}

TEST_CASE("tokenizers have names") {
  for (const std::string name : {"13a", "none", "char", "intl", "zh", "moses-lc"})
    CHECK(tokenizer_name(tokenizer_of_name(name)) == name);
  CHECK(test::error_of([] { tokenizer_of_name("13b"); }) ==
        "--tokenize: unknown tokenizer \"13b\", expected one of 13a, none, char, intl, zh, moses-lc");
}

}  // namespace
}  // namespace tr::metrics
