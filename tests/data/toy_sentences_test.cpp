// Golden sentences: trees built by hand, with the translation and alignment that a grammar book would give.
#include "libtr/data/toy_corpus.h"
#include "tests/support.h"

using namespace tr::data;

namespace {

template <class Entry, class Field>
const Entry* entry(std::span<const Entry> table, Field field, std::string_view english) {
  for (const Entry& candidate : table) {
    if (candidate.*field == english) return &candidate;
  }
  FAIL("no word " << english);
  return nullptr;
}

NounPhrase pronoun(std::string_view subject) {
  NounPhrase phrase;
  phrase.pronoun = entry(pronouns(), &Pronoun::subject, subject);
  return phrase;
}
NounPhrase name(std::string_view english) {
  NounPhrase phrase;
  phrase.name = entry(names(), &Name::english, english);
  return phrase;
}
NounPhrase noun(std::string_view determiner, std::string_view singular) {
  NounPhrase phrase;
  phrase.noun = entry(nouns(), &Noun::singular, singular);
  phrase.determiner = entry(determiners(), &Determiner::singular, determiner);
  return phrase;
}
NounPhrase counted(std::string_view numeral, std::string_view singular) {
  NounPhrase phrase;
  phrase.noun = entry(nouns(), &Noun::singular, singular);
  phrase.numeral = entry(numerals(), &Numeral::english, numeral);
  phrase.plural = true;
  return phrase;
}
VerbPhrase verb(std::string_view base, Frame frame, Tense tense = Tense::present) {
  VerbPhrase phrase;
  for (const Verb& candidate : verbs()) {
    if (candidate.base == base && candidate.frame == frame) phrase.verb = &candidate;
  }
  REQUIRE(phrase.verb != nullptr);
  phrase.tense = tense;
  return phrase;
}
VerbPhrase go_to(std::string_view place, Tense tense = Tense::present) {
  VerbPhrase phrase = verb("go", Frame::motion, tense);
  phrase.place = entry(places(), &Place::english, place);
  phrase.place_role = PlaceRole::to;
  return phrase;
}
VerbPhrase with_object(std::string_view base, NounPhrase object, Tense tense = Tense::present) {
  VerbPhrase phrase = verb(base, Frame::object, tense);
  phrase.object = std::move(object);
  return phrase;
}
VerbPhrase to_verb(std::string_view base, VerbPhrase infinitive) {
  VerbPhrase phrase = verb(base, Frame::to_verb);
  phrase.infinitive = std::make_shared<VerbPhrase>(std::move(infinitive));
  return phrase;
}
Clause clause(NounPhrase subject, VerbPhrase predicate) {
  Clause clause;
  clause.subject = std::move(subject);
  clause.predicate = std::move(predicate);
  return clause;
}
Sentence simple(NounPhrase subject, VerbPhrase predicate) {
  Sentence sentence;
  sentence.first.first = clause(std::move(subject), std::move(predicate));
  return sentence;
}

/// "english | korean", and the links if they are asked for.
std::string shown(const Sentence& sentence) {
  const ToyPair pair = translate(sentence);
  return pair.english + " | " + pair.korean;
}
std::string links(const Sentence& sentence) {
  std::string text;
  for (const auto& [source, target] : translate(sentence).alignment) {
    text += std::to_string(source) + "-" + std::to_string(target) + " ";
  }
  return text;
}

}  // namespace

TEST_CASE("the sentences of the lecture come out word for word") {
  const Sentence school = simple(pronoun("I"), to_verb("like", go_to("school")));
  CHECK(shown(school) == "I like to go to school . | 나는 학교에 가는 것을 좋아한다 .");
  CHECK(links(school) == "0-0 1-4 2-3 3-2 4-1 5-1 6-5 ");
  CHECK(shown(simple(pronoun("I"), to_verb("hate", go_to("the arcade")))) ==
        "I hate to go to the arcade . | 나는 오락실에 가는 것을 싫어한다 .");
}

TEST_CASE("to-clauses take the tie of the verb above them, and a wish depends on whose it is") {
  CHECK(shown(simple(pronoun("I"), to_verb("want", go_to("school")))) ==
        "I want to go to school . | 나는 학교에 가고 싶다 .");
  CHECK(shown(simple(pronoun("she"), to_verb("want", go_to("school")))) ==
        "she wants to go to school . | 그녀는 학교에 가고 싶어 한다 .");
  CHECK(shown(simple(pronoun("they"), to_verb("begin", go_to("school")))) ==
        "they begin to go to school . | 그들은 학교에 가기 시작한다 .");
  CHECK(shown(simple(name("Tom"), to_verb("decide", go_to("school")))) ==
        "Tom decides to go to school . | 톰은 학교에 가기로 결정한다 .");
}

