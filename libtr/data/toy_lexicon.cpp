// The tables of words.
#include "libtr/data/toy_lexicon.h"

namespace tr::data {
namespace {

// clang-format off
constexpr Noun kNouns[] = {
    {"student", "students", "학생", "명", kPerson},    {"teacher", "teachers", "선생님", "명", kPerson},
    {"doctor", "doctors", "의사", "명", kPerson},      {"farmer", "farmers", "농부", "명", kPerson},
    {"child", "children", "아이", "명", kPerson},      {"woman", "women", "여자", "명", kPerson},
    {"man", "men", "남자", "명", kPerson},             {"singer", "singers", "가수", "명", kPerson},
    {"soldier", "soldiers", "군인", "명", kPerson},    {"friend", "friends", "친구", "명", kPerson},
    {"cat", "cats", "고양이", "마리", kAnimal},        {"dog", "dogs", "개", "마리", kAnimal},
    {"bird", "birds", "새", "마리", kAnimal},          {"horse", "horses", "말", "마리", kAnimal},
    {"rabbit", "rabbits", "토끼", "마리", kAnimal},    {"bear", "bears", "곰", "마리", kAnimal},
    {"apple", "apples", "사과", "개", kFood},          {"egg", "eggs", "달걀", "개", kFood},
    {"potato", "potatoes", "감자", "개", kFood},       {"fish", "fish", "생선", "마리", kFood},
    {"orange", "oranges", "오렌지", "개", kFood},      {"coffee", "coffees", "커피", "잔", kDrink},
    {"juice", "juices", "주스", "잔", kDrink},         {"book", "books", "책", "권", kText},
    {"letter", "letters", "편지", "통", kText},        {"poem", "poems", "시", "편", kText},
    {"novel", "novels", "소설", "권", kText},          {"song", "songs", "노래", "곡", kSong},
    {"car", "cars", "자동차", "대", kGoods},           {"bicycle", "bicycles", "자전거", "대", kGoods},
    {"chair", "chairs", "의자", "개", kGoods},         {"bag", "bags", "가방", "개", kGoods},
    {"hat", "hats", "모자", "개", kGoods},             {"photo", "photos", "사진", "장", kGoods},
    {"pencil", "pencils", "연필", "자루", kGoods},     {"flower", "flowers", "꽃", "송이", kGoods},
    {"coat", "coats", "외투", "벌", kGoods},           {"house", "houses", "집", "채", kBuilding},
    {"bridge", "bridges", "다리", "개", kBuilding},    {"tower", "towers", "탑", "개", kBuilding},
};

constexpr Name kNames[] = {{"Minsu", "민수"}, {"Yuna", "유나"}, {"Anna", "안나"},
                           {"Tom", "톰"}, {"Jun", "준"}, {"Hyejin", "혜진"}};

constexpr Pronoun kPronouns[] = {
    {"I", "me", "나", "내가", false, true},        {"you", "you", "너", "네가", true, false},
    {"he", "him", "그", "그가", false, false},     {"she", "her", "그녀", "그녀가", false, false},
    {"we", "us", "우리", "우리가", true, true},    {"they", "them", "그들", "그들이", true, false},
};

constexpr Determiner kDeterminers[] = {
    {"the", "the", "", Number::both},          {"a", "", "", Number::both},
    {"this", "these", "이", Number::both},     {"my", "my", "내", Number::both},
    {"your", "your", "네", Number::both},      {"his", "his", "그의", Number::both},
    {"her", "her", "그녀의", Number::both},    {"our", "our", "우리", Number::both},
    {"every", "", "모든", Number::singular},   {"", "many", "많은", Number::plural},
};

constexpr Numeral kNumerals[] = {{"two", "두"}, {"three", "세"}, {"four", "네"}, {"five", "다섯"},
                                 {"six", "여섯"}, {"seven", "일곱"}, {"eight", "여덟"}, {"nine", "아홉"}};

constexpr auto kAdj = StemKind::adjective;
constexpr Adjective kAdjectives[] = {
    {"big", {"크", kAdj}, kAnimal | kFood | kGoods | kBuilding},
    {"small", {"작", kAdj}, kAnimal | kFood | kGoods | kBuilding},
    {"good", {"좋", kAdj}, kPerson | kText | kSong | kGoods},
    {"bad", {"나쁘", kAdj}, kPerson | kText | kSong},
    {"kind", {"친절하", kAdj, Irregular::ha}, kPerson},
    {"famous", {"유명하", kAdj, Irregular::ha}, kPerson | kText | kSong | kBuilding},
    {"happy", {"행복하", kAdj, Irregular::ha}, kPerson},
    {"sad", {"슬프", kAdj}, kPerson | kText | kSong},
    {"busy", {"바쁘", kAdj}, kPerson},
    {"pretty", {"예쁘", kAdj}, kAnimal | kGoods},
    {"beautiful", {"아름답", kAdj, Irregular::b}, kSong | kText | kBuilding},
    {"heavy", {"무겁", kAdj, Irregular::b}, kGoods},
    {"cheap", {"싸", kAdj}, kFood | kDrink | kGoods},
    {"expensive", {"비싸", kAdj}, kFood | kDrink | kGoods | kBuilding},
    {"interesting", {"재미있", StemKind::existence}, kText},
    {"delicious", {"맛있", StemKind::existence}, kFood | kDrink},
    {"red", {"빨갛", kAdj, Irregular::h}, kGoods},
    {"long", {"길", kAdj}, kText | kSong | kBuilding},
};

constexpr auto kVerb = StemKind::verb;
constexpr Verb kVerbs[] = {
    {"sleep", "sleeps", "slept", {"자"}, Frame::none, kLiving, 0},
    {"run", "runs", "ran", {"달리"}, Frame::course, kLiving, 0},
    {"walk", "walks", "walked", {"걷", kVerb, Irregular::d}, Frame::course, kLiving, 0},
    {"rest", "rests", "rested", {"쉬"}, Frame::none, kLiving, 0},
    {"laugh", "laughs", "laughed", {"웃"}, Frame::none, kPerson, 0},
    {"cry", "cries", "cried", {"울"}, Frame::none, kPerson, 0},
    {"dance", "dances", "danced", {"춤추"}, Frame::none, kPerson, 0},
    {"work", "works", "worked", {"일하", kVerb, Irregular::ha}, Frame::none, kPerson, 0},
    {"go", "goes", "went", {"가"}, Frame::motion, kLiving, 0},
    {"come", "comes", "came", {"오"}, Frame::motion, kLiving, 0},
    {"live", "lives", "lived", {"살"}, Frame::residence, kLiving, 0},
    {"eat", "eats", "ate", {"먹"}, Frame::object, kLiving, kFood},
    {"drink", "drinks", "drank", {"마시"}, Frame::object, kPerson, kDrink},
    {"roast", "roasts", "roasted", {"굽", kVerb, Irregular::b}, Frame::object, kPerson, kFood},
    {"write", "writes", "wrote", {"쓰"}, Frame::object, kPerson, kText | kSong},
    {"sing", "sings", "sang", {"부르", kVerb, Irregular::reu}, Frame::object, kPerson, kSong},
    {"hear", "hears", "heard", {"듣", kVerb, Irregular::d}, Frame::object, kPerson, kSong},
    {"buy", "buys", "bought", {"사"}, Frame::object, kPerson, kFood | kDrink | kText | kGoods},
    {"sell", "sells", "sold", {"팔"}, Frame::object, kPerson, kFood | kDrink | kText | kGoods},
    {"borrow", "borrows", "borrowed", {"빌리"}, Frame::object, kPerson, kText | kGoods},
    {"make", "makes", "made", {"만들"}, Frame::object, kPerson, kGoods | kSong},
    {"see", "sees", "saw", {"보"}, Frame::object, kLiving, kAnything & ~kSong},
    {"find", "finds", "found", {"찾"}, Frame::object, kLiving, kAnimal | kGoods | kText},
    {"choose", "chooses", "chose", {"고르", kVerb, Irregular::reu}, Frame::object, kPerson, kGoods | kText | kFood},
    {"carry", "carries", "carried", {"나르", kVerb, Irregular::reu}, Frame::object, kPerson, kGoods | kFood},
    {"build", "builds", "built", {"짓", kVerb, Irregular::s}, Frame::object, kPerson, kBuilding},
    {"help", "helps", "helped", {"돕", kVerb, Irregular::b}, Frame::object, kPerson, kLiving},
    {"meet", "meets", "met", {"만나"}, Frame::object, kPerson, kPerson},
    {"teach", "teaches", "taught", {"가르치"}, Frame::object, kPerson, kPerson},
    {"forget", "forgets", "forgot", {"잊"}, Frame::object, kPerson, kPerson | kText | kSong},
    {"love", "loves", "loved", {"사랑하", kVerb, Irregular::ha}, Frame::feeling, kLiving, kLiving},
    {"like", "likes", "liked", {"좋아하", kVerb, Irregular::ha}, Frame::feeling, kLiving, kAnything},
    {"hate", "hates", "hated", {"싫어하", kVerb, Irregular::ha}, Frame::feeling, kLiving, kAnything},
    {"know", "knows", "knew", {"알"}, Frame::feeling, kPerson, kPerson | kSong | kText, Tie::none,
     {"모르", kVerb, Irregular::reu}},
    {"give", "gives", "gave", {"주"}, Frame::gift, kPerson, kFood | kDrink | kText | kGoods},
    {"send", "sends", "sent", {"보내"}, Frame::gift, kPerson, kText | kGoods | kFood},
    {"lend", "lends", "lent", {"빌려주"}, Frame::gift, kPerson, kText | kGoods},
    {"like", "likes", "liked", {"좋아하", kVerb, Irregular::ha}, Frame::to_verb, kLiving, 0, Tie::thing},
    {"hate", "hates", "hated", {"싫어하", kVerb, Irregular::ha}, Frame::to_verb, kLiving, 0, Tie::thing},
    {"want", "wants", "wanted", {"하", kVerb, Irregular::ha}, Frame::to_verb, kLiving, 0, Tie::wish},
    {"begin", "begins", "began", {"시작하", kVerb, Irregular::ha}, Frame::to_verb, kLiving, 0, Tie::start},
    {"decide", "decides", "decided", {"결정하", kVerb, Irregular::ha}, Frame::to_verb, kPerson, 0, Tie::decision},
    {"say", "says", "said", {"말하", kVerb, Irregular::ha}, Frame::that_clause, kPerson, 0, Tie::quote},
    {"think", "thinks", "thought", {"생각하", kVerb, Irregular::ha}, Frame::that_clause, kPerson, 0, Tie::quote},
    {"believe", "believes", "believed", {"믿"}, Frame::that_clause, kPerson, 0, Tie::quote},
    {"know", "knows", "knew", {"알"}, Frame::that_clause, kPerson, 0, Tie::fact, {"모르", kVerb, Irregular::reu}},
};

constexpr Place kPlaces[] = {
    {"school", "at", "학교"},           {"the library", "in", "도서관"},   {"the park", "in", "공원"},
    {"the market", "at", "시장"},       {"the hospital", "in", "병원"},    {"the station", "at", "역"},
    {"the beach", "at", "해변"},        {"the arcade", "at", "오락실"},    {"the office", "in", "사무실"},
    {"the restaurant", "in", "식당"},   {"the museum", "in", "박물관"},    {"the island", "on", "섬"},
};

constexpr unsigned kPast = 1u << static_cast<int>(Tense::past), kFuture = 1u << static_cast<int>(Tense::future),
                   kAlways = 7;
constexpr Time kTimes[] = {
    {"yesterday", "어제", kPast},      {"tomorrow", "내일", kFuture},     {"today", "오늘", kAlways},
    {"every day", "매일", kAlways},    {"last week", "지난주에", kPast},  {"next week", "다음 주에", kFuture},
    {"on Monday", "월요일에", kAlways}, {"on Sunday", "일요일에", kAlways}, {"in the morning", "아침에", kAlways},
    {"at night", "밤에", kAlways},
};

constexpr Name kVehicles[] = {{"train", "기차"}, {"bus", "버스"}, {"subway", "지하철"}, {"boat", "배"}};
constexpr Adverb kFrequencies[] = {{"often", "자주"}, {"always", "항상"}, {"sometimes", "가끔"}};
constexpr Adverb kManners[] = {{"quickly", "빨리"}, {"slowly", "천천히"}, {"quietly", "조용히"}, {"alone", "혼자"}};
// clang-format on

}  // namespace

std::span<const Noun> nouns() { return kNouns; }
std::span<const Name> names() { return kNames; }
std::span<const Pronoun> pronouns() { return kPronouns; }
std::span<const Determiner> determiners() { return kDeterminers; }
std::span<const Numeral> numerals() { return kNumerals; }
std::span<const Adjective> adjectives() { return kAdjectives; }
std::span<const Verb> verbs() { return kVerbs; }
std::span<const Place> places() { return kPlaces; }
std::span<const Time> times() { return kTimes; }
std::span<const Name> vehicles() { return kVehicles; }
std::span<const Adverb> frequencies() { return kFrequencies; }
std::span<const Adverb> manners() { return kManners; }

}  // namespace tr::data
