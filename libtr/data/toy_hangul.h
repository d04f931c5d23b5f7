// Hangul syllables: taken apart into lead consonant, vowel and final consonant, and put together again
// (The Unicode Standard, section 3.12, "Conjoining Jamo Behavior").
#pragma once

#include <string>
#include <string_view>

namespace tr::data {

/// Vowels and finals that the grammar asks for, by their place in Unicode's order of 21 vowels and 28 finals.
enum Vowel : int {
  kA = 0,
  kAe = 1,
  kYa = 2,
  kYae = 3,
  kEo = 4,
  kE = 5,
  kYeo = 6,
  kO = 8,
  kWa = 9,
  kU = 13,
  kWo = 14,
  kEu = 18,
  kI = 20
};
enum Final : int { kOpen = 0, kN = 4, kL = 8, kSs = 20 };

struct Syllable {
  int lead = 0, vowel = 0, final = 0;  ///< final 0: the syllable is open, it ends in its vowel
};

/// The last syllable of a UTF-8 word; DataError if the word does not end in one.
Syllable last_syllable(std::string_view word);
/// `word` without its last syllable, which must be Hangul.
std::string without_last(std::string_view word);
/// `word` with another last syllable.
std::string with_last(std::string_view word, Syllable syllable);
/// `word` with another final consonant in its last syllable: 가 + ㄴ = 간, 살 + open = 사.
std::string with_final(std::string_view word, Final final);
bool ends_in_consonant(std::string_view word);

}  // namespace tr::data
