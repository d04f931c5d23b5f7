#include "libtr/tokenizer/tokenizer.h"

#include <unistd.h>

#include <fstream>
#include <set>

#include "tests/tokenizer/training.h"

using namespace tr;
using namespace tr::test;
using tokenizer::Ids;

namespace {

const config::Json kBpe = {{"type", "bpe"}, {"vocab_size", 500}};
const config::Json kUnigram = {{"type", "unigram"}, {"vocab_size", 500}};
const config::Json kChar = {{"type", "char"}};
const config::Json kWord = {{"type", "word"}};

}  // namespace

TEST_CASE("special ids are the same in every type and lie in front") {
  for (const auto& options : {kBpe, kUnigram, kChar, kWord}) {
    INFO(options.dump());
    const auto tokenizers = train_tokenizers(options);
    CHECK(tokenizers.joint());
    CHECK(tokenizers.source->tokens({0, 1, 2, 3}) == std::vector<std::string>{"<pad>", "<s>", "</s>", "<unk>"});
    CHECK(tokenizers.source->size() > 4);
    CHECK(tokenizers.source->id_of("no such piece") == tokenizer::kUnk);
  }
}

TEST_CASE("detokenised output equals the text", "[F37]") {
  const data::ParallelText text = fixture();
  for (const auto& options : {kBpe, kUnigram, kChar, kWord}) {
    INFO(options.dump());
    const auto tokenizers = train_tokenizers(options, text);
    for (const auto& side : {text.source, text.target}) {
      for (const auto& line : side) {
        const Ids ids = tokenizers.source->encode(line);
        CHECK(tokenizers.source->decode(ids) == line);
        for (const int64_t id : ids) CHECK(!tokenizer::is_special(id));
      }
    }
  }
}

TEST_CASE("golden detokenised output of given pieces", "[F37]") {
  const auto bpe = train_on({{"type", "bpe"}, {"vocab_size", 60}}, {"the cat sat on the mat .", "the hat , the cat ."});
  CHECK(bpe->tokens(bpe->encode("the cat .")) == std::vector<std::string>{"▁the", "▁cat", "▁."});
  const auto ids_of = [&](const std::vector<std::string>& pieces) {
    Ids ids;
    for (const auto& piece : pieces) ids.push_back(bpe->id_of(piece));
    return ids;
  };
  CHECK(bpe->decode(ids_of({"▁the", "▁cat", "▁."})) == "the cat .");
  CHECK(bpe->decode(ids_of({"t", "h", "e", "▁", "c", "a", "t"})) == "the cat");
  CHECK(bpe->decode(ids_of({"<s>", "▁the", "</s>", "▁cat"})) == "the");
  CHECK(bpe->decode(ids_of({"▁the", "<pad>", "<pad>"})) == "the");
  CHECK(bpe->decode(ids_of({"</s>"})) == "");
  CHECK(bpe->decode({}) == "");
}

TEST_CASE("an unknown leaves no placeholder in decoded text, tokens show it", "[F21]") {
  const auto word = train_on(kWord, {"the cat sat"});
  const Ids ids = word->encode("the dog sat");
  CHECK(word->tokens(ids) == std::vector<std::string>{"▁the", "<unk>", "▁sat"});
  CHECK(word->decode(ids) == "the sat");
  const auto bpe = train_on({{"type", "bpe"}, {"vocab_size", 30}}, {"abc abd"});
  CHECK(bpe->decode(bpe->encode("abz")) == "ab");
}

TEST_CASE("text that looks like a special piece stays text") {
  for (const auto& options : {kBpe, kUnigram, kChar}) {
    INFO(options.dump());
    const std::string line = "a </s> b <s> c <pad> d <unk> e";
    const auto tokenizer = train_on(options, {line, "< / > a b c d e p u n k s"});
    const Ids ids = tokenizer->encode(line);
    for (const int64_t id : ids) CHECK(!tokenizer::is_special(id));
    CHECK(tokenizer->decode(ids) == line);
  }
}

TEST_CASE("words end at the ASCII space only, Unicode spaces survive a round trip", "[F6]") {
  const std::string nbsp = "10\u00a0000\u00a0km", ideographic = "日本\u3000語", narrow = "vraiment\u202f?",
                    tab = "a\u2009b";
  const std::string line = nbsp + " " + ideographic + " " + narrow + " " + tab;
  const auto word = train_on(kWord, {line});
  CHECK(word->tokens(word->encode(line)) ==
        std::vector<std::string>{"▁" + nbsp, "▁" + ideographic, "▁" + narrow, "▁" + tab});
  for (const auto& options : {kBpe, kUnigram, kChar, kWord}) {
    INFO(options.dump());
    const auto tokenizer = train_on(options, {line, "abc def"});
    CHECK(tokenizer->decode(tokenizer->encode(line)) == line);
    ScratchFolder folder;
    tokenizer::Tokenizers both;
    both.source = both.target = tokenizer;
    both.settings = config::Json::object();
    both.save(folder / "t");
    const auto again = tokenizer::load(folder / "t").source;
    CHECK(again->encode(line) == tokenizer->encode(line));
    CHECK(again->decode(again->encode(line)) == line);
  }
}

