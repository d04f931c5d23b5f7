// Hangul syllables and the conjugation tables of the toy corpus, against forms written out by hand.
#include "libtr/data/toy_conjugation.h"

#include "libtr/data/toy_hangul.h"
#include "libtr/data/toy_lexicon.h"
#include "tests/support.h"

using namespace tr::data;

namespace {

std::string form(const Stem& stem, Tense tense, Ending ending) {
  const Inflected parts = inflect(stem, tense, ending);
  std::string text = parts.stem;
  for (const std::string& word : {parts.future, parts.connective}) text += word.empty() ? "" : " " + word;
  return text;
}

const Stem& stem_of(std::string_view korean) {
  for (const Verb& verb : verbs()) {
    if (verb.stem.text == korean) return verb.stem;
    if (verb.opposite.text == korean) return verb.opposite;
  }
  for (const Adjective& adjective : adjectives()) {
    if (adjective.stem.text == korean) return adjective.stem;
  }
  FAIL("no stem " << korean);
  return verbs()[0].stem;
}

}  // namespace

TEST_CASE("a Hangul syllable is taken apart and put together again") {
  const Syllable syllable = last_syllable("한글");
  CHECK(syllable.lead == 0);  // ㄱ
  CHECK(syllable.vowel == kEu);
  CHECK(syllable.final == kL);
  CHECK(with_last("한글", syllable) == "한글");
  CHECK(with_final("가", kN) == "간");
  CHECK(with_final("살", kOpen) == "사");
  CHECK(with_final("보내", kSs) == "보냈");
  CHECK(with_final("가", kOpen) == "가");
  CHECK(with_last("힣", last_syllable("힣")) == "힣");
  CHECK(ends_in_consonant("책"));
  CHECK_FALSE(ends_in_consonant("학교"));
}

TEST_CASE("a word that does not end in Hangul is refused") {
  CHECK(tr::test::error_of([] { last_syllable("abc"); }) == "toy corpus: \"abc\" does not end in a Hangul syllable");
  CHECK(tr::test::error_of([] { last_syllable(""); }) == "toy corpus: \"\" does not end in a Hangul syllable");
}

TEST_CASE("verbs conjugate as the dictionary says") {
  // dictionary stem: plain present, past, future, then the three adnominal forms and -(으)면
  const std::vector<std::vector<std::string>> table = {
      {"자", "잔다", "잤다", "잘 것이다", "자는", "잔", "잘", "자면"},
      {"달리", "달린다", "달렸다", "달릴 것이다", "달리는", "달린", "달릴", "달리면"},
      {"걷", "걷는다", "걸었다", "걸을 것이다", "걷는", "걸은", "걸을", "걸으면"},
      {"쉬", "쉰다", "쉬었다", "쉴 것이다", "쉬는", "쉰", "쉴", "쉬면"},
      {"웃", "웃는다", "웃었다", "웃을 것이다", "웃는", "웃은", "웃을", "웃으면"},
      {"울", "운다", "울었다", "울 것이다", "우는", "운", "울", "울면"},
      {"춤추", "춤춘다", "춤췄다", "춤출 것이다", "춤추는", "춤춘", "춤출", "춤추면"},
      {"일하", "일한다", "일했다", "일할 것이다", "일하는", "일한", "일할", "일하면"},
      {"가", "간다", "갔다", "갈 것이다", "가는", "간", "갈", "가면"},
      {"오", "온다", "왔다", "올 것이다", "오는", "온", "올", "오면"},
      {"살", "산다", "살았다", "살 것이다", "사는", "산", "살", "살면"},
      {"먹", "먹는다", "먹었다", "먹을 것이다", "먹는", "먹은", "먹을", "먹으면"},
      {"마시", "마신다", "마셨다", "마실 것이다", "마시는", "마신", "마실", "마시면"},
      {"굽", "굽는다", "구웠다", "구울 것이다", "굽는", "구운", "구울", "구우면"},
      {"쓰", "쓴다", "썼다", "쓸 것이다", "쓰는", "쓴", "쓸", "쓰면"},
      {"부르", "부른다", "불렀다", "부를 것이다", "부르는", "부른", "부를", "부르면"},
      {"듣", "듣는다", "들었다", "들을 것이다", "듣는", "들은", "들을", "들으면"},
      {"사", "산다", "샀다", "살 것이다", "사는", "산", "살", "사면"},
      {"팔", "판다", "팔았다", "팔 것이다", "파는", "판", "팔", "팔면"},
      {"빌리", "빌린다", "빌렸다", "빌릴 것이다", "빌리는", "빌린", "빌릴", "빌리면"},
      {"만들", "만든다", "만들었다", "만들 것이다", "만드는", "만든", "만들", "만들면"},
      {"보", "본다", "봤다", "볼 것이다", "보는", "본", "볼", "보면"},
      {"찾", "찾는다", "찾았다", "찾을 것이다", "찾는", "찾은", "찾을", "찾으면"},
      {"고르", "고른다", "골랐다", "고를 것이다", "고르는", "고른", "고를", "고르면"},
      {"나르", "나른다", "날랐다", "나를 것이다", "나르는", "나른", "나를", "나르면"},
      {"짓", "짓는다", "지었다", "지을 것이다", "짓는", "지은", "지을", "지으면"},
      {"돕", "돕는다", "도왔다", "도울 것이다", "돕는", "도운", "도울", "도우면"},
      {"만나", "만난다", "만났다", "만날 것이다", "만나는", "만난", "만날", "만나면"},
      {"가르치", "가르친다", "가르쳤다", "가르칠 것이다", "가르치는", "가르친", "가르칠", "가르치면"},
      {"잊", "잊는다", "잊었다", "잊을 것이다", "잊는", "잊은", "잊을", "잊으면"},
      {"사랑하", "사랑한다", "사랑했다", "사랑할 것이다", "사랑하는", "사랑한", "사랑할", "사랑하면"},
      {"알", "안다", "알았다", "알 것이다", "아는", "안", "알", "알면"},
      {"모르", "모른다", "몰랐다", "모를 것이다", "모르는", "모른", "모를", "모르면"},
      {"주", "준다", "줬다", "줄 것이다", "주는", "준", "줄", "주면"},
      {"보내", "보낸다", "보냈다", "보낼 것이다", "보내는", "보낸", "보낼", "보내면"},
      {"빌려주", "빌려준다", "빌려줬다", "빌려줄 것이다", "빌려주는", "빌려준", "빌려줄", "빌려주면"},
      {"믿", "믿는다", "믿었다", "믿을 것이다", "믿는", "믿은", "믿을", "믿으면"},
  };
  for (const auto& row : table) {
    CAPTURE(row[0]);
    const Stem& stem = stem_of(row[0]);
    CHECK(form(stem, Tense::present, Ending::plain) == row[1]);
    CHECK(form(stem, Tense::past, Ending::plain) == row[2]);
    CHECK(form(stem, Tense::future, Ending::plain) == row[3]);
    CHECK(form(stem, Tense::present, Ending::adnominal) == row[4]);
    CHECK(form(stem, Tense::past, Ending::adnominal) == row[5]);
    CHECK(form(stem, Tense::future, Ending::adnominal) == row[6]);
    CHECK(form(stem, Tense::present, Ending::if_so) == row[7]);
  }
}

