// Korean: circumstances and objects first, the verb last; particles after the last syllable, endings on the last verb.
#include "libtr/data/toy_hangul.h"
#include "libtr/data/toy_tree.h"

namespace tr::data {
namespace {

using Labels = std::vector<Label>;

/// A particle in its two shapes; which one follows depends on the syllable before.
struct Particle {
  std::string_view after_consonant, after_vowel;
};
constexpr Particle kTopic{"은", "는"}, kNominative{"이", "가"}, kAccusative{"을", "를"}, kWith{"과", "와"},
    kToward{"으로", "로"}, kDative{"에게", "에게"}, kTo{"에", "에"}, kAt{"에서", "에서"};

/// The verb that still waits for its ending: everything before it has been said.
struct Head {
  Stem stem;
  Labels labels;
  std::string noun;  ///< what the copula leans on: 학생 in 학생이다
};

/// How a predicate is to be finished; `source` labels the English conjunction that the ending renders.
struct Finish {
  Ending ending = Ending::plain;
  std::optional<Label> source;
};

constexpr Stem kHa{"하", StemKind::verb, Irregular::ha};

class KoreanWriter {
 public:
  void sentence(const Sentence& sentence);
  std::vector<Word> words() && { return std::move(words_); }

 private:
  void say(std::string_view text, const Labels& labels);
  void attach(const Particle& particle);
  void part(const Part& part, const Finish& finish);
  void clause(const Clause& clause, const Particle& subject, const Finish& finish);
  void existence(const Clause& clause, const Finish& finish);
  void noun_phrase(const NounPhrase& phrase);
  void noun_phrase(const NounPhrase& phrase, const Particle& particle);
  void predicate(const VerbPhrase& phrase, const NounPhrase& subject, const Finish& finish);
  void circumstances(const VerbPhrase& phrase);
  Head bare_head(const VerbPhrase& phrase, const NounPhrase& subject);
  Head copula(const VerbPhrase& phrase);
  Head after_infinitive(const VerbPhrase& phrase, const NounPhrase& subject);
  Head after_that(const VerbPhrase& phrase);
  Head negated(Head head, const VerbPhrase& phrase);
  Head with_modal(const Head& head, const VerbPhrase& phrase);
  void finish_head(Head head, const VerbPhrase& phrase, const Finish& finish);

