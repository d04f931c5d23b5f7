// Korean conjugation in the plain style (해라체): stem classes, tenses and the endings of the toy grammar.
#pragma once

#include <string>
#include <string_view>

namespace tr::data {

enum class StemKind { verb, adjective, existence, copula };  ///< existence: 있다, 없다 and what is built with them

/// How a stem departs from the regular pattern. Stems in ㄹ and ㅡ need no mark: their changes follow from the sound.
enum class Irregular {
  none,
  b,             ///< ㅂ becomes 우 before a vowel: 굽다, 구워 (and 오 in 돕다, 도와)
  d,             ///< ㄷ becomes ㄹ before a vowel: 듣다, 들어
  s,             ///< ㅅ falls before a vowel: 짓다, 지어
  h,             ///< ㅎ falls and the vowel changes: 빨갛다, 빨간, 빨개
  reu,           ///< 르 doubles its ㄹ: 모르다, 몰라
  ha,            ///< 하다, 해
  uncontracted,  ///< ㅣ and 어 stay apart: 이다 after a consonant, 이어; 아니다, 아니어
};

struct Stem {
  std::string_view text;  ///< the dictionary form without 다
  StemKind kind = StemKind::verb;
  Irregular irregular = Irregular::none;
};

enum class Tense { present, past, future };

/// What a predicate is finished with.
enum class Ending {
  plain,      ///< 간다
  and_then,   ///< 가고
  but,        ///< 가지만
  because,    ///< 가기 때문에
  when,       ///< 갈 때
  if_so,      ///< 가면
  before,     ///< 가기 전에
  after,      ///< 간 후에
  quote,      ///< 간다고
  fact,       ///< 간다는
  adnominal,  ///< 가는, before a noun
};

/// A finished predicate: the form of the stem, the word that carries the future (것이다), and the noun of an adverbial
/// clause (때문에, 때, 전에, 후에); the last two are empty where there is none.
struct Inflected {
  std::string stem, future, connective;
};

/// Applies tense and ending. Before, after and if know no tense; when knows present and past.
Inflected inflect(const Stem& stem, Tense tense, Ending ending);

// The forms that inflect and the auxiliaries build on.
std::string infinitive(const Stem& stem);   ///< 가, 먹어, 도와: before 야 하다, and with ㅆ the past
std::string past_stem(const Stem& stem);    ///< 갔, 먹었, 도왔
std::string adnominal_n(const Stem& stem);  ///< 간, 먹은, 도운, 산: a verb's past, an adjective's present
std::string adnominal_l(const Stem& stem);  ///< 갈, 먹을, 도울, 살
std::string conditional(const Stem& stem);  ///< 가면, 먹으면, 도우면, 살면

}  // namespace tr::data