TEST_CASE("numerals come with the counter of the noun, plural people with 들") {
  Sentence cats = simple(name("Minsu"), with_object("see", counted("three", "cat"), Tense::past));
  CHECK(shown(cats) == "Minsu saw three cats . | 민수는 고양이 세 마리를 봤다 .");
  CHECK(links(cats) == "0-0 1-4 2-2 2-3 3-1 4-5 ");
  CHECK(shown(simple(pronoun("we"), with_object("buy", counted("two", "book"), Tense::future))) ==
        "we will buy two books . | 우리는 책 두 권을 살 것이다 .");
  NounPhrase children = noun("the", "child");
  children.plural = true;
  CHECK(shown(simple(children, verb("sleep", Frame::none))) == "the children sleep . | 아이들은 잔다 .");
}

TEST_CASE("negation and modal verbs") {
  VerbPhrase eat = with_object("eat", noun("a", "apple"));
  eat.negated = true;
  CHECK(shown(simple(name("Jun"), eat)) == "Jun does not eat an apple . | 준은 사과를 먹지 않는다 .");
  CHECK(links(simple(name("Jun"), eat)) == "0-0 1-3 2-3 3-2 5-1 6-4 ");
  CHECK(shown(simple(pronoun("they"), eat)) == "they do not eat an apple . | 그들은 사과를 먹지 않는다 .");
  eat.modal = Modal::can;
  CHECK(shown(simple(name("Jun"), eat)) == "Jun can not eat an apple . | 준은 사과를 먹을 수 없다 .");
  eat.modal = Modal::must;
  CHECK(shown(simple(name("Jun"), eat)) == "Jun must not eat an apple . | 준은 사과를 먹으면 안 된다 .");
  eat.negated = false;
  CHECK(shown(simple(name("Jun"), eat)) == "Jun must eat an apple . | 준은 사과를 먹어야 한다 .");
  VerbPhrase know = verb("know", Frame::feeling, Tense::past);
  know.object = name("Anna");
  know.negated = true;
  CHECK(shown(simple(pronoun("he"), know)) == "he did not know Anna . | 그는 안나를 몰랐다 .");
  eat.modal = Modal::none;
  eat.negated = true;
  eat.tense = Tense::future;
  CHECK(shown(simple(name("Jun"), eat)) == "Jun will not eat an apple . | 준은 사과를 먹지 않을 것이다 .");
  CHECK(links(simple(name("Jun"), eat)) == "0-0 1-4 2-3 3-2 5-1 6-5 ");
}

TEST_CASE("be with nouns, adjectives and places") {
  VerbPhrase be;
  be.noun = noun("a", "doctor");
  be.tense = Tense::past;
  CHECK(shown(simple(pronoun("I"), be)) == "I was a doctor . | 나는 의사였다 .");
  be.noun = noun("a", "student");
  CHECK(shown(simple(pronoun("he"), be)) == "he was a student . | 그는 학생이었다 .");
  be.negated = true;
  CHECK(shown(simple(pronoun("he"), be)) == "he was not a student . | 그는 학생이 아니었다 .");
  VerbPhrase expensive;
  expensive.adjective = entry(adjectives(), &Adjective::english, "expensive");
  expensive.negated = true;
  CHECK(shown(simple(noun("this", "car"), expensive)) == "this car is not expensive . | 이 자동차는 비싸지 않다 .");
  VerbPhrase there;
  there.place = entry(places(), &Place::english, "the park");
  Sentence existence = simple(counted("five", "bird"), there);
  existence.first.first.existence = true;
  CHECK(shown(existence) == "there are five birds in the park . | 공원에 새 다섯 마리가 있다 .");
}

TEST_CASE("relative clauses stand before the noun, with or without a subject of their own") {
  NounPhrase book = noun("the", "book");
  Clause bought = clause(pronoun("I"), verb("buy", Frame::object, Tense::past));
  bought.gap = Gap::object;
  book.relative = std::make_shared<Clause>(bought);
  const Sentence sells = simple(name("Yuna"), with_object("sell", book));
  CHECK(shown(sells) == "Yuna sells the book that I bought . | 유나는 내가 산 책을 판다 .");
  CHECK(links(sells) == "0-0 1-4 3-3 4-2 5-1 6-2 7-5 ");
  NounPhrase friends = noun("my", "friend");
  friends.plural = true;
  Clause makes = clause(friends, with_object("make", noun("a", "chair")));
  makes.gap = Gap::subject;
  friends.relative = std::make_shared<Clause>(makes);
  CHECK(shown(simple(friends, verb("laugh", Frame::none, Tense::future))) ==
        "my friends who make a chair will laugh . | 의자를 만드는 내 친구들은 웃을 것이다 .");
}

