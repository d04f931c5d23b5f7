#include "libtr/base/unicode.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/normalizer2.h>
#include <unicode/stringoptions.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "libtr/base/error.h"
#include "libtr/base/format.h"

namespace tr {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// Calls visit(code point or a negative number for a fault, byte offset) until it returns false.
template <class Visit>
void for_each_code_point(std::string_view text, Visit&& visit) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto length = static_cast<int64_t>(text.size());
  for (int64_t next = 0; next < length;) {
    const int64_t start = next;
    UChar32 c;
    U8_NEXT(bytes, next, length, c);
    if (!visit(c, static_cast<size_t>(start))) return;
  }
}

bool in_category(char32_t c, uint32_t mask) { return (U_GET_GC_MASK(static_cast<UChar32>(c)) & mask) != 0; }

const icu::Normalizer2& normalizer(NormalForm form) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* instance = nullptr;
  switch (form) {
    case NormalForm::nfd:
      instance = icu::Normalizer2::getNFDInstance(status);
      break;
    case NormalForm::nfkc:
      instance = icu::Normalizer2::getNFKCInstance(status);
      break;
    case NormalForm::nfkd:
      instance = icu::Normalizer2::getNFKDInstance(status);
      break;
    default:
      instance = icu::Normalizer2::getNFCInstance(status);
  }
  if (U_FAILURE(status)) throw DataError("ICU", format("no data for Unicode normal forms: {}", u_errorName(status)));
  return *instance;
}

}  // namespace

std::optional<size_t> first_utf8_fault(std::string_view text) {
  std::optional<size_t> fault;
  for_each_code_point(text, [&](UChar32 c, size_t offset) {
    if (c < 0) fault = offset;
    return c >= 0;
  });
  return fault;
}

std::u32string to_code_points(std::string_view text) {
  std::u32string code_points;
  code_points.reserve(text.size());
  for_each_code_point(text, [&](UChar32 c, size_t) {
    code_points.push_back(c < 0 ? kReplacement : static_cast<char32_t>(c));
    return true;
  });
  return code_points;
}

std::string to_utf8(std::u32string_view code_points) {
  std::string text;
  text.reserve(code_points.size());
  for (const char32_t c : code_points) {
    const auto valid = static_cast<UChar32>(c > 0x10FFFF || U_IS_SURROGATE(c) ? kReplacement : c);
    uint8_t bytes[U8_MAX_LENGTH];
    int32_t length = 0;
    U8_APPEND_UNSAFE(bytes, length, valid);
    text.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
  }
  return text;
}

std::string to_utf8(char32_t code_point) { return to_utf8(std::u32string_view(&code_point, 1)); }

int64_t count_code_points(std::string_view text) {
  int64_t count = 0;
  for_each_code_point(text, [&](UChar32, size_t) {
    ++count;
    return true;
  });
  return count;
}

std::string lower_case(std::string_view text) {
  std::string lower;
  icu::StringByteSink<std::string> sink(&lower);
  UErrorCode status = U_ZERO_ERROR;
  icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())), sink, nullptr,
                            status);
  if (U_FAILURE(status)) throw DataError("ICU", format("lower-casing failed: {}", u_errorName(status)));
  return lower;
}

std::string normalize(std::string_view text, NormalForm form) {
  if (const auto fault = first_utf8_fault(text))
    throw DataError("text", format("invalid UTF-8 at byte {}, expected valid UTF-8", *fault));
  if (form == NormalForm::none) return std::string(text);
  std::string normal;
  icu::StringByteSink<std::string> sink(&normal);
  UErrorCode status = U_ZERO_ERROR;
  normalizer(form).normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())), sink, nullptr,
                                 status);
  if (U_FAILURE(status)) throw DataError("ICU", format("normalisation failed: {}", u_errorName(status)));
  return normal;
}

bool is_number(char32_t c) { return in_category(c, U_GC_N_MASK); }
bool is_decimal_digit(char32_t c) { return in_category(c, U_GC_ND_MASK); }
bool is_punctuation(char32_t c) { return in_category(c, U_GC_P_MASK); }
bool is_symbol(char32_t c) { return in_category(c, U_GC_S_MASK); }
bool is_alphabetic(char32_t c) { return u_isUAlphabetic(static_cast<UChar32>(c)) != 0; }
bool is_lower_case_letter(char32_t c) { return u_isULowercase(static_cast<UChar32>(c)) != 0; }

bool is_white_space(char32_t c) { return (c >= 0x1C && c <= 0x1F) || u_isUWhiteSpace(static_cast<UChar32>(c)) != 0; }

std::vector<std::u32string> split_at_white_space(std::u32string_view text) {
  std::vector<std::u32string> pieces;
  std::u32string piece;
  for (const char32_t c : text) {
    if (!is_white_space(c)) {
      piece.push_back(c);
    } else if (!piece.empty()) {
      pieces.push_back(std::move(piece));
      piece.clear();
    }
  }
  if (!piece.empty()) pieces.push_back(std::move(piece));
  return pieces;
}

std::vector<std::string> split_at_white_space(std::string_view text) {
  std::vector<std::string> pieces;
  for (const auto& piece : split_at_white_space(to_code_points(text))) pieces.push_back(to_utf8(piece));
  return pieces;
}

std::u32string_view without_trailing_white_space(std::u32string_view text) {
  while (!text.empty() && is_white_space(text.back())) text.remove_suffix(1);
  return text;
}

std::u32string_view without_outer_white_space(std::u32string_view text) {
  while (!text.empty() && is_white_space(text.front())) text.remove_prefix(1);
  return without_trailing_white_space(text);
}

}  // namespace tr
