#include "libtr/base/unicode.h"

#include "tests/support.h"

namespace tr {
namespace {

TEST_CASE("the first fault of UTF-8 is found at its byte") {
  CHECK_FALSE(first_utf8_fault(""));
  CHECK_FALSE(first_utf8_fault("a\u00e9\ud55c\U0001f600"));
  CHECK_FALSE(first_utf8_fault(std::string("\0\x7f", 2)));
  CHECK(first_utf8_fault("ab\x80") == 2u);            // stray continuation
  CHECK(first_utf8_fault("\u00e9\xc3") == 2u);        // cut off at the end
  CHECK(first_utf8_fault("a\xc3(") == 1u);            // missing continuation
  CHECK(first_utf8_fault("\xc0\xaf") == 0u);          // overlong
  CHECK(first_utf8_fault("x\xed\xa0\x80") == 1u);     // surrogate
  CHECK(first_utf8_fault("\xf4\x90\x80\x80") == 0u);  // beyond U+10FFFF
  CHECK(first_utf8_fault("\xff") == 0u);
}

TEST_CASE("code points go to UTF-8 and back") {
  const std::u32string text = U"aé한😀\u0000z";
  CHECK(to_code_points(to_utf8(text)) == text);
  CHECK(to_code_points("a\xff"
                       "b") == U"a\uFFFDb");
  CHECK(to_utf8(static_cast<char32_t>(0xD800)) == "\uFFFD");
  CHECK(to_utf8(static_cast<char32_t>(0x110000)) == "\uFFFD");
  CHECK(count_code_points("한국\xff😀") == 4);
}

TEST_CASE("lower-casing follows str.lower of Python") {
  CHECK(lower_case("ÄÖÜ STRASSE ẞ Ǆ ДОМ 한") == "äöü strasse ß ǆ дом 한");
  CHECK(lower_case("ΟΔΥΣΣΕΥΣ ΣΑΣ, Σ") == "οδυσσευς σας, σ");  // sigma at the end of a word, alone it is medial
  CHECK(lower_case("İ") == "i\u0307");
  CHECK(lower_case("I") == "i");  // whatever the locale
}

TEST_CASE("normal forms [F23]", "[F23]") {
  CHECK(normalize("e\u0301", NormalForm::nfc) == "\u00e9");
  CHECK(normalize("\u00e9", NormalForm::nfd) == "e\u0301");
  CHECK(normalize("\ufb01\u00bd\uff21", NormalForm::nfkc) == "fi1\u20442A");
  CHECK(normalize("\uff21\u00e9", NormalForm::nfkd) == "Ae\u0301");
  CHECK(normalize("\u1112\u1161\u11ab", NormalForm::nfc) == "\ud55c");  // Hangul letters make a syllable
  CHECK(normalize("e\u0301\ufb01", NormalForm::none) == "e\u0301\ufb01");
  CHECK(test::error_of([] { normalize("ab\xff", NormalForm::nfc); }) ==
        "text: invalid UTF-8 at byte 2, expected valid UTF-8");
}

TEST_CASE("white space is that of Python, and no more") {
  std::u32string found;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (is_white_space(c)) found.push_back(c);
  }
  const std::u32string python =
      U"\t\n\v\f\r\x1c\x1d\x1e\x1f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
      U"\u2028\u2029\u202f\u205f\u3000";
  CHECK(found == python);
  CHECK(split_at_white_space("\u2028 a  b\u00a0c\x1f") == std::vector<std::string>{"a", "b", "c"});
  CHECK(split_at_white_space("").empty());
  CHECK(without_trailing_white_space(U" a b \u3000") == U" a b");
  CHECK(without_outer_white_space(U"\u0085 a b \r") == U"a b");
  CHECK(without_outer_white_space(U" ").empty());
}

TEST_CASE("categories of code points") {
  CHECK((is_number(U'7') && is_number(U'½') && is_number(U'Ⅳ') && is_number(U'٣') && !is_number(U'a')));
  CHECK((is_decimal_digit(U'٣') && !is_decimal_digit(U'½')));
  CHECK((is_punctuation(U'¿') && is_punctuation(U'_') && !is_punctuation(U'$') && !is_punctuation(U'a')));
  CHECK((is_symbol(U'$') && is_symbol(U'😀') && is_symbol(U'^') && !is_symbol(U'-')));
  CHECK((is_alphabetic(U'한') && is_alphabetic(U'ß') && !is_alphabetic(U'1') && !is_alphabetic(U'\u0301')));
  CHECK((is_lower_case_letter(U'ß') && !is_lower_case_letter(U'A') && !is_lower_case_letter(U'한')));
}

}  // namespace
}  // namespace tr
