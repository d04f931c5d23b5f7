// Unicode text through ICU 72 (Unicode 15): code points, categories, case, normal forms. Text is UTF-8 in std::string.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tr {

/// Byte offset of the first fault (stray or missing continuation byte, overlong form, surrogate, beyond U+10FFFF, cut
/// off at the end); nothing if `text` is valid UTF-8.
std::optional<size_t> first_utf8_fault(std::string_view text);

/// Code points; each faulty sequence becomes U+FFFD.
std::u32string to_code_points(std::string_view text);
std::string to_utf8(std::u32string_view code_points);
std::string to_utf8(char32_t code_point);
/// Number of code points, counted as to_code_points does.
int64_t count_code_points(std::string_view text);

/// Full lower-casing without a locale, as str.lower of Python: final sigma, U+0130 becomes two code points.
std::string lower_case(std::string_view text);

enum class NormalForm { none, nfc, nfd, nfkc, nfkd };
/// Unicode Standard Annex 15. Throws DataError if `text` is not UTF-8.
std::string normalize(std::string_view text, NormalForm form);

// General categories and properties of the Unicode Character Database.
bool is_number(char32_t c);             ///< N: decimal digits, letter numbers, fractions and the like
bool is_decimal_digit(char32_t c);      ///< Nd
bool is_punctuation(char32_t c);        ///< P
bool is_symbol(char32_t c);             ///< S
bool is_alphabetic(char32_t c);         ///< property Alphabetic
bool is_lower_case_letter(char32_t c);  ///< property Lowercase

/// White space as str.split and str.strip of Python see it: the property White_Space and U+001C to U+001F.
bool is_white_space(char32_t c);
/// Non-empty pieces between white space, as str.split() of Python gives them.
std::vector<std::u32string> split_at_white_space(std::u32string_view text);
std::vector<std::string> split_at_white_space(std::string_view text);
/// Without white space at the end, as str.rstrip() of Python.
std::u32string_view without_trailing_white_space(std::u32string_view text);
/// Without white space at both ends, as str.strip() of Python.
std::u32string_view without_outer_white_space(std::u32string_view text);

}  // namespace tr
