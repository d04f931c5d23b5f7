#include "libtr/metrics/moses.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>
#include <vector>

#include "libtr/base/unicode.h"
#include "libtr/metrics/rewrite.h"

namespace tr::metrics {
namespace {

/// Stands for a period of an ellipsis while single periods are judged; no code point, so no text can hold it.
constexpr char32_t kHeldPeriod = 0x110000;

bool is_ascii_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool is_latin_letter(char32_t c) { return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z'); }
bool is_not_alphabetic(char32_t c) { return !is_alphabetic(c); }
bool is_not_number(char32_t c) { return !is_number(c); }
bool is_comma(char32_t c) { return c == U','; }
bool is_space(char32_t c) { return c == U' '; }
bool is_period(char32_t c) { return c == U'.'; }

/// Wherever left, `middle`, right stand in a row, `middle` becomes `replacement`; matches do not overlap.
template <class Left, class Right>
std::u32string replace_between(std::u32string_view text, Left left, char32_t middle, Right right,
                               std::u32string_view replacement) {
  std::u32string result;
  size_t i = 0;
  while (i < text.size()) {
    if (i + 2 < text.size() && left(text[i]) && text[i + 1] == middle && right(text[i + 2])) {
      result.push_back(text[i]);
      result.append(replacement).push_back(text[i + 2]);
      i += 3;
    } else {
      result.push_back(text[i++]);
    }
  }
  return result;
}

using Replacements = std::vector<std::pair<std::u32string_view, std::u32string_view>>;

std::u32string replace_each(std::u32string text, const Replacements& replacements) {
  for (const auto& [from, to] : replacements) text = replace_all(text, from, to);
  return text;
}

std::u32string single_spaces(std::u32string_view text) {
  std::u32string result;
  std::unique_copy(text.begin(), text.end(), std::back_inserter(result),
                   [](char32_t a, char32_t b) { return is_space(a) && is_space(b); });
  return result;
}

/// Brackets hug what they enclose and what follows; no space before a percent sign, colon or semicolon.
std::u32string normalize_spaces(std::u32string text) {
  text = single_spaces(replace_each(std::move(text), {{U"\r", U""}, {U"(", U" ("}, {U")", U") "}}));
  text = replace_each(std::move(text), {{U") .", U")."},
                                        {U") !", U")!"},
                                        {U") :", U"):"},
                                        {U") ?", U")?"},
                                        {U") ;", U");"},
                                        {U") ,", U"),"},
                                        {U"( ", U"("},
                                        {U" )", U")"}});
  for (char32_t digit = U'0'; digit <= U'9'; ++digit)
    text = replace_all(text, std::u32string{digit, U' ', U'%'}, std::u32string{digit, U'%'});
  return replace_each(std::move(text), {{U" :", U":"}, {U" ;", U";"}});
}

/// Typographic quotes, dashes and the ellipsis become ASCII. A single quote is an apostrophe between letters only.
std::u32string normalize_marks(std::u32string text) {
  text = replace_each(std::move(text), {{U"„", U"\""}, {U"“", U"\""}, {U"”", U"\""}, {U"–", U"-"}, {U"—", U" - "}});
  text = replace_all(single_spaces(text), U"´", U"'");
  text = replace_between(text, is_latin_letter, U'‘', is_latin_letter, U"'");
  text = replace_between(text, is_latin_letter, U'’', is_latin_letter, U"'");
  text = replace_each(std::move(text), {{U"‘", U"\""}, {U"‚", U"\""}, {U"’", U"\""}, {U"''", U"\""}, {U"…", U"..."}});
  return replace_each(
      std::move(text),
      {{U" « ", U" \""}, {U"« ", U"\""}, {U"«", U"\""}, {U" » ", U"\" "}, {U" »", U"\""}, {U"»", U"\""}});
}

/// A no-break space (U+00A0) before these is typography, not a word boundary.
std::u32string normalize_no_break_spaces(std::u32string text) {
  text = replace_each(std::move(text), {{U"\u00A0%", U"%"},
                                        {U"nº\u00A0", U"nº "},
                                        {U"\u00A0:", U":"},
                                        {U"\u00A0ºC", U" ºC"},
                                        {U"\u00A0cm", U" cm"},
                                        {U"\u00A0?", U"?"},
                                        {U"\u00A0!", U"!"},
                                        {U"\u00A0;", U";"},
                                        {U",\u00A0", U", "}});
  return single_spaces(text);
}

/// American style: `",` becomes `,"`.
std::u32string quote_after_mark(std::u32string_view text) {
  std::u32string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == U'"') {
      while (i + 1 < text.size() && (is_period(text[i + 1]) || is_comma(text[i + 1]))) result.push_back(text[++i]);
      result.push_back(U'"');
    } else {
      result.push_back(text[i]);
    }
  }
  return result;
}

/// Continental style: `,"` becomes `",` and, unless a "<" follows, `."` becomes `".`.
std::u32string quote_before_mark(std::u32string_view line) {
  const auto text = replace_all(line, U",\"", U"\",");
  std::u32string result;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_period(text[end])) ++end;
    const bool quoted = end > i && text.substr(end, 1) == U"\"" && text.substr(end + 1, 1) != U"<";
    if (quoted) result.push_back(U'"');
    const size_t kept = std::max(end, i + 1);
    result.append(text, i, kept - i);
    i = kept + (quoted ? 1 : 0);
  }
  return result;
}

