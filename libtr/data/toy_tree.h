// The syntax trees of the toy corpus: what both languages say, before either puts it into its own order and forms.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libtr/data/toy_lexicon.h"

namespace tr::data {

struct Clause;

/// A pronoun, a name, or a noun with what goes with it; the words point into the lexicon.
struct NounPhrase {
  const Pronoun* pronoun = nullptr;
  const Name* name = nullptr;
  const Noun* noun = nullptr;
  const Determiner* determiner = nullptr;
  const Numeral* numeral = nullptr;
  const Adjective* adjective = nullptr;
  bool plural = false;
  std::shared_ptr<const Clause> relative;    ///< who sleeps, that I bought
  std::shared_ptr<const NounPhrase> second;  ///< and the dog
};

enum class Modal { none, can, must };
enum class PlaceRole { at, to, toward };  ///< in the park 공원에서, to the park 공원에, toward the park 공원으로

/// A verb with objects and circumstances, or "be" with an adjective or a noun phrase (then there is no verb).
struct VerbPhrase {
  const Verb* verb = nullptr;
  const Adjective* adjective = nullptr;
  std::optional<NounPhrase> noun;
  Tense tense = Tense::present;
  bool negated = false;
  Modal modal = Modal::none;
  std::optional<NounPhrase> object, recipient, companion;
  const Place* place = nullptr;
  PlaceRole place_role = PlaceRole::at;
  const Name* vehicle = nullptr;
  const Time* time = nullptr;
  bool time_first = false;  ///< English says the time before the subject
  const Adverb* frequency = nullptr;
  const Adverb* manner = nullptr;
  std::shared_ptr<const VerbPhrase> infinitive;  ///< to go
  std::shared_ptr<const Clause> that;            ///< that she sleeps
  std::shared_ptr<const VerbPhrase> second;      ///< and drink juice
};

enum class Gap { none, subject, object };  ///< the noun phrase that a relative clause lacks: its head

struct Clause {
  NounPhrase subject;  ///< of a relative clause with a subject gap: the head, whose number the verb follows
  VerbPhrase predicate;
  Gap gap = Gap::none;
  bool existence = false;  ///< there are two cats in the park
};

enum class Connective { because, if_so, when, before, after };

/// First clause, perhaps "and" a second one, perhaps "because …"; Korean puts the last first.
struct Part {
  Clause first;
  std::optional<Clause> second;
  Connective connective = Connective::because;
  std::optional<Clause> subordinate;
};

struct Sentence {
  Part first;
  std::optional<Part> contrast;  ///< but …
};

/// Where a word comes from: a node of the tree, and which part of it. Words of both languages that share a label are
/// translations of each other.
struct Label {
  enum Role {
    word,
    conjunction,  // of any phrase
    determiner,
    numeral,
    adjective,
    preposition,  // of a noun phrase
    negation,
    auxiliary,
    frequency,
    manner,
    place,
    time,
    vehicle,  // of a verb phrase
    link,
    coordination,
    contrast,
    full_stop,  // of a clause: because, that, who; and; but (a clause may share
  };            // its address with its subject, so these names are its own)
  const void* node;
  Role role;
  bool operator==(const Label&) const = default;
};

struct Word {
  std::string text;
  std::vector<Label> labels;
};

/// Calls `action` with each word of a lexicon entry: "in the morning" has three.
template <class Action>
void for_each_piece(std::string_view text, Action&& action) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    action(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::vector<Word> english(const Sentence& sentence);
std::vector<Word> korean(const Sentence& sentence);

/// Whether a verb phrase or noun phrase agrees with a plural: the dogs, two dogs, Tom and Anna, you.
bool is_plural(const NounPhrase& phrase);

}  // namespace tr::data
