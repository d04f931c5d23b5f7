// Conjugation by stem class: vowel harmony, contraction and the irregular stems.
#include "libtr/data/toy_conjugation.h"

#include "libtr/data/toy_hangul.h"

namespace tr::data {
namespace {

bool is_bright(int vowel) { return vowel == kA || vowel == kYa || vowel == kO; }

bool ends_in_l(const Stem& stem) { return last_syllable(stem.text).final == kL; }

std::string appended(std::string_view stem, std::string_view ending) { return std::string(stem) + std::string(ending); }

/// -아 after a bright vowel, -어 after any other: vowel harmony.
std::string harmonic(std::string_view stem) {
  return appended(stem, is_bright(last_syllable(stem).vowel) ? "아" : "어");
}

/// A stem that ends in ㅡ loses it, and the syllable before decides between ㅏ and ㅓ: 바쁘 + 어 = 바빠, 크 + 어 = 커.
std::string without_eu(std::string_view stem) {
  Syllable syllable = last_syllable(stem);
  const std::string rest = without_last(stem);
  syllable.vowel = !rest.empty() && is_bright(last_syllable(rest).vowel) ? kA : kEo;
  return with_last(stem, syllable);
}

/// An open stem melts with -아 or -어 into one syllable where the vowels allow it.
std::string contracted(std::string_view stem) {
  Syllable syllable = last_syllable(stem);
  switch (syllable.vowel) {
    case kA:
    case kEo:
    case kAe:
    case kE:
      return std::string(stem);
    case kO:
      syllable.vowel = kWa;
      break;
    case kU:
      syllable.vowel = kWo;
      break;
    case kI:
      syllable.vowel = kYeo;
      break;
    case kEu:
      return without_eu(stem);
    default:
      return harmonic(stem);
  }
  return with_last(stem, syllable);
}

/// 모르 + 어 = 몰라: the syllable before 르 takes a ㄹ of its own.
std::string reu_infinitive(std::string_view stem) {
  const std::string rest = without_last(stem);
  return with_final(rest, kL) + (is_bright(last_syllable(rest).vowel) ? "라" : "러");
}

/// 빨갛 + 어 = 빨개, 하얗 + 어 = 하얘.
std::string h_infinitive(std::string_view stem) {
  Syllable syllable = last_syllable(stem);
  syllable.final = kOpen;
  syllable.vowel = syllable.vowel == kYa ? kYae : syllable.vowel == kA ? kAe : kE;
  return with_last(stem, syllable);
}

/// The stem before endings in -(으)-, brought to end in a vowel so that ㄴ or ㄹ fits under it: 가, 먹으, 도우, 들으.
std::string open_stem(const Stem& stem) {
  const std::string bare = with_final(stem.text, kOpen);
  switch (stem.irregular) {
    case Irregular::b:
      return bare + "우";
    case Irregular::d:
      return with_final(stem.text, kL) + "으";
    case Irregular::s:
      return bare + "으";
    case Irregular::h:
      return bare;
    default:
      break;
  }
  if (ends_in_l(stem)) return bare;
  return ends_in_consonant(stem.text) ? appended(stem.text, "으") : std::string(stem.text);
}

/// ㄹ falls before ㄴ: 살 + 는 = 사는.
std::string before_n(const Stem& stem) {
  return ends_in_l(stem) ? with_final(stem.text, kOpen) : std::string(stem.text);
}

std::string plain(const Stem& stem, Tense tense) {
  if (tense == Tense::past) return past_stem(stem) + "다";
  if (stem.kind != StemKind::verb) return appended(stem.text, "다");
  const std::string text = before_n(stem);
  return ends_in_consonant(text) ? text + "는다" : with_final(text, kN) + "다";
}

/// The copula quotes with 라, all else with 다: 학생이라고, 간다고.
std::string quoted(const Stem& stem, Tense tense) {
  return stem.kind == StemKind::copula && tense == Tense::present ? appended(stem.text, "라") : plain(stem, tense);
}

std::string adnominal(const Stem& stem, Tense tense) {
  if (tense == Tense::future) return adnominal_l(stem);
  const bool is_verb = stem.kind == StemKind::verb;
  if (tense == Tense::past) return is_verb ? adnominal_n(stem) : past_stem(stem) + "던";
  return is_verb || stem.kind == StemKind::existence ? before_n(stem) + "는" : adnominal_n(stem);
}

}  // namespace

std::string infinitive(const Stem& stem) {
  const std::string bare = with_final(stem.text, kOpen);
  switch (stem.irregular) {
    case Irregular::b:
      return bare + (stem.text == "돕" ? "와" : "워");
    case Irregular::d:
      return harmonic(with_final(stem.text, kL));
    case Irregular::s:
      return harmonic(bare);
    case Irregular::h:
      return h_infinitive(stem.text);
    case Irregular::reu:
      return reu_infinitive(stem.text);
    case Irregular::ha:
      return without_last(stem.text) + "해";
    case Irregular::uncontracted:
      return harmonic(stem.text);
    case Irregular::none:
      break;
  }
  return ends_in_consonant(stem.text) ? harmonic(stem.text) : contracted(stem.text);
}

std::string past_stem(const Stem& stem) { return with_final(infinitive(stem), kSs); }
std::string adnominal_n(const Stem& stem) { return with_final(open_stem(stem), kN); }
std::string adnominal_l(const Stem& stem) { return with_final(open_stem(stem), kL); }

std::string conditional(const Stem& stem) {
  return (ends_in_l(stem) ? std::string(stem.text) : open_stem(stem)) + "면";
}

Inflected inflect(const Stem& stem, Tense tense, Ending ending) {
  if (ending == Ending::if_so) return {conditional(stem), "", ""};
  if (ending == Ending::adnominal) return {adnominal(stem, tense), "", ""};
  if (ending == Ending::before) return {appended(stem.text, "기"), "", "전에"};
  if (ending == Ending::after) return {adnominal_n(stem), "", "후에"};
  if (tense == Tense::future) {  // -(으)ㄹ 것이다: a noun and the copula, which takes the ending
    const Inflected copula = inflect({"이", StemKind::copula, Irregular::uncontracted}, Tense::present, ending);
    return {adnominal_l(stem), "것" + copula.stem, copula.connective};
  }
  const std::string base = tense == Tense::past ? past_stem(stem) : std::string(stem.text);
  switch (ending) {
    case Ending::and_then:
      return {base + "고", "", ""};
    case Ending::but:
      return {base + "지만", "", ""};
    case Ending::because:
      return {base + "기", "", "때문에"};
    case Ending::when:
      return {tense == Tense::past ? base + "을" : adnominal_l(stem), "", "때"};
    case Ending::quote:
      return {quoted(stem, tense) + "고", "", ""};
    case Ending::fact:
      return {quoted(stem, tense) + "는", "", ""};
    default:
      return {plain(stem, tense), "", ""};
  }
}

}  // namespace tr::data
