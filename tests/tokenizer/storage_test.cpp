#include <fstream>

#include "libtr/base/files.h"
#include "libtr/base/sha256.h"
#include "tests/tokenizer/training.h"

using namespace tr;
using namespace tr::test;

TEST_CASE("a saved tokenizer is whole: text settings, sampling, hash", "[F20]") {
  ScratchFolder folder;
  const auto trained = train_tokenizers({{"type", "unigram"},
                                         {"vocab_size", 400},
                                         {"lowercase", true},
                                         {"unicode", "nfc"},
                                         {"sampling", {{"type", "n_best"}, {"n", 8}}}});
  trained.save(folder / "tokenizer");
  const config::Json json = config::Json::parse(read_file(folder / "tokenizer/tokenizer.json"));
  CHECK(json["settings"]["type"] == "unigram");
  CHECK(json["settings"]["lowercase"] == true);
  CHECK(json["models"]["joint"]["size"] == trained.source->size());
  CHECK(json["models"]["joint"]["sha256"] == sha256_of_file(folder / "tokenizer/joint.model"));
  const auto loaded = tokenizer::load(folder.path());
  CHECK(loaded.joint());
  CHECK(loaded.settings == trained.settings);
  CHECK(loaded.source->sha256() == trained.source->sha256());
  CHECK(loaded.source->encode("TOM Lied.") == trained.source->encode("tom lied."));
  CHECK(loaded.sampling->varies());
  CHECK(loaded.sampling->draw(*loaded.source, "Tom lied.", 3) ==
        trained.sampling->draw(*trained.source, "Tom lied.", 3));
}

TEST_CASE("separate tokenizers are two files") {
  ScratchFolder folder;
  const auto trained = train_tokenizers({{"type", "word"}, {"sides", "separate"}});
  trained.save(folder / "t");
  CHECK(std::filesystem::exists(folder / "t/source.model"));
  CHECK(std::filesystem::exists(folder / "t/target.model"));
  const auto loaded = tokenizer::load(folder / "t");
  CHECK(!loaded.joint());
  CHECK(loaded.source->sha256() == trained.source->sha256());
  CHECK(loaded.target->sha256() == trained.target->sha256());
}

TEST_CASE("a damaged folder is refused with the file that is at fault") {
  ScratchFolder folder;
  const auto trained = train_tokenizers({{"type", "char"}});
  trained.save(folder / "t");
  const std::string description = folder / "t/tokenizer.json", model = folder / "t/joint.model";
  const std::string good = read_file(description), bytes = read_file(model);
  const auto problem = [&] { return error_of([&] { tokenizer::load(folder / "t"); }); };

  write_file(model, train_on({{"type", "char"}}, {"ab"})->serialized());
  CHECK(problem().starts_with(model + ": changed: sha256 is "));
  write_file(model, bytes);

  write_file(description, "{");
  CHECK(problem().starts_with(description + ": not as libtr writes it: "));
  write_file(description, "{}");
  CHECK(problem().starts_with(description + ": not as libtr writes it: "));
  config::Json json = config::Json::parse(good);
  json["format"] = 2;
  write_file(description, json.dump());
  CHECK(problem() == description + ": format 2, expected 1");
  json = config::Json::parse(good);
  json["settings"]["unicode"] = "nfx";
  write_file(description, json.dump());
  CHECK(problem().starts_with(description + ": /settings/unicode: "));

  write_file(description, good);
  CHECK_NOTHROW(tokenizer::load(folder / "t"));
  std::filesystem::remove(model);
  CHECK(problem().starts_with(model + ": "));
}
