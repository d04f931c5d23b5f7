// Draws verb phrases and noun phrases.
#include "libtr/data/toy_sampler.h"

namespace tr::data {
namespace {

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
  phrase.verb = pick_verb([&](const Verb& verb) { return is_action(verb.frame) && (subjects & ~verb.subjects) == 0; });
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
  if (phrase.tense != Tense::present || !is_action(phrase.verb->frame) || !chance(20)) return;
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
