// Draws syntax trees from chances that rise with the richness of a sentence.
#include "libtr/data/toy_sampler.h"

#include <algorithm>

namespace tr::data {
namespace {

// share depth adjective coordination relative extra complement second_verb second_clause subordinate contrast
constexpr Richness kRichnesses[] = {
    {42, 0, 15, 4, 0, 18, 14, 0, 0, 0, 0},
    {28, 1, 30, 10, 30, 35, 25, 10, 5, 12, 0},
    {20, 2, 40, 14, 45, 40, 30, 12, 20, 40, 10},
    {10, 2, 50, 18, 60, 45, 30, 15, 35, 60, 50},
};

bool is_simple(Frame frame) {
  return frame != Frame::to_verb && frame != Frame::that_clause && frame != Frame::feeling;
}

bool takes_object(Frame frame) { return frame == Frame::object || frame == Frame::feeling || frame == Frame::gift; }

/// A phrase that ends in a clause takes nothing after it: the hearer would give it to that clause.
bool ends_in_clause(const VerbPhrase& phrase) {
  const auto has_relative = [](const std::optional<NounPhrase>& noun) { return noun && noun->relative; };
  return phrase.infinitive || phrase.that || has_relative(phrase.recipient) ||
         (!phrase.recipient && has_relative(phrase.object));
}

bool stands_with(const Determiner& determiner, bool plural) {
  return determiner.number == Number::both || (determiner.number == Number::plural) == plural;
}

}  // namespace

template <class Entry, class Fits>
const Entry* ToySampler::pick(std::span<const Entry> table, Fits fits) {
  const size_t fitting =
      std::min(static_cast<size_t>(std::count_if(table.begin(), table.end(), fits)), words_per_choice_);
  size_t chosen = random_.below(fitting);
  return &*std::find_if(table.begin(), table.end(), [&](const Entry& entry) { return fits(entry) && chosen-- == 0; });
}

template <class Entry>
const Entry* ToySampler::pick(std::span<const Entry> table) {
  return &table[random_.below(std::min(table.size(), words_per_choice_))];
}

/// First the frame, as often as it has verbs, then the verb: so that a small language keeps all frames.
template <class Fits>
const Verb* ToySampler::pick_verb(Fits fits) {
  const auto count = static_cast<uint64_t>(std::count_if(verbs().begin(), verbs().end(), fits));
  uint64_t chosen = random_.below(count);
  const Verb& any =
      *std::find_if(verbs().begin(), verbs().end(), [&](const Verb& verb) { return fits(verb) && chosen-- == 0; });
  return pick(verbs(), [&](const Verb& verb) { return verb.frame == any.frame && fits(verb); });
}

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
  if (predicate.verb && !predicate.time && !predicate.second && chance(richness_.extra)) {
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
    return has_complement ? verb.frame == complement : is_simple(verb.frame) || verb.frame == Frame::feeling;
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

VerbPhrase ToySampler::verb_phrase(const Verb& verb, Tense tense, int depth) {
  VerbPhrase phrase;
  phrase.verb = &verb;
  phrase.tense = tense;
  add_objects(phrase, depth);
  add_modality(phrase);
  if (verb.frame == Frame::to_verb)
    phrase.infinitive = std::make_shared<VerbPhrase>(plain_verb_phrase(verb.subjects, depth));
  if (verb.frame == Frame::that_clause) {
    const Subject outer_subject = subject_;
    phrase.that = std::make_shared<Clause>(clause(tense == Tense::past ? Tense::past : any_tense(), depth - 1));
    subject_ = outer_subject;
  }
  add_circumstances(phrase);
  return phrase;
}

/// A verb that one can like, begin or decide to do.
VerbPhrase ToySampler::plain_verb_phrase(unsigned subjects, int depth) {
  VerbPhrase phrase;
  phrase.verb = pick_verb([&](const Verb& verb) { return is_simple(verb.frame) && (subjects & ~verb.subjects) == 0; });
  add_objects(phrase, depth);
  add_circumstances(phrase);
  phrase.frequency = nullptr;
  return phrase;
}

void ToySampler::add_objects(VerbPhrase& phrase, int depth) {
  const Verb& verb = *phrase.verb;
  if (verb.frame == Frame::object || verb.frame == Frame::feeling)
    phrase.object = other_participant(verb.objects, depth);
  if (verb.frame != Frame::gift) return;
  phrase.object = other_participant(verb.objects, 0);
  phrase.recipient = other_participant(kPerson, depth);
}

void ToySampler::add_modality(VerbPhrase& phrase) {
  phrase.negated = chance(20);
  if (phrase.tense != Tense::present || !is_simple(phrase.verb->frame) || !chance(20)) return;
  phrase.modal = chance(50) ? Modal::can : Modal::must;
}

const Time* ToySampler::pick_time(Tense tense) {
  const unsigned wanted = 1u << static_cast<int>(tense);
  return pick(times(), [&](const Time& time) { return (time.tenses & wanted) != 0; });
}

void ToySampler::add_place(VerbPhrase& phrase) {
  const Frame frame = phrase.verb->frame;
  const bool needs_place = frame == Frame::motion || frame == Frame::residence;
  if (frame == Frame::feeling || (!needs_place && !chance(richness_.extra))) return;
  phrase.place = pick(places());
  if (frame == Frame::motion) phrase.place_role = PlaceRole::to;
  if (frame == Frame::course && chance(50)) phrase.place_role = PlaceRole::toward;
}

void ToySampler::add_circumstances(VerbPhrase& phrase) {
  const Frame frame = phrase.verb->frame;
  if (frame != Frame::to_verb && !phrase.negated && chance(richness_.extra / 3)) phrase.frequency = pick(frequencies());
  if (ends_in_clause(phrase)) return;
  const bool has_manner = frame == Frame::none || frame == Frame::course || frame == Frame::object;
  if (has_manner && phrase.verb->objects != kPerson && chance(richness_.extra / 2))
    phrase.companion = other_participant(kPerson, 0);
  if (has_manner && !phrase.companion && chance(richness_.extra / 2)) phrase.manner = pick(manners());
  add_place(phrase);
  if (frame == Frame::motion && chance(richness_.extra)) phrase.vehicle = pick(vehicles());
  if (!phrase.frequency && chance(richness_.extra)) phrase.time = pick_time(phrase.tense);
}

/// A person may be a pronoun or a name; everything else is a noun.
NounPhrase ToySampler::participant(unsigned classes, int depth) {
  if ((classes & kPerson) == 0 || (classes != kPerson && chance(40))) return noun_phrase(classes, depth);
  const uint64_t roll = random_.below(100);
  NounPhrase phrase;
  if (roll < 30)
    phrase.pronoun = pick(pronouns());
  else if (roll < 50)
    phrase.name = pick(names(), [&](const Name& name) { return &name != subject_.name; });
  else
    return noun_phrase(kPerson, depth);
  return phrase;
}

NounPhrase ToySampler::other_participant(unsigned classes, int depth) {
  return subject_.pronoun ? noun_phrase(classes, depth) : participant(classes, depth);
}

void ToySampler::determine(NounPhrase& phrase) {
  phrase.plural = chance(35);
  if (phrase.plural && chance(45)) {
    phrase.numeral = pick(numerals());
    return;
  }
  const size_t choices = chance(60) ? 2 : determiners().size();  // "the" and "a" are the most frequent words
  phrase.determiner =
      pick(determiners().first(choices), [&](const Determiner& d) { return stands_with(d, phrase.plural); });
}

NounPhrase ToySampler::noun_phrase(unsigned classes, int depth) {
  NounPhrase phrase;
  phrase.noun = pick(nouns(), [&](const Noun& noun) { return (noun.kind & classes) != 0; });
  determine(phrase);
  if (chance(richness_.adjective)) {
    phrase.adjective = pick(adjectives(), [&](const Adjective& a) { return (a.of & phrase.noun->kind) != 0; });
  }
  if (depth > 0 && chance(richness_.relative)) {
    phrase.relative = relative_clause(phrase, depth);
  } else if (phrase.noun->kind != kSong && chance(richness_.coordination)) {  // there is but one noun for songs
    NounPhrase second;
    second.noun =
        pick(nouns(), [&](const Noun& noun) { return noun.kind == phrase.noun->kind && &noun != phrase.noun; });
    determine(second);
    phrase.second = std::make_shared<NounPhrase>(std::move(second));
  }
  return phrase;
}

}  // namespace tr::data
