// Draws syntax trees: which structures are nested how deeply, and which words may go together.
#pragma once

#include <algorithm>
#include <cstdint>

#include "libtr/base/random.h"
#include "libtr/data/toy_tree.h"

namespace tr::data {

/// Chances, in percent, that a sentence of some richness uses a structure.
struct Richness {
  int share;         ///< of all sentences
  int depth;         ///< levels of clauses within clauses
  int adjective;     ///< before a noun
  int coordination;  ///< of noun phrases: and the dog
  int relative;      ///< a clause on a noun
  int extra;         ///< each of place, time, companion, adverb
  int complement;    ///< to-clauses and that-clauses
  int second_verb, second_clause, subordinate, contrast;
};

/// Draws sentences of all richnesses, most of them short.
class ToySampler {
 public:
  /// With few `words_per_choice`, only the first words that fit are used anywhere: a small language in which the same
  /// sentence comes up again and again.
  explicit ToySampler(Random& random, size_t words_per_choice = SIZE_MAX)
      : random_(random), words_per_choice_(words_per_choice) {}
  Sentence sentence();

 private:
  bool chance(int percent) { return random_.below(100) < static_cast<uint64_t>(percent); }
  template <class Entry, class Fits>
  const Entry* pick(std::span<const Entry> table, Fits fits);
  template <class Entry>
  const Entry* pick(std::span<const Entry> table);
  template <class Fits>
  const Verb* pick_verb(Fits fits);
  Tense any_tense();

  Part part();
  Clause linked_clause(Connective connective, Tense main);
  Clause clause(Tense tense, int depth);
  Clause verb_clause(Tense tense, int depth);
  Clause two_verb_clause(Tense tense, int depth);
  Clause existence(Tense tense);
  Clause description(Tense tense, int depth);
  std::shared_ptr<const Clause> relative_clause(const NounPhrase& head, int depth);

  const Verb* main_verb(unsigned subjects, int depth);
  VerbPhrase verb_phrase(const Verb& verb, Tense tense, int depth);
  VerbPhrase plain_verb_phrase(unsigned subjects, int depth);
  void add_objects(VerbPhrase& phrase, int depth);
  void add_circumstances(VerbPhrase& phrase);
  void add_place(VerbPhrase& phrase);
  void add_modality(VerbPhrase& phrase);
  const Time* pick_time(Tense tense);

  NounPhrase participant(unsigned classes, int depth);
  NounPhrase other_participant(unsigned classes, int depth);
  NounPhrase noun_phrase(unsigned classes, int depth);
  void determine(NounPhrase& phrase);

  Random& random_;
  size_t words_per_choice_;
  Richness richness_{};
  bool may_quote_ = true;  ///< a that-clause would leave open how far it reaches in a compound sentence
  struct Subject {
    const Pronoun* pronoun = nullptr;
    const Name* name = nullptr;
  } subject_;  ///< of the clause in the making: no "I see me", no "Tom meets Tom"
};

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

}  // namespace tr::data