/// Runs of two or more periods stand alone and are hidden from the rule for single ones.
std::u32string hold_ellipses(std::u32string_view text) {
  std::u32string result;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_period(text[end])) ++end;
    if (end - i >= 2) {
      result.append(U" ").append(end - i, kHeldPeriod).append(U" ");
      i = end;
    } else {
      result.push_back(text[i++]);
    }
  }
  return result;
}

/// Commas stand alone except between two digits ("5,300").
std::u32string separate_commas(std::u32string_view line) {
  auto text = space_pairs(line, is_not_number, is_comma, {U"", U" ", U" "});
  text = space_pairs(text, is_comma, is_not_number, {U" ", U" ", U""});
  if (text.size() >= 2 && is_comma(text.back()) && is_number(text[text.size() - 2])) text.insert(text.end() - 1, U' ');
  return text;
}

/// English splits before the apostrophe ("man 's"), French behind it ("l' homme"), others on both sides.
std::u32string separate_apostrophes(std::u32string_view line, const std::string& language) {
  if (language != "en" && language != "fr") return replace_all(line, U"'", U" ' ");
  const bool english = language == "en";
  const auto cannot_own_letter = [english](char32_t c) { return is_not_alphabetic(c) && !(english && is_number(c)); };
  auto text = replace_between(line, is_not_alphabetic, U'\'', is_not_alphabetic, U" ' ");
  text = replace_between(text, cannot_own_letter, U'\'', is_alphabetic, U" ' ");
  text = replace_between(text, is_alphabetic, U'\'', is_not_alphabetic, U" ' ");
  text = replace_between(text, is_alphabetic, U'\'', is_alphabetic, english ? U" '" : U"' ");
  if (english)
    text = replace_between(
        text, is_number, U'\'', [](char32_t c) { return c == U's'; }, U" '");
  return text;
}

/// Abbreviations that keep their period, as far as they matter in lower-cased text: those with an upper-case letter
/// can never match there, and those with a period inside are kept by rule.
const std::unordered_set<std::u32string>& abbreviations(const std::string& language) {
  using Words = std::unordered_set<std::u32string>;
  static const Words german = {U"bzgl", U"bzw", U"ca",  U"dergl", U"dgl",   U"etc",  U"evtl", U"ff",  U"ggf", U"jun",
                               U"pp",   U"sen", U"sog", U"sogen", U"spp",   U"usf",  U"usw",  U"vgl", U"vs",  U"zzt",
                               U"ii",   U"iii", U"iv",  U"vi",    U"vii",   U"viii", U"ix",   U"xi",  U"xii", U"xiii",
                               U"xiv",  U"xv",  U"xvi", U"xvii",  U"xviii", U"xix",  U"xx"};
  static const Words english = {U"rev", U"v", U"vs"};
  static const Words french = {U"ann",   U"apr",  U"art",  U"auj", U"av",   U"boul", U"ca",    U"cf",    U"chap",
                               U"contr", U"dir",  U"env",  U"etc", U"ex",   U"fasc", U"fig",   U"fém",   U"hab",
                               U"ibid",  U"id",   U"inf",  U"lib", U"masc", U"ms",   U"n/réf", U"pl",    U"pp",
                               U"sec",   U"sect", U"sing", U"sq",  U"sqq",  U"suiv", U"sup",   U"suppl", U"tél",
                               U"vb",    U"vol",  U"vs",   U"al",  U"éd"};
  static const Words none;
  return language == "de" ? german : language == "en" ? english : language == "fr" ? french : none;
}