TEST_CASE("adjectives conjugate as the dictionary says") {
  // dictionary stem: plain present, past, future, adnominal present, past
  const std::vector<std::vector<std::string>> table = {
      {"크", "크다", "컸다", "클 것이다", "큰", "컸던"},
      {"작", "작다", "작았다", "작을 것이다", "작은", "작았던"},
      {"좋", "좋다", "좋았다", "좋을 것이다", "좋은", "좋았던"},
      {"나쁘", "나쁘다", "나빴다", "나쁠 것이다", "나쁜", "나빴던"},
      {"친절하", "친절하다", "친절했다", "친절할 것이다", "친절한", "친절했던"},
      {"슬프", "슬프다", "슬펐다", "슬플 것이다", "슬픈", "슬펐던"},
      {"바쁘", "바쁘다", "바빴다", "바쁠 것이다", "바쁜", "바빴던"},
      {"예쁘", "예쁘다", "예뻤다", "예쁠 것이다", "예쁜", "예뻤던"},
      {"아름답", "아름답다", "아름다웠다", "아름다울 것이다", "아름다운", "아름다웠던"},
      {"무겁", "무겁다", "무거웠다", "무거울 것이다", "무거운", "무거웠던"},
      {"싸", "싸다", "쌌다", "쌀 것이다", "싼", "쌌던"},
      {"비싸", "비싸다", "비쌌다", "비쌀 것이다", "비싼", "비쌌던"},
      {"재미있", "재미있다", "재미있었다", "재미있을 것이다", "재미있는", "재미있었던"},
      {"맛있", "맛있다", "맛있었다", "맛있을 것이다", "맛있는", "맛있었던"},
      {"빨갛", "빨갛다", "빨갰다", "빨갈 것이다", "빨간", "빨갰던"},
      {"길", "길다", "길었다", "길 것이다", "긴", "길었던"},
  };
  for (const auto& row : table) {
    CAPTURE(row[0]);
    const Stem& stem = stem_of(row[0]);
    CHECK(form(stem, Tense::present, Ending::plain) == row[1]);
    CHECK(form(stem, Tense::past, Ending::plain) == row[2]);
    CHECK(form(stem, Tense::future, Ending::plain) == row[3]);
    CHECK(form(stem, Tense::present, Ending::adnominal) == row[4]);
    CHECK(form(stem, Tense::past, Ending::adnominal) == row[5]);
  }
}

TEST_CASE("each ending takes its form in every tense that it has") {
  const Stem &go = stem_of("가"), &make = stem_of("만들");
  const Stem copula{"이", StemKind::copula, Irregular::uncontracted}, copula_after_vowel{"이", StemKind::copula};
  CHECK(form(go, Tense::present, Ending::and_then) == "가고");
  CHECK(form(go, Tense::past, Ending::but) == "갔지만");
  CHECK(form(go, Tense::future, Ending::but) == "갈 것이지만");
  CHECK(form(go, Tense::past, Ending::because) == "갔기 때문에");
  CHECK(form(go, Tense::future, Ending::because) == "갈 것이기 때문에");
  CHECK(form(go, Tense::present, Ending::when) == "갈 때");
  CHECK(form(make, Tense::past, Ending::when) == "만들었을 때");
  CHECK(form(make, Tense::past, Ending::after) == "만든 후에");
  CHECK(form(make, Tense::past, Ending::before) == "만들기 전에");
  CHECK(form(make, Tense::present, Ending::quote) == "만든다고");
  CHECK(form(go, Tense::future, Ending::quote) == "갈 것이라고");
  CHECK(form(go, Tense::past, Ending::fact) == "갔다는");
  CHECK(form(go, Tense::future, Ending::fact) == "갈 것이라는");
  CHECK(form(stem_of("크"), Tense::present, Ending::quote) == "크다고");
  CHECK(form(copula, Tense::present, Ending::quote) == "이라고");
  CHECK(form(copula, Tense::past, Ending::plain) == "이었다");
  CHECK(form(copula_after_vowel, Tense::past, Ending::plain) == "였다");
}
