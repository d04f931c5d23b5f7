// Arithmetic on Hangul syllables (The Unicode Standard, section 3.12).
#include "libtr/data/toy_hangul.h"

#include "libtr/base/error.h"

namespace tr::data {
namespace {

constexpr int kFirst = 0xac00, kLast = 0xd7a3, kVowels = 21, kFinals = 28;
constexpr size_t kBytes = 3;  // every Hangul syllable takes three bytes of UTF-8

int last_code_point(std::string_view word) {
  if (word.size() < kBytes) return -1;
  const std::string_view bytes = word.substr(word.size() - kBytes);
  const auto low_bits = [&](size_t i, int mask) { return static_cast<unsigned char>(bytes[i]) & mask; };
  return low_bits(0, 0x0f) << 12 | low_bits(1, 0x3f) << 6 | low_bits(2, 0x3f);
}

std::string utf8(int code_point) {
  return {static_cast<char>(0xe0 | code_point >> 12), static_cast<char>(0x80 | (code_point >> 6 & 0x3f)),
          static_cast<char>(0x80 | (code_point & 0x3f))};
}

}  // namespace

Syllable last_syllable(std::string_view word) {
  const int code_point = last_code_point(word);
  if (code_point < kFirst || code_point > kLast) {
    throw DataError("toy corpus", "\"" + std::string(word) + "\" does not end in a Hangul syllable");
  }
  const int index = code_point - kFirst;
  return {index / (kVowels * kFinals), index / kFinals % kVowels, index % kFinals};
}

std::string without_last(std::string_view word) { return std::string(word.substr(0, word.size() - kBytes)); }

std::string with_last(std::string_view word, Syllable syllable) {
  return without_last(word) + utf8(kFirst + (syllable.lead * kVowels + syllable.vowel) * kFinals + syllable.final);
}

std::string with_final(std::string_view word, Final final) {
  Syllable syllable = last_syllable(word);
  syllable.final = final;
  return with_last(word, syllable);
}

bool ends_in_consonant(std::string_view word) { return last_syllable(word).final != kOpen; }

}  // namespace tr::data