bool is_abbreviation(const std::u32string& word, const std::string& language) {
  const bool initial = word.size() == 1 && word[0] >= U'a' && word[0] <= U'z';
  if (initial && (language == "de" || (language == "fr" && word[0] != U'a'))) return true;  // "a" is a French verb
  if (language == "de" && word.size() <= 2 && std::all_of(word.begin(), word.end(), is_ascii_digit))
    return word[0] != U'0';  // ordinals: "10. mai"
  return abbreviations(language).count(word) > 0;
}

/// Whether the period behind `stem` belongs to it. `next` is the following word, empty at the end of the line.
bool keeps_period(const std::u32string& stem, const std::u32string& next, const std::string& language) {
  const bool has_period = std::any_of(stem.begin(), stem.end(), is_period);
  if (has_period && std::any_of(stem.begin(), stem.end(), is_alphabetic)) return true;
  return is_abbreviation(stem, language) || (!next.empty() && is_lower_case_letter(next[0])) ||
         (language == "en" && stem == U"pp" && !next.empty() && is_ascii_digit(next[0]));
}

std::u32string separate_periods(std::u32string_view line, const std::string& language) {
  const auto words = split_at_white_space(line);
  std::u32string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text.push_back(U' ');
    const std::u32string& word = words[i];
    const auto stem = word.substr(0, word.size() - 1);
    const auto next = i + 1 < words.size() ? words[i + 1] : std::u32string();
    const bool split = word.size() > 1 && is_period(word.back()) && !keeps_period(stem, next, language);
    text.append(split ? stem + U" ." : word);
  }
  return text;
}

std::u32string escape_entities(std::u32string text) {
  return replace_each(std::move(text), {{U"&", U"&amp;"},
                                        {U"|", U"&#124;"},
                                        {U"<", U"&lt;"},
                                        {U">", U"&gt;"},
                                        {U"'", U"&apos;"},
                                        {U"\"", U"&quot;"},
                                        {U"[", U"&#91;"},
                                        {U"]", U"&#93;"}});
}

}  // namespace

std::u32string moses_normalize_punctuation(std::u32string_view line, const std::string& language) {
  auto text = normalize_no_break_spaces(normalize_marks(normalize_spaces(std::u32string(line))));
  text = language == "en" ? quote_after_mark(text) : quote_before_mark(text);
  const bool decimal_comma = language == "de" || language == "fr";
  return replace_between(text, is_ascii_digit, U'\u00A0', is_ascii_digit, decimal_comma ? U"," : U".");
}

std::u32string moses_tokenize(std::u32string_view line, const std::string& language) {
  std::u32string text;
  for (const char32_t c : line) {
    if (c <= 0x1F && (c < U'\t' || c > U'\r')) continue;  // control characters vanish
    text.push_back(is_white_space(c) ? U' ' : c);
  }
  const auto stands_alone = [](char32_t c) {
    return !is_alphabetic(c) && !is_decimal_digit(c) && !is_space(c) &&
           std::u32string_view(U".'`,-").find(c) == std::u32string_view::npos;
  };
  text = single_spaces(std::u32string(without_outer_white_space(text)));
  text = separate_commas(hold_ellipses(space_around(text, stands_alone)));
  text = separate_periods(separate_apostrophes(text, language), language);
  if (text.ends_with(U".'")) text.replace(text.size() - 2, 2, U" . '");
  std::replace(text.begin(), text.end(), kHeldPeriod, U'.');
  return escape_entities(std::move(text));
}

std::string moses_lower_cased(std::string_view line, const std::string& language) {
  return to_utf8(moses_tokenize(moses_normalize_punctuation(to_code_points(lower_case(line)), language), language));
}

}  // namespace tr::metrics