  std::vector<Word> words_;
};

Labels operator+(Labels labels, const Labels& more) {
  labels.insert(labels.end(), more.begin(), more.end());
  return labels;
}

/// Says one or more words that stand for the same thing.
void KoreanWriter::say(std::string_view text, const Labels& labels) {
  for_each_piece(text, [&](std::string_view piece) { words_.push_back({std::string(piece), labels}); });
}

/// -(으)로 counts ㄹ as a vowel: 지하철로.
void KoreanWriter::attach(const Particle& particle) {
  std::string& word = words_.back().text;
  const int final = last_syllable(word).final;
  const bool takes_vowel_form = final == kOpen || (final == kL && particle.after_vowel == kToward.after_vowel);
  word += takes_vowel_form ? particle.after_vowel : particle.after_consonant;
}

void KoreanWriter::noun_phrase(const NounPhrase& phrase) {
  const Label label{&phrase, Label::word};
  if (phrase.relative) {
    const Clause& relative = *phrase.relative;
    if (relative.gap == Gap::object) noun_phrase(relative.subject, kNominative);
    predicate(relative.predicate, relative.subject, {Ending::adnominal, Label{&relative, Label::link}});
  }
  if (phrase.pronoun) return say(phrase.pronoun->korean, {label});
  if (phrase.name) return say(phrase.name->korean, {label});
  if (phrase.determiner) say(phrase.determiner->korean, {{&phrase, Label::determiner}});
  if (phrase.adjective) {
    const Inflected adjective = inflect(phrase.adjective->stem, Tense::present, Ending::adnominal);
    say(adjective.stem, {{&phrase, Label::adjective}});
  }
  const bool has_plural_mark = phrase.plural && !phrase.numeral && (phrase.noun->kind & kLiving) != 0;
  say(std::string(phrase.noun->korean) + (has_plural_mark ? "들" : ""), {label});
  if (phrase.numeral) {
    say(phrase.numeral->korean, {{&phrase, Label::numeral}});
    say(phrase.noun->counter, {{&phrase, Label::numeral}});
  }
}

void KoreanWriter::noun_phrase(const NounPhrase& phrase, const Particle& particle) {
  noun_phrase(phrase);
  if (phrase.second) {
    attach(kWith);
    words_.back().labels.push_back({&phrase, Label::conjunction});
    return noun_phrase(*phrase.second, particle);
  }
  const bool has_own_form = phrase.pronoun && &particle == &kNominative;
  if (has_own_form)
    words_.back().text = phrase.pronoun->nominative;
  else
    attach(particle);
}

/// All that stands between subject and verb, in Korean order.
void KoreanWriter::circumstances(const VerbPhrase& phrase) {
  if (phrase.time && !phrase.time_first) say(phrase.time->korean, {{&phrase, Label::time}});
  if (phrase.companion) {
    noun_phrase(*phrase.companion, kWith);
    words_.back().labels.push_back({&*phrase.companion, Label::preposition});
  }
  if (phrase.place) {
    const bool lasts = phrase.verb == nullptr || phrase.verb->frame == Frame::residence;
    say(phrase.place->korean, {{&phrase, Label::place}});
    attach(phrase.place_role == PlaceRole::toward ? kToward : phrase.place_role == PlaceRole::to || lasts ? kTo : kAt);
  }
  if (phrase.vehicle) {
    say(phrase.vehicle->korean, {{&phrase, Label::vehicle}});
    attach(kToward);
  }
  if (phrase.recipient) {
    noun_phrase(*phrase.recipient, kDative);
    words_.back().labels.push_back({&*phrase.recipient, Label::preposition});
  }
  if (phrase.object) noun_phrase(*phrase.object, kAccusative);
}

/// Says the noun before "be" and leaves the copula: 학생이-, negated 학생이 아니-.
Head KoreanWriter::copula(const VerbPhrase& phrase) {
  noun_phrase(*phrase.noun);
  const Label label{&phrase, Label::word};
  if (phrase.negated) {
    attach(kNominative);
    return {{"아니", StemKind::copula, Irregular::uncontracted}, {label, {&phrase, Label::negation}}, ""};
  }
  const Word noun = words_.back();
  words_.pop_back();
  const Irregular contraction = ends_in_consonant(noun.text) ? Irregular::uncontracted : Irregular::none;
  return {{"이", StemKind::copula, contraction}, noun.labels + Labels{label}, noun.text};
}

/// Says the verb under "to" and leaves the verb above it.
Head KoreanWriter::after_infinitive(const VerbPhrase& phrase, const NounPhrase& subject) {
  const Label to{&phrase, Label::conjunction}, verb{&phrase, Label::word};
  const Head lower = bare_head(*phrase.infinitive, subject);
  const std::string stem(lower.stem.text);
  const bool is_own_wish = subject.pronoun && subject.pronoun->first_person;
  switch (phrase.verb->tie) {
    case Tie::start:
      say(stem + "기", lower.labels + Labels{to});
      break;
    case Tie::decision:
      say(stem + "기로", lower.labels + Labels{to});
      break;
    case Tie::wish:
      say(stem + "고", lower.labels + Labels{to});
      if (is_own_wish) return {{"싶", StemKind::adjective}, {verb}, ""};
      say("싶어", {verb});
      break;
    default:
      say(inflect(lower.stem, Tense::present, Ending::adnominal).stem, lower.labels);
      say("것을", {to});
  }
  return {phrase.verb->stem, {verb}, ""};
}

/// Says the clause under "that" and leaves the verb above it.
Head KoreanWriter::after_that(const VerbPhrase& phrase) {
  const Label that{&*phrase.that, Label::link};
  if (phrase.verb->tie == Tie::fact) {
    clause(*phrase.that, kNominative, {Ending::fact, that});
    say("것을", {that});
  } else {
    clause(*phrase.that, kNominative, {Ending::quote, that});
  }
  return {phrase.verb->stem, {{&phrase, Label::word}}, ""};
}

/// Says everything before the verb and leaves the verb, still without negation, modal and tense.
Head KoreanWriter::bare_head(const VerbPhrase& phrase, const NounPhrase& subject) {
  circumstances(phrase);
  if (phrase.infinitive) return after_infinitive(phrase, subject);
  if (phrase.noun) return copula(phrase);
  Head head{phrase.verb        ? phrase.verb->stem
            : phrase.adjective ? phrase.adjective->stem
                               : Stem{"있", StemKind::existence},
            {{&phrase, Label::word}},
            ""};
  if (phrase.that) head = after_that(phrase);
  if (phrase.frequency) say(phrase.frequency->korean, {{&phrase, Label::frequency}});
  if (phrase.manner) say(phrase.manner->korean, {{&phrase, Label::manner}});
  return head;
}

/// -지 않다, which inflects like the verb or adjective before it; some verbs have an opposite instead.
Head KoreanWriter::negated(Head head, const VerbPhrase& phrase) {
  Labels labels{{&phrase, Label::negation}};
  if (phrase.tense != Tense::future) labels.push_back({&phrase, Label::auxiliary});
  if (phrase.verb && !phrase.verb->opposite.text.empty()) return {phrase.verb->opposite, head.labels + labels, ""};
  say(std::string(head.stem.text) + "지", head.labels);
  return {{"않", head.stem.kind == StemKind::verb ? StemKind::verb : StemKind::adjective}, labels, ""};
}

/// 갈 수 있다, 갈 수 없다, 가야 한다, 가면 안 된다.
Head KoreanWriter::with_modal(const Head& head, const VerbPhrase& phrase) {
  const Labels modal{{&phrase, Label::auxiliary}}, negation{{&phrase, Label::negation}};
  if (phrase.modal == Modal::can) {
    say(adnominal_l(head.stem), head.labels);
    say("수", modal);
    if (phrase.negated) return {{"없", StemKind::existence}, modal + negation, ""};
    return {{"있", StemKind::existence}, modal, ""};
  }
  if (!phrase.negated) {
    say(infinitive(head.stem) + "야", head.labels);
    return {kHa, modal, ""};
  }
  say(conditional(head.stem), head.labels);
  say("안", negation);
  return {{"되"}, modal, ""};
}

void KoreanWriter::finish_head(Head head, const VerbPhrase& phrase, const Finish& finish) {
  const Label auxiliary{&phrase, Label::auxiliary};
  const Inflected form = inflect(head.stem, phrase.tense, finish.ending);
  if (phrase.tense == Tense::future && form.future.empty()) head.labels.push_back(auxiliary);
  say(head.noun + form.stem, head.labels);
  say(form.future, {auxiliary});
  if (!finish.source) return;
  if (form.connective.empty())
    words_.back().labels.push_back(*finish.source);
  else
    say(form.connective, {*finish.source});
}

void KoreanWriter::predicate(const VerbPhrase& phrase, const NounPhrase& subject, const Finish& finish) {
  Head head = bare_head(phrase, subject);
  if (phrase.second) {  // the first of two verbs leaves tense and ending to the second
    say(std::string(head.stem.text) + "고", head.labels + Labels{{&phrase, Label::conjunction}});
    head = bare_head(*phrase.second, subject);
  }
  if (phrase.modal != Modal::none)
    head = with_modal(head, phrase);
  else if (phrase.negated && !phrase.noun)
    head = negated(head, phrase);
  finish_head(head, phrase, finish);
}

/// 공원에 고양이가 있다, negated 없다: the place comes first, the subject is never the topic.
void KoreanWriter::existence(const Clause& clause, const Finish& finish) {
  const VerbPhrase& phrase = clause.predicate;
  const Label label{&phrase, Label::word};
  circumstances(phrase);
  noun_phrase(clause.subject, kNominative);
  if (!phrase.negated) return finish_head({{"있", StemKind::existence}, {label}, ""}, phrase, finish);
  finish_head({{"없", StemKind::existence}, {label, {&phrase, Label::negation}}, ""}, phrase, finish);
}

void KoreanWriter::clause(const Clause& clause, const Particle& subject, const Finish& finish) {
  if (clause.existence) return existence(clause, finish);
  const VerbPhrase& phrase = clause.predicate;
  if (phrase.time_first) say(phrase.time->korean, {{&phrase, Label::time}});
  noun_phrase(clause.subject, subject);
  predicate(phrase, clause.subject, finish);
}

void KoreanWriter::part(const Part& part, const Finish& finish) {
  constexpr Ending kEndings[] = {Ending::because, Ending::if_so, Ending::when, Ending::before, Ending::after};
  if (part.subordinate) {
    const Finish connective{kEndings[static_cast<int>(part.connective)], Label{&*part.subordinate, Label::link}};
    clause(*part.subordinate, kNominative, connective);
  }
  if (!part.second) return clause(part.first, kTopic, finish);
  clause(part.first, kTopic, {Ending::and_then, Label{&part.first, Label::coordination}});
  clause(*part.second, kTopic, finish);
}

void KoreanWriter::sentence(const Sentence& sentence) {
  if (sentence.contrast) part(sentence.first, {Ending::but, Label{&sentence.first, Label::contrast}});
  part(sentence.contrast ? *sentence.contrast : sentence.first, {});
  say(".", {{&sentence, Label::full_stop}});
}

}  // namespace

std::vector<Word> korean(const Sentence& sentence) {
  KoreanWriter writer;
  writer.sentence(sentence);
  return std::move(writer).words();
}

}  // namespace tr::data
