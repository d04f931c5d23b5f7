#include "libtr/metrics/tokenize.h"

#include <array>
#include <utility>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/base/unicode.h"
#include "libtr/metrics/moses.h"
#include "libtr/metrics/rewrite.h"

namespace tr::metrics {
namespace {

const std::array<std::pair<Tokenizer, std::string>, 6>& names() {
  static const std::array<std::pair<Tokenizer, std::string>, 6> table{{{Tokenizer::mteval_13a, "13a"},
                                                                       {Tokenizer::none, "none"},
                                                                       {Tokenizer::character, "char"},
                                                                       {Tokenizer::intl, "intl"},
                                                                       {Tokenizer::zh, "zh"},
                                                                       {Tokenizer::moses_lc, "moses-lc"}}};
  return table;
}

bool is_ascii_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool is_not_ascii_digit(char32_t c) { return !is_ascii_digit(c); }
bool is_period_or_comma(char32_t c) { return c == U'.' || c == U','; }

/// ASCII punctuation and symbols that always stand alone: all but the apostrophe, comma, hyphen and period.
bool is_western_separator(char32_t c) {
  return c >= U' ' && c <= U'~' && !is_ascii_digit(c) && !(c >= U'A' && c <= U'Z') && !(c >= U'a' && c <= U'z') &&
         c != U'\'' && c != U',' && c != U'-' && c != U'.';
}

/// The part of mteval-v13a for Western languages.
std::u32string space_western_punctuation(std::u32string_view text) {
  auto result = space_around(text, is_western_separator);
  result = space_pairs(result, is_not_ascii_digit, is_period_or_comma, {U"", U" ", U" "});
  result = space_pairs(result, is_period_or_comma, is_not_ascii_digit, {U" ", U" ", U""});
  return space_pairs(result, is_ascii_digit, [](char32_t c) { return c == U'-'; }, {U"", U" ", U" "});
}

std::u32string space_13a(std::u32string_view line) {
  auto text = replace_all(line, U"<skipped>", U"");
  text = replace_all(text, U"-\n", U"");
  text = replace_all(text, U"\n", U" ");
  text = replace_all(text, U"&quot;", U"\"");
  text = replace_all(text, U"&amp;", U"&");  // before the next two: "&amp;lt;" ends as "<"
  text = replace_all(text, U"&lt;", U"<");
  text = replace_all(text, U"&gt;", U">");
  return space_western_punctuation(U" " + text + U" ");
}

std::u32string space_international(std::u32string_view line) {
  const auto is_not_number = [](char32_t c) { return !is_number(c); };
  auto text = space_pairs(line, is_not_number, is_punctuation, {U"", U" ", U" "});
  text = space_pairs(text, is_punctuation, is_not_number, {U" ", U" ", U""});
  return space_around(text, is_symbol);
}

/// The characters that sacreBLEU takes for Chinese. Its ranges for U+20000 … U+2A6D6 and U+2F800 … U+2FA1D are written
/// with four hexadecimal digits and a stray fifth one, and so mean U+2001 … U+2A6D (quotation marks, arrows, …) and
/// U+2F81 … U+2FA1; scores agree only if that is kept.
bool is_chinese(char32_t c) {
  constexpr std::array<std::pair<char32_t, char32_t>, 22> ranges{{
      {0x3400, 0x4DB5}, {0x4E00, 0x9FA5}, {0x9FA6, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9},
      {0x2001, 0x2A6D}, {0x2F81, 0x2FA1}, {0xFF00, 0xFFEF}, {0x2E80, 0x2EFF}, {0x3000, 0x303F}, {0x31C0, 0x31EF},
      {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F},
      {0x2600, 0x26FF}, {0x2700, 0x27BF}, {0x3200, 0x32FF}, {0x3300, 0x33FF},
  }};
  for (const auto& [first, last] : ranges) {
    if (c >= first && c <= last) return true;
  }
  return false;
}

std::u32string space_chinese(std::u32string_view line) {
  return space_western_punctuation(space_around(without_outer_white_space(line), is_chinese));
}

/// Tokens with spaces between them, by the rules of `tokenizer`.
std::u32string space(std::u32string_view line, Tokenizer tokenizer) {
  switch (tokenizer) {
    case Tokenizer::mteval_13a:
      return space_13a(line);
    case Tokenizer::character:
      return space_around(line, [](char32_t) { return true; });
    case Tokenizer::intl:
      return space_international(line);
    case Tokenizer::zh:
      return space_chinese(line);
    default:
      return std::u32string(line);
  }
}

}  // namespace

const std::string& tokenizer_name(Tokenizer tokenizer) {
  for (const auto& entry : names()) {
    if (entry.first == tokenizer) return entry.second;
  }
  throw UsageError("tokenizer", format("{} is no tokenizer", static_cast<int>(tokenizer)));
}

Tokenizer tokenizer_of_name(std::string_view name, const std::string& where) {
  std::string known;
  for (const auto& entry : names()) {
    if (entry.second == name) return entry.first;
    known += (known.empty() ? "" : ", ") + entry.second;
  }
  throw UsageError(where, format("unknown tokenizer \"{}\", expected one of {}", name, known));
}

std::vector<std::string> tokenize(std::string_view line, Tokenizer tokenizer, const std::string& language) {
  if (tokenizer == Tokenizer::moses_lc) return split_at_white_space(moses_lower_cased(line, language));
  const auto code_points = to_code_points(line);
  std::vector<std::string> tokens;
  for (const auto& token : split_at_white_space(space(without_trailing_white_space(code_points), tokenizer)))
    tokens.push_back(to_utf8(token));
  return tokens;
}

}  // namespace tr::metrics