TEST_CASE("spaces are cleaned unless asked otherwise") {
  const std::vector<std::string> lines{" a  b ", "a b"};
  const auto cleaned = train_on(kChar, lines);
  CHECK(cleaned->decode(cleaned->encode("  a   b ")) == "a b");
  config::Json keeping = kChar;
  keeping["remove_extra_whitespaces"] = false;
  const auto kept = train_on(keeping, lines);
  CHECK(kept->decode(kept->encode("  a   b ")) == "  a   b ");
}

TEST_CASE("lower case and Unicode form are applied by the tokenizer", "[F20][F23]") {
  const std::string composed = "Ä\u00c9", decomposed = "A\u0308E\u0301";
  const auto plain = train_on(kChar, {"Aa", composed, decomposed});
  CHECK(plain->encode("A") != plain->encode("a"));
  CHECK(plain->encode(composed) != plain->encode(decomposed));
  config::Json options = kChar;
  options.update({{"lowercase", true}, {"unicode", "nfc"}});
  const auto prepared = train_on(options, {"Aa", composed, decomposed});
  CHECK(prepared->decode(prepared->encode("A")) == "a");
  CHECK(prepared->decode(prepared->encode(decomposed)) == "ä\u00e9");
  CHECK(prepared->encode(composed) == prepared->encode(decomposed));
  CHECK(prepared->size() < plain->size());
}

TEST_CASE("normalisation of SentencePiece is off unless asked") {
  const std::vector<std::string> lines{"ﬁ ① Ａ", "fi 1 A"};
  const auto identity = train_on(kChar, lines);
  CHECK(identity->decode(identity->encode("ﬁ ① Ａ")) == "ﬁ ① Ａ");
  config::Json options = kChar;
  options["normalization"] = "nmt_nfkc";
  const auto nfkc = train_on(options, lines);
  CHECK(nfkc->decode(nfkc->encode("ﬁ ① Ａ")) == "fi 1 A");
}

TEST_CASE("byte fallback writes any character, without unknowns") {
  config::Json options = {{"type", "bpe"}, {"vocab_size", 300}, {"byte_fallback", true}};
  const auto tokenizer = train_on(options, {"abc abd"});
  const Ids ids = tokenizer->encode("ab 🎈 é");
  for (const int64_t id : ids) CHECK(id != tokenizer::kUnk);
  CHECK(tokenizer->decode(ids) == "ab 🎈 é");
}

TEST_CASE("bytes that spell line ends decode to spaces") {
  const auto tokenizer = train_on({{"type", "bpe"}, {"vocab_size", 300}, {"byte_fallback", true}}, {"abc abd"});
  Ids ids;
  for (const char* piece : {"a", "<0x0A>", "<0x0D>", "b"}) ids.push_back(tokenizer->id_of(piece));
  for (const int64_t id : ids) REQUIRE(id != tokenizer::kUnk);
  CHECK(tokenizer->decode(ids) == "a  b");
}

TEST_CASE("an empty line has no ids, a long one keeps all") {
  const auto tokenizer = train_on(kChar, {"ab"});
  CHECK(tokenizer->encode("").empty());
  CHECK(tokenizer->encode("   ").empty());
  const std::string longest(20000, 'a');
  CHECK(tokenizer->encode(longest).size() == 20001);
  CHECK(tokenizer->decode(tokenizer->encode(longest)) == longest);
}

TEST_CASE("no line is too long to be trained on, unless a limit is set") {
  const std::string longest = std::string(5000, 'a') + "z";  // SentencePiece alone would skip it
  CHECK(train_on(kChar, {longest, "b"})->id_of("z") != tokenizer::kUnk);
  config::Json limited = kChar;
  limited["max_sentence_bytes"] = 100;
  CHECK(train_on(limited, {longest, "b"})->id_of("z") == tokenizer::kUnk);
  CHECK(error_of([&] { train_on(limited, {longest}); }) ==
        "/tokenizer: no text to train on: every line is empty or too long");
  CHECK(error_of([&] {
          train_on(kChar, {"", ""});
        }) == "/tokenizer: no text to train on: every line is empty or too long");
}

TEST_CASE("ids outside the vocabulary are errors") {
  const auto tokenizer = train_on(kChar, {"ab"});  // pad bos eos unk ▁ a b
  CHECK(error_of([&] { tokenizer->decode({7}); }) == "trained tokenizer: id 7 is outside the vocabulary of 7");
  CHECK(error_of([&] { tokenizer->piece_of(-1); }) == "trained tokenizer: id -1 is outside the vocabulary of 7");
}

TEST_CASE("training is silent and gives the same bytes again") {
  ScratchFolder folder;
  std::fflush(stderr);
  const int standard_error = ::dup(2);
  REQUIRE(std::freopen((folder / "stderr").c_str(), "w", stderr) != nullptr);
  std::vector<std::string> first, second;
  for (const auto& options : {kBpe, kUnigram, kChar, kWord}) {
    first.push_back(train_tokenizers(options).source->sha256());
    second.push_back(train_tokenizers(options).source->sha256());
  }
  std::fflush(stderr);
  ::dup2(standard_error, 2);
  ::close(standard_error);
  CHECK(first == second);
  CHECK(std::set<std::string>(first.begin(), first.end()).size() == 4);
  std::ifstream said(folder / "stderr");
  CHECK(std::string(std::istreambuf_iterator<char>(said), {}) == "");
}
