// English: subject, auxiliaries, verb, object, place, time; agreement of the verb, a and an.
#include "libtr/data/toy_tree.h"

namespace tr::data {
namespace {

enum class Case { subject, object };

bool is_third_singular(const NounPhrase& phrase) {
  return !is_plural(phrase) && !(phrase.pronoun && phrase.pronoun->first_person);
}

class EnglishWriter {
 public:
  void sentence(const Sentence& sentence);
  std::vector<Word> words() && { return std::move(words_); }

 private:
  void say(std::string_view text, Label label);
  void part(const Part& part);
  void clause(const Clause& clause);
  void relative_clause(const Clause& clause, const NounPhrase& head);
  void noun_phrase(const NounPhrase& phrase, Case grammatical_case);
  void determiner(const NounPhrase& phrase);
  void existence(const Clause& clause);
  void finite(const VerbPhrase& phrase, const NounPhrase& subject);
  void finite_be(const VerbPhrase& phrase, const NounPhrase& subject);
  void finite_verb(const VerbPhrase& phrase, const NounPhrase& subject);
  std::string_view auxiliary(const VerbPhrase& phrase, const NounPhrase& subject);
  void after_verb(const VerbPhrase& phrase);
  void circumstances(const VerbPhrase& phrase);

  std::vector<Word> words_;
};

/// Says one or more words that stand for the same thing; "a" before a vowel turns into "an".
void EnglishWriter::say(std::string_view text, Label label) {
  for_each_piece(text, [&](std::string_view piece) {
    const bool starts_with_vowel = std::string_view("aeiou").find(piece[0]) != std::string_view::npos;
    if (!words_.empty() && words_.back().text == "a" && starts_with_vowel) words_.back().text = "an";
    words_.push_back({std::string(piece), {label}});
  });
}

void EnglishWriter::determiner(const NounPhrase& phrase) {
  if (phrase.numeral) return say(phrase.numeral->english, {&phrase, Label::numeral});
  if (!phrase.determiner) return;
  say(phrase.plural ? phrase.determiner->plural : phrase.determiner->singular, {&phrase, Label::determiner});
}

void EnglishWriter::noun_phrase(const NounPhrase& phrase, Case grammatical_case) {
  const Label label{&phrase, Label::word};
  if (phrase.pronoun) {
    say(grammatical_case == Case::subject ? phrase.pronoun->subject : phrase.pronoun->object, label);
  } else if (phrase.name) {
    say(phrase.name->english, label);
  } else {
    determiner(phrase);
    if (phrase.adjective) say(phrase.adjective->english, {&phrase, Label::adjective});
    say(phrase.plural ? phrase.noun->plural : phrase.noun->singular, label);
  }
  if (phrase.relative) relative_clause(*phrase.relative, phrase);
  if (phrase.second) {
    say("and", {&phrase, Label::conjunction});
    noun_phrase(*phrase.second, grammatical_case);
  }
}

void EnglishWriter::relative_clause(const Clause& clause, const NounPhrase& head) {
  const bool is_who = clause.gap == Gap::subject && head.noun->kind == kPerson;
  say(is_who ? "who" : "that", {&clause, Label::link});
  if (clause.gap == Gap::object) noun_phrase(clause.subject, Case::subject);
  finite(clause.predicate, clause.subject);
}

std::string_view be(Tense tense, const NounPhrase& subject) {
  if (tense == Tense::past) return is_plural(subject) ? "were" : "was";
  if (is_plural(subject)) return "are";
  return is_third_singular(subject) ? "is" : "am";
}

/// "do", "will" or a modal verb; empty where the verb itself carries the tense.
std::string_view EnglishWriter::auxiliary(const VerbPhrase& phrase, const NounPhrase& subject) {
  if (phrase.modal != Modal::none) return phrase.modal == Modal::can ? "can" : "must";
  if (phrase.tense == Tense::future) return "will";
  if (!phrase.negated) return "";
  if (phrase.tense == Tense::past) return "did";
  return is_third_singular(subject) ? "does" : "do";
}

void EnglishWriter::finite(const VerbPhrase& phrase, const NounPhrase& subject) {
  phrase.verb ? finite_verb(phrase, subject) : finite_be(phrase, subject);
}

void EnglishWriter::finite_be(const VerbPhrase& phrase, const NounPhrase& subject) {
  const bool is_future = phrase.tense == Tense::future;
  say(is_future ? "will" : be(phrase.tense, subject), {&phrase, is_future ? Label::auxiliary : Label::word});
  if (phrase.negated) say("not", {&phrase, Label::negation});
  if (is_future) say("be", {&phrase, Label::word});
  if (phrase.adjective) say(phrase.adjective->english, {&phrase, Label::word});
  if (phrase.noun) noun_phrase(*phrase.noun, Case::object);
  circumstances(phrase);
}

std::string_view verb_form(const Verb& verb, Tense tense, const NounPhrase& subject) {
  if (tense == Tense::past) return verb.past;
  return tense == Tense::present && is_third_singular(subject) ? verb.third : verb.base;
}

void EnglishWriter::finite_verb(const VerbPhrase& phrase, const NounPhrase& subject) {
  const std::string_view helper = auxiliary(phrase, subject);
  if (!helper.empty()) say(helper, {&phrase, Label::auxiliary});
  if (phrase.negated) say("not", {&phrase, Label::negation});
  if (phrase.frequency) say(phrase.frequency->english, {&phrase, Label::frequency});
  say(helper.empty() ? verb_form(*phrase.verb, phrase.tense, subject) : phrase.verb->base, {&phrase, Label::word});
  after_verb(phrase);
  if (!phrase.second) return;
  say("and", {&phrase, Label::conjunction});
  say(verb_form(*phrase.second->verb, phrase.tense, subject), {&*phrase.second, Label::word});
  after_verb(*phrase.second);
}

void EnglishWriter::after_verb(const VerbPhrase& phrase) {
  if (phrase.object) noun_phrase(*phrase.object, Case::object);
  if (phrase.recipient) {
    say("to", {&*phrase.recipient, Label::preposition});
    noun_phrase(*phrase.recipient, Case::object);
  }
  if (phrase.infinitive) {
    say("to", {&phrase, Label::conjunction});
    say(phrase.infinitive->verb->base, {&*phrase.infinitive, Label::word});
    after_verb(*phrase.infinitive);
  }
  if (phrase.that) {
    say("that", {&*phrase.that, Label::link});
    clause(*phrase.that);
  }
  circumstances(phrase);
}

void EnglishWriter::circumstances(const VerbPhrase& phrase) {
  if (phrase.companion) {
    say("with", {&*phrase.companion, Label::preposition});
    noun_phrase(*phrase.companion, Case::object);
  }
  if (phrase.manner) say(phrase.manner->english, {&phrase, Label::manner});
  if (phrase.place) {
    const bool is_at = phrase.place_role == PlaceRole::at;
    say(is_at                                ? phrase.place->preposition
        : phrase.place_role == PlaceRole::to ? "to"
                                             : "toward",
        {&phrase, Label::place});
    say(phrase.place->english, {&phrase, Label::place});
  }
  if (phrase.vehicle) {
    say("by", {&phrase, Label::vehicle});
    say(phrase.vehicle->english, {&phrase, Label::vehicle});
  }
  if (phrase.time && !phrase.time_first) say(phrase.time->english, {&phrase, Label::time});
}

void EnglishWriter::existence(const Clause& clause) {
  const VerbPhrase& predicate = clause.predicate;
  say("there", {&predicate, Label::word});
  say(be(predicate.tense, clause.subject), {&predicate, Label::word});
  if (predicate.negated) say("no", {&predicate, Label::negation});
  noun_phrase(clause.subject, Case::subject);
  circumstances(predicate);
}

void EnglishWriter::clause(const Clause& clause) {
  if (clause.existence) return existence(clause);
  const VerbPhrase& predicate = clause.predicate;
  if (predicate.time_first) say(predicate.time->english, {&predicate, Label::time});
  noun_phrase(clause.subject, Case::subject);
  finite(predicate, clause.subject);
}

void EnglishWriter::part(const Part& part) {
  constexpr std::string_view kWords[] = {"because", "if", "when", "before", "after"};
  clause(part.first);
  if (part.second) {
    say("and", {&part.first, Label::coordination});
    clause(*part.second);
  }
  if (part.subordinate) {
    say(kWords[static_cast<int>(part.connective)], {&*part.subordinate, Label::link});
    clause(*part.subordinate);
  }
}

void EnglishWriter::sentence(const Sentence& sentence) {
  part(sentence.first);
  if (sentence.contrast) {
    say("but", {&sentence.first, Label::contrast});
    part(*sentence.contrast);
  }
  say(".", {&sentence, Label::full_stop});
}

}  // namespace

bool is_plural(const NounPhrase& phrase) {
  return phrase.plural || phrase.second || (phrase.pronoun && phrase.pronoun->plural);
}

std::vector<Word> english(const Sentence& sentence) {
  EnglishWriter writer;
  writer.sentence(sentence);
  return std::move(writer).words();
}

}  // namespace tr::data
