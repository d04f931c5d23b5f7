// The combinations of structures that are kept out of training: each part is frequent there, together they never stand.
#include <functional>

#include "libtr/data/toy_corpus.h"

namespace tr::data {
namespace {

/// Where a verb phrase stands in the sentence.
enum class Setting { main, relative, subordinate };

/// Visits all verb phrases and noun phrases of a tree and keeps the name of the first reserved combination.
class CombinationFinder {
 public:
  void part(const Part& part);
  std::string found() && { return std::move(found_); }

 private:
  void report(const char* name) {
    if (found_.empty()) found_ = name;
  }
  void clause(const Clause& clause, Setting setting);
  void verb_phrase(const VerbPhrase& phrase, Setting setting);
  void noun_phrase(const NounPhrase& phrase);

  std::string found_;
};

void CombinationFinder::noun_phrase(const NounPhrase& phrase) {
  if (phrase.numeral && phrase.numeral->english == "six" && phrase.noun->kind == kAnimal) report("six animals");
  if (phrase.relative) clause(*phrase.relative, Setting::relative);
  if (phrase.second) noun_phrase(*phrase.second);
}

void CombinationFinder::verb_phrase(const VerbPhrase& phrase, Setting setting) {
  const bool object_has_clause = phrase.object && phrase.object->relative;
  if (phrase.negated && phrase.tense == Tense::future && object_has_clause)
    report("negated future with a relative clause on the object");
  if (phrase.verb && setting == Setting::relative && (phrase.verb->base == "carry" || phrase.verb->base == "borrow"))
    report("carry or borrow in a relative clause");
  if (phrase.verb && setting == Setting::subordinate && phrase.verb->tie == Tie::wish)
    report("want to in an adverbial clause");
  for (const auto* noun : {&phrase.noun, &phrase.object, &phrase.recipient, &phrase.companion}) {
    if (*noun) noun_phrase(**noun);
  }
  if (phrase.infinitive) verb_phrase(*phrase.infinitive, setting);
  if (phrase.second) verb_phrase(*phrase.second, setting);
  if (phrase.that) clause(*phrase.that, Setting::main);
}

void CombinationFinder::clause(const Clause& clause, Setting setting) {
  if (clause.gap != Gap::subject) noun_phrase(clause.subject);
  verb_phrase(clause.predicate, setting);
}

void CombinationFinder::part(const Part& part) {
  clause(part.first, Setting::main);
  if (part.second) clause(*part.second, Setting::main);
  if (part.subordinate) clause(*part.subordinate, Setting::subordinate);
}

}  // namespace

std::string reserved_combination(const Sentence& sentence) {
  CombinationFinder finder;
  finder.part(sentence.first);
  if (sentence.contrast) finder.part(*sentence.contrast);
  return std::move(finder).found();
}

}  // namespace tr::data