TEST_CASE("clauses are joined by endings, the subordinate one first") {
  Sentence sentence = simple(pronoun("I"), with_object("drink", noun("the", "coffee"), Tense::past));
  sentence.first.connective = Connective::because;
  sentence.first.subordinate = clause(pronoun("you"), verb("sleep", Frame::none, Tense::past));
  CHECK(shown(sentence) == "I drank the coffee because you slept . | 네가 잤기 때문에 나는 커피를 마셨다 .");
  CHECK(links(sentence) == "0-3 1-5 3-4 4-2 5-0 6-1 7-6 ");
  sentence.first.second = clause(name("Anna"), verb("cry", Frame::none, Tense::past));
  sentence.contrast = Part{};
  sentence.contrast->first = clause(pronoun("she"), verb("work", Frame::none));
  CHECK(shown(sentence) ==
        "I drank the coffee and Anna cried because you slept but she works . | "
        "네가 잤기 때문에 나는 커피를 마셨고 안나는 울었지만 그녀는 일한다 .");
  VerbPhrase says = verb("say", Frame::that_clause);
  says.that = std::make_shared<Clause>(clause(name("Tom"), go_to("the station", Tense::future)));
  CHECK(shown(simple(pronoun("he"), says)) ==
        "he says that Tom will go to the station . | 그는 톰이 역에 갈 것이라고 말한다 .");
  VerbPhrase eats = with_object("eat", noun("a", "egg"), Tense::past);
  eats.second = std::make_shared<VerbPhrase>(with_object("drink", noun("the", "juice")));
  CHECK(shown(simple(pronoun("she"), eats)) ==
        "she ate an egg and drank the juice . | 그녀는 달걀을 먹고 주스를 마셨다 .");
}

TEST_CASE("circumstances: company, means, direction, manner and time") {
  VerbPhrase go = go_to("the beach", Tense::past);
  go.vehicle = entry(vehicles(), &Name::english, "subway");
  go.time = entry(times(), &Time::english, "last week");
  CHECK(shown(simple(noun("her", "teacher"), go)) ==
        "her teacher went to the beach by subway last week . | 그녀의 선생님은 지난주에 해변에 지하철로 갔다 .");
  VerbPhrase run = verb("run", Frame::course);
  run.companion = noun("every", "student");
  run.place = entry(places(), &Place::english, "the park");
  run.place_role = PlaceRole::toward;
  run.frequency = entry(frequencies(), &Adverb::english, "often");
  CHECK(shown(simple(name("Hyejin"), run)) ==
        "Hyejin often runs with every student toward the park . | 혜진은 모든 학생과 공원으로 자주 달린다 .");
  VerbPhrase live = verb("live", Frame::residence);
  live.place = entry(places(), &Place::english, "the island");
  CHECK(shown(simple(pronoun("we"), live)) == "we live on the island . | 우리는 섬에 산다 .");
}

TEST_CASE("reserved combinations are found wherever they stand, their parts alone are not") {
  const auto combination = [](const Sentence& sentence) { return translate(sentence).combination; };
  const NounPhrase cats = counted("six", "cat");
  CHECK(combination(simple(cats, verb("sleep", Frame::none))) == "six animals");
  CHECK(combination(simple(pronoun("I"), with_object("see", cats))) == "six animals");
  CHECK(combination(simple(pronoun("I"), to_verb("like", with_object("see", cats)))) == "six animals");
  CHECK(combination(simple(pronoun("I"), with_object("see", counted("six", "fish")))) == "");
  CHECK(combination(simple(pronoun("I"), with_object("see", counted("five", "cat")))) == "");

  NounPhrase bag = noun("the", "bag");
  Clause carries = clause(name("Tom"), verb("carry", Frame::object));
  carries.gap = Gap::object;
  bag.relative = std::make_shared<Clause>(carries);
  CHECK(combination(simple(pronoun("I"), with_object("see", bag))) == "carry or borrow in a relative clause");
  CHECK(combination(simple(name("Tom"), with_object("carry", noun("the", "bag")))) == "");

  carries.predicate = verb("sell", Frame::object);
  bag.relative = std::make_shared<Clause>(carries);
  VerbPhrase buys = with_object("buy", bag, Tense::future);
  CHECK(combination(simple(pronoun("I"), buys)) == "");
  buys.negated = true;
  CHECK(combination(simple(pronoun("I"), buys)) == "negated future with a relative clause on the object");
  buys.tense = Tense::past;
  CHECK(combination(simple(pronoun("I"), buys)) == "");

  Sentence wishes = simple(pronoun("I"), to_verb("want", go_to("school")));
  CHECK(combination(wishes) == "");
  wishes.first.subordinate = wishes.first.first;
  CHECK(combination(wishes) == "want to in an adverbial clause");
}
