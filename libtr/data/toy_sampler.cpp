// Draws sentences and clauses from chances that rise with the richness of a sentence.
#include "libtr/data/toy_sampler.h"

namespace tr::data {
namespace {

// share depth adjective coordination relative extra complement second_verb second_clause subordinate contrast
constexpr Richness kRichnesses[] = {
    {84, 0, 15, 4, 0, 18, 14, 0, 0, 0, 0},
    {14, 1, 20, 6, 12, 22, 20, 8, 12, 15, 0},
    {1, 2, 25, 8, 18, 25, 20, 10, 45, 50, 15},
    {1, 2, 35, 10, 28, 35, 25, 12, 70, 80, 90},
};

}  // namespace

Tense ToySampler::any_tense() {
  const uint64_t roll = random_.below(100);
  return roll < 40 ? Tense::present : roll < 75 ? Tense::past : Tense::future;
}

Sentence ToySampler::sentence() {
  int roll = static_cast<int>(random_.below(100));
  const Richness* richness = kRichnesses;
  while (roll >= richness->share) roll -= richness++->share;
  richness_ = *richness;
  const bool has_contrast = chance(richness_.contrast);
  may_quote_ = !has_contrast;
  Sentence sentence{part(), std::nullopt};
  if (has_contrast) sentence.contrast = part();
  return sentence;
}

Part ToySampler::part() {
  const bool has_second = chance(richness_.second_clause), has_subordinate = chance(richness_.subordinate);
  may_quote_ = may_quote_ && !has_second && !has_subordinate;
  const Tense tense = any_tense();
  Part part;
  part.first = chance(richness_.second_verb) ? two_verb_clause(tense, richness_.depth) : clause(tense, richness_.depth);
  VerbPhrase& predicate = part.first.predicate;
  const bool says_time = predicate.time || (predicate.infinitive && predicate.infinitive->time);
  if (predicate.verb && !predicate.second && !says_time && chance(richness_.extra)) {
    predicate.time = pick_time(predicate.tense);
    predicate.time_first = true;
  }
  if (has_second) part.second = clause(any_tense(), richness_.depth);
  if (has_subordinate) {
    const int kinds = tense == Tense::past ? 3 : 4;
    constexpr Connective kOfPast[] = {Connective::because, Connective::when, Connective::after};
    constexpr Connective kOfOther[] = {Connective::because, Connective::when, Connective::if_so, Connective::before};
    const uint64_t kind = random_.below(kinds);
    part.connective = tense == Tense::past ? kOfPast[kind] : kOfOther[kind];
    part.subordinate = linked_clause(part.connective, tense);
  }
  return part;
}

/// Only "because" leaves the tense free; "before" and "after" tell of something done, without "not" and "can".
Clause ToySampler::linked_clause(Connective connective, Tense main) {
  if (connective == Connective::because) return clause(any_tense(), richness_.depth);
  const Tense tense = main == Tense::past ? Tense::past : Tense::present;
  if (connective == Connective::when || connective == Connective::if_so) return clause(tense, richness_.depth);
  Clause clause = verb_clause(tense, 0);
  clause.predicate.negated = false;
  clause.predicate.modal = Modal::none;
  return clause;
}

Clause ToySampler::clause(Tense tense, int depth) {
  const uint64_t roll = random_.below(100);
  if (roll < 5 && tense != Tense::future) return existence(tense);
  if (roll < 20) return description(tense, depth);
  return verb_clause(tense, depth);
}

/// A verb that some subject of these classes can have; a that-clause needs a level of depth.
const Verb* ToySampler::main_verb(unsigned subjects, int depth) {
  const bool has_complement = depth >= 0 && chance(richness_.complement);
  const bool may_quote = may_quote_ && depth > 0 && (subjects & kPerson) != 0;
  const Frame complement = may_quote && chance(50) ? Frame::that_clause : Frame::to_verb;
  return pick_verb([&](const Verb& verb) {
    if ((verb.subjects & subjects) == 0) return false;
    return has_complement ? verb.frame == complement : is_action(verb.frame) || verb.frame == Frame::feeling;
  });
}

Clause ToySampler::verb_clause(Tense tense, int depth) {
  const Verb& verb = *main_verb(kLiving, depth);
  Clause clause;
  clause.subject = participant(verb.subjects, depth);
  subject_ = {clause.subject.pronoun, clause.subject.name};
  clause.predicate = verb_phrase(verb, tense, depth);
  return clause;
}

/// She eats apples and drinks juice: two verbs of one subject, one tense, without "not".
Clause ToySampler::two_verb_clause(Tense tense, int depth) {
  Clause clause;
  clause.subject = participant(kPerson, depth);
  subject_ = {clause.subject.pronoun, clause.subject.name};
  clause.predicate = plain_verb_phrase(kPerson, 0);
  clause.predicate.tense = tense;
  clause.predicate.time = nullptr;
  VerbPhrase second = plain_verb_phrase(kPerson, depth);
  second.time = nullptr;
  clause.predicate.second = std::make_shared<VerbPhrase>(std::move(second));
  return clause;
}

/// There are three cats in the park.
Clause ToySampler::existence(Tense tense) {
  Clause clause;
  clause.existence = true;
  NounPhrase& subject = clause.subject;
  subject.noun = pick(nouns(), [](const Noun& noun) { return (noun.kind & (kLiving | kGoods | kBuilding)) != 0; });
  subject.plural = chance(50);
  VerbPhrase& predicate = clause.predicate;
  predicate.tense = tense;
  predicate.negated = chance(20);
  if (!predicate.negated && subject.plural) subject.numeral = pick(numerals());
  if (!predicate.negated && !subject.plural)
    subject.determiner = pick(determiners(), [](const Determiner& d) { return d.singular == "a"; });
  if (chance(richness_.adjective))
    subject.adjective = pick(adjectives(), [&](const Adjective& a) { return (a.of & subject.noun->kind) != 0; });
  predicate.place = pick(places());
  if (chance(richness_.extra)) predicate.time = pick_time(tense);
  return clause;
}

/// She is busy, she is a kind doctor.
Clause ToySampler::description(Tense tense, int depth) {
  Clause clause;
  VerbPhrase& predicate = clause.predicate;
  predicate.tense = tense;
  predicate.negated = chance(20);
  if (tense != Tense::future && chance(35)) {
    clause.subject = participant(kPerson, depth);
    predicate.noun = NounPhrase{};
    NounPhrase& noun = *predicate.noun;
    noun.noun = pick(nouns(), [](const Noun& entry) { return entry.kind == kPerson; });
    noun.plural = is_plural(clause.subject);
    if (!noun.plural) noun.determiner = pick(determiners(), [](const Determiner& d) { return d.singular == "a"; });
    if (chance(richness_.adjective))
      noun.adjective = pick(adjectives(), [](const Adjective& a) { return (a.of & kPerson) != 0; });
    return clause;
  }
  predicate.adjective = pick(adjectives());
  clause.subject = participant(predicate.adjective->of, depth);
  if (chance(richness_.extra)) predicate.time = pick_time(tense);
  return clause;
}

/// Who bought a car; that the farmer bought; that is red.
std::shared_ptr<const Clause> ToySampler::relative_clause(const NounPhrase& head, int depth) {
  const Subject outer_subject = subject_;
  const Class kind = head.noun->kind;
  const bool is_living = (kind & kLiving) != 0;
  const int roll = static_cast<int>(random_.below(100));
  Clause clause;
  clause.gap = is_living && roll < 55 ? Gap::subject : roll < 80 ? Gap::object : Gap::subject;
  const Tense tense = any_tense();
  if (clause.gap == Gap::object) {
    const Verb& verb =
        *pick_verb([&](const Verb& entry) { return takes_object(entry.frame) && (entry.objects & kind) != 0; });
    clause.subject = participant(verb.subjects, 0);
    subject_ = {clause.subject.pronoun, clause.subject.name};
    clause.predicate = verb_phrase(verb, verb.frame == Frame::feeling ? Tense::present : tense, 0);
    clause.predicate.object.reset();
  } else {
    clause.subject = head;
    subject_ = {};
    if (is_living && roll < 80) {
      const Verb& verb = *main_verb(kind, depth - 1);
      clause.predicate = verb_phrase(verb, verb.frame == Frame::feeling ? Tense::present : tense, depth - 1);
    } else {
      clause.predicate.adjective = pick(adjectives(), [&](const Adjective& a) { return (a.of & kind) != 0; });
      clause.predicate.tense = tense;
      clause.predicate.negated = chance(20);
    }
  }
  subject_ = outer_subject;
  return std::make_shared<Clause>(std::move(clause));
}

}  // namespace tr::data
