#include "libtr/tokenizer/options.h"

#include "libtr/base/files.h"
#include "libtr/tokenizer/sentencepiece.h"
#include "tests/tokenizer/training.h"

using namespace tr;
using namespace tr::test;

TEST_CASE("vocabulary sizes that do not fit the text are named") {
  CHECK(error_of([] {
          train_on({{"type", "bpe"}, {"vocab_size", 6}}, {"abc"});
        }) ==
        "/tokenizer/vocab_size: got 6, but single characters and special pieces alone take 8; raise it or lower "
        "character_coverage");
  CHECK(error_of([] {
          train_on({{"type", "bpe"}, {"vocab_size", 500}, {"hard_vocab_limit", true}}, {"abc abd"});
        }) ==
        "/tokenizer/vocab_size: got 500, but the text yields 18 pieces at most; lower it or set hard_vocab_limit to "
        "false");
  CHECK(train_on({{"type", "bpe"}, {"vocab_size", 500}}, {"abc abd"})->size() == 18);
}

TEST_CASE("one vocabulary for both sides or one each") {
  const data::ParallelText text{.source = {"aaa bbb"}, .target = {"xxx"}, .files = {}};
  const auto joint = train_tokenizers({{"type", "char"}}, text);
  CHECK(joint.joint());
  CHECK(joint.source->size() == 8);  // four special ones, ▁ a b x
  const auto separate = train_tokenizers({{"type", "char"}, {"sides", "separate"}}, text);
  CHECK(!separate.joint());
  CHECK(separate.source->size() == 7);
  CHECK(separate.target->size() == 6);
  CHECK(separate.target->id_of("a") == tokenizer::kUnk);
}

TEST_CASE("a part can be swapped by its name alone, wrong values say where") {
  CHECK(tokenizer_choice({{"type", "word"}}).write()["vocab_size"] == 8000);
  CHECK(error_of([] {
          tokenizer_choice({{"type", "bpw"}});
        }) ==
        "/tokenizer/type: unknown tokenizer \"bpw\"; did you mean bpe? known types: bpe, unigram, char, word, load");
  CHECK(error_of([] {
          tokenizer_choice({{"type", "bpe"}, {"vocab_size", 3}});
        }).starts_with("/tokenizer/vocab_size: "));
  CHECK(error_of([] { tokenizer_choice({{"type", "bpe"}, {"unicode", "nfx"}}); }).starts_with("/tokenizer/unicode: "));
  CHECK(error_of([] {
          tokenizer_choice({{"type", "char"}, {"byte_fallback", true}});
        }).starts_with("/tokenizer/byte_fallback: unknown key"));
}

TEST_CASE("a subword vocabulary that is smaller than asked for is noted with both sizes") {
  const auto joint = train_tokenizers({{"type", "unigram"}, {"vocab_size", 7000}});
  REQUIRE(joint.source->size() < 7000);
  const std::string asked = "/tokenizer/vocab_size: 7000 ids were asked for, the ";
  CHECK(notes_of_size(joint) ==
        std::vector<std::string>{asked + "text yields " + std::to_string(joint.source->size())});
  const auto separate = train_tokenizers({{"type", "bpe"}, {"vocab_size", 7000}, {"sides", "separate"}});
  CHECK(notes_of_size(separate) ==
        std::vector<std::string>{asked + "source text yields " + std::to_string(separate.source->size()),
                                 asked + "target text yields " + std::to_string(separate.target->size())});
  CHECK(notes_of_size(train_tokenizers({{"type", "unigram"}, {"vocab_size", 400}})).empty());
  CHECK(notes_of_size(train_tokenizers({{"type", "word"}, {"vocab_size", 7000}})).empty());  // an upper limit
}

TEST_CASE("what is written reads back") {
  for (const auto& entry : tokenizer::tokenizers().entries()) {
    const config::Json written = config::Choice<tokenizer::tokenizers>(entry.name).write();
    CHECK(tokenizer_choice(written).write() == written);
  }
}

