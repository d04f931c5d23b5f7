// The words of the toy corpus: every table in both languages, with the classes that decide which words go together.
#pragma once

#include <span>
#include <string_view>

#include "libtr/data/toy_conjugation.h"

namespace tr::data {

/// What a noun names; a verb or adjective lists the classes that it takes, as a sum.
enum Class : unsigned {
  kPerson = 1,
  kAnimal = 2,
  kFood = 4,
  kDrink = 8,
  kText = 16,
  kSong = 32,
  kGoods = 64,
  kBuilding = 128,
  kLiving = kPerson | kAnimal,
  kThing = kFood | kDrink | kText | kSong | kGoods | kBuilding,
  kAnything = kLiving | kThing,
};

struct Noun {
  std::string_view singular, plural, korean;
  std::string_view counter;  ///< what numerals count it in: 고양이 세 마리
  Class kind;
};

struct Name {
  std::string_view english, korean;
};

struct Pronoun {
  std::string_view subject, object, korean;
  std::string_view nominative;  ///< with 이/가: 내가 beside 나는
  bool plural, first_person;
};

enum class Number { singular, plural, both };

/// Articles have no Korean word; a plural "a" has no English one either.
struct Determiner {
  std::string_view singular, plural, korean;
  Number number;  ///< the nouns that it stands with
};

struct Numeral {
  std::string_view english, korean;
};

struct Adjective {
  std::string_view english;
  Stem stem;
  unsigned of;
};

/// What a verb wants after it, beside the place and time that any verb may have.
enum class Frame {
  none,
  course,     ///< perhaps a place that it heads for: 공원으로 달리다
  motion,     ///< a place where it leads: 학교에 가다
  residence,  ///< a place where it lasts: 학교에 살다
  object,
  feeling,  ///< an object; a state, so that it has no manner, no "can" and no "must"
  gift,     ///< an object and a person who gets it
  to_verb,  ///< to + verb
  that_clause,
};

/// A verb that tells of an action and has no clause after it.
constexpr bool is_action(Frame frame) {
  return frame != Frame::to_verb && frame != Frame::that_clause && frame != Frame::feeling;
}
constexpr bool takes_object(Frame frame) {
  return frame == Frame::object || frame == Frame::feeling || frame == Frame::gift;
}

/// How Korean ties the verb of a to- or that-clause to the verb above it.
enum class Tie {
  none,
  thing,     ///< 가는 것을 좋아한다
  wish,      ///< 가고 싶다, of others than oneself 가고 싶어 한다
  start,     ///< 가기 시작한다
  decision,  ///< 가기로 결정한다
  quote,     ///< 간다고 말한다
  fact,      ///< 간다는 것을 안다
};

struct Verb {
  std::string_view base, third, past;
  Stem stem;
  Frame frame;
  unsigned subjects, objects;
  Tie tie = Tie::none;
  Stem opposite = {};  ///< the stem of the negative, where Korean has a verb of its own: 알다, 모르다
};

struct Place {
  std::string_view english, preposition, korean;
};

struct Time {
  std::string_view english, korean;
  unsigned tenses;  ///< sum of 1 << Tense
};

struct Adverb {
  std::string_view english, korean;
};

std::span<const Noun> nouns();
std::span<const Name> names();
std::span<const Pronoun> pronouns();
std::span<const Determiner> determiners();
std::span<const Numeral> numerals();
std::span<const Adjective> adjectives();
std::span<const Verb> verbs();
std::span<const Place> places();
std::span<const Time> times();
std::span<const Name> vehicles();
std::span<const Adverb> frequencies();  ///< before the verb: he often goes
std::span<const Adverb> manners();      ///< after the object: he eats apples slowly

}  // namespace tr::data