TEST_CASE("a tokenizer of another run or folder is loaded, with its own text settings") {
  ScratchFolder folder;
  const auto trained = train_tokenizers({{"type", "unigram"}, {"vocab_size", 400}, {"lowercase", true}});
  trained.save(folder / "run/checkpoints/best/tokenizer");
  for (const auto* path : {"run", "run/checkpoints/best", "run/checkpoints/best/tokenizer"}) {
    const auto loaded = train_tokenizers({{"type", "load"}, {"from", folder / path}});
    CHECK(loaded.joint());
    CHECK(loaded.source->encode("Nice TIMING") == trained.source->encode("nice timing"));
    CHECK(loaded.settings["type"] == "unigram");
    CHECK(!loaded.sampling->varies());
  }
  const auto sampling =
      train_tokenizers({{"type", "load"}, {"from", folder / "run"}, {"sampling", {{"type", "n_best"}}}});
  CHECK(sampling.sampling->varies());
  CHECK(error_of([&] {
          train_tokenizers({{"type", "load"}, {"from", folder / "run"}, {"lowercase", true}});
        }) == "/tokenizer: lowercase and unicode come from " + folder / "run" + ", which is a folder");
  CHECK(error_of([&] {
          train_tokenizers({{"type", "load"}, {"from", folder / "run"}, {"from_target", folder / "run"}});
        }) == "/tokenizer/from_target: only for .model files: " + folder / "run" + " is a folder");
}

TEST_CASE("model files of SentencePiece are loaded, joint or one each") {
  ScratchFolder folder;
  train_on({{"type", "char"}}, {"abc"})->save(folder / "a.model");
  train_on({{"type", "char"}}, {"xyz"})->save(folder / "b.model");
  const auto joint = train_tokenizers({{"type", "load"}, {"from", folder / "a.model"}, {"lowercase", true}});
  CHECK(joint.joint());
  CHECK(joint.source->decode(joint.source->encode("AB")) == "ab");
  const auto pair =
      train_tokenizers({{"type", "load"}, {"from", folder / "a.model"}, {"from_target", folder / "b.model"}});
  CHECK(!pair.joint());
  CHECK(pair.target->decode(pair.target->encode("xz")) == "xz");
  pair.save(folder / "saved");
  CHECK(tokenizer::load(folder / "saved").target->decode({4, 5, 6, 7}).size() == 4);
}

TEST_CASE("a model with other special ids is refused") {
  ScratchFolder folder;
  const auto problem = [&](std::map<std::string, std::string> flags) {
    flags.insert({{"model_type", "char"}, {"vocab_size", "20"}, {"hard_vocab_limit", "false"}});
    write_file(folder / "m.model", tokenizer::train_sentencepiece(flags, {"some text"}));
    return error_of([&] { train_tokenizers({{"type", "load"}, {"from", folder / "m.model"}}); });
  };
  const std::string hint = " (train with --pad_id=0 --bos_id=1 --eos_id=2 --unk_id=3)";
  CHECK(problem({{"pad_id", "-1"}, {"unk_id", "0"}}) == folder / "m.model: pad has no id, expected 0" + hint);
  CHECK(problem({{"bos_id", "2"}, {"eos_id", "1"}}) == folder / "m.model: bos has id 2, expected 1" + hint);
  CHECK(problem({{"eos_id", "3"}, {"unk_id", "2"}}) == folder / "m.model: eos has id 3, expected 2" + hint);
  CHECK(problem({{"unk_id", "4"}, {"vocab_size", "30"}}) == folder / "m.model: unk has id 4, expected 3" + hint);
}

TEST_CASE("a tokenizer that cannot be loaded is one line") {
  ScratchFolder folder;
  CHECK(error_of([] {
          train_tokenizers({{"type", "load"}});
        }) == "/tokenizer/from: expected a run, a checkpoint or a .model file");
  CHECK(error_of([&] {
          train_tokenizers({{"type", "load"}, {"from", folder / "none"}});
        }) == folder / "none: no tokenizer.json here, in tokenizer/ or in checkpoints/best/tokenizer/");
  write_file(folder / "bad.model", "not a model");
  CHECK(error_of([&] {
          train_tokenizers({{"type", "load"}, {"from", folder / "bad.model"}});
        }) == folder / "bad.model: not a model of SentencePiece");
}
