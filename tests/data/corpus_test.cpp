#include "libtr/data/corpus.h"

#include "libtr/base/files.h"
#include "libtr/base/sha256.h"
#include "libtr/config/json_file.h"
#include "libtr/data/options.h"
#include "libtr/data/toy_corpus.h"
#include "tests/support.h"

using namespace tr;
using namespace tr::test;
using Lines = std::vector<std::string>;

namespace {

data::ParallelText parallel(const std::string& source, const std::string& target) {
  return config::Choice<data::corpora>("parallel", data::ParallelFiles{{source}, {target}}).make("/data/train");
}

data::ParallelText tsv(const data::TsvFile& options) {
  return config::Choice<data::corpora>("tsv", options).make("/data/valid");
}

}  // namespace

TEST_CASE("two files become pairs, recorded by lines and sha256", "[F43]") {
  ScratchFolder folder;
  write_file(folder / "en", "a\n\nc\n");
  write_file(folder / "de", "x\r\ny\r\n");
  write_file(folder / "fr", "1\n2\n3");
  const auto text = parallel(folder / "en", folder / "fr");
  CHECK(text.source == Lines{"a", "", "c"});
  CHECK(text.target == Lines{"1", "2", "3"});
  const auto json = to_json(text);
  CHECK(json["lines"] == 3);
  CHECK(json["files"][0] ==
        config::Json{{"path", folder / "en"}, {"lines", 3}, {"sha256", sha256_of_text("a\n\nc\n")}});
  CHECK(json["files"][1]["sha256"] == sha256_of_text("1\n2\n3"));
}

TEST_CASE("sides of unequal length are an error with both counts", "[F9]") {
  ScratchFolder folder;
  write_file(folder / "en", "a\nb\nc\n");
  write_file(folder / "de", "x\ny\n");
  CHECK(error_of([&] { parallel(folder / "en", folder / "de"); }) ==
        "/data/train: " + folder / "en" + " has 3 lines, " + folder / "de" + " has 2; expected as many");
}

TEST_CASE("a file that is not named or not there is one line") {
  ScratchFolder folder;
  write_file(folder / "en", "a\n");
  CHECK(error_of([&] { parallel("", folder / "en"); }) == "/data/train/source: no file is named");
  CHECK(error_of([&] { parallel(folder / "en", folder / "xx"); }) ==
        "/data/train/target: no such file: " + folder / "xx");
  CHECK(error_of([&] { tsv({.file = {folder.path()}}); }) ==
        "/data/valid/file: expected a file, got a folder: " + folder.path());
  CHECK_THROWS_AS(parallel("", ""), UsageError);
  CHECK_THROWS_AS(parallel(folder / "en", folder / "xx"), DataError);
}

TEST_CASE("columns of a TSV file are chosen by number") {
  ScratchFolder folder;
  write_file(folder / "t.tsv", "a\tx\tone\n\ty\ttwo\nc \tz\n");
  const auto text = tsv({.file = {folder / "t.tsv"}});
  CHECK(text.source == Lines{"a", "", "c "});
  CHECK(text.target == Lines{"x", "y", "z"});
  CHECK(text.files.size() == 1);
  CHECK(tsv({.file = {folder / "t.tsv"}, .source_column = 2, .target_column = 1}).source == Lines{"x", "y", "z"});
  CHECK(error_of([&] { tsv({.file = {folder / "t.tsv"}, .target_column = 3}); }) ==
        folder / "t.tsv:3: 2 columns, expected 3 or more");
}

TEST_CASE("the built-in corpus is a corpus like others") {
  const auto toy = [](const data::ToyOptions& options) {
    return config::Choice<data::corpora>("toy", options).make("/data/train");
  };
  const auto text = toy({.split = data::ToySplit::valid, .pairs = 20, .seed = 3});
  CHECK(text.size() == 20);
  std::string content;
  for (size_t i = 0; i < text.size(); ++i) content += text.source[i] + "\t" + text.target[i] + "\n";
  const auto json = to_json(text);
  CHECK(json["files"][0] ==
        config::Json{{"path", "toy valid pairs 20 seed 3"}, {"lines", 20}, {"sha256", sha256_of_text(content)}});
  CHECK(to_json(toy({.split = data::ToySplit::valid, .pairs = 20, .seed = 3})) == json);
}

TEST_CASE("the section data reads and writes, without any data") {
  const config::Json json = config::write_value(data::DataOptions{});
  CHECK(json["train"] == config::Json{{"type", "parallel"}, {"source", ""}, {"target", ""}});
  CHECK_NOTHROW(config::schema_value(data::DataOptions{}, {}));
  CHECK_NOTHROW(config::validate(data::DataOptions{}));
  const auto read = config::read<data::DataOptions>(config::document_of(
      {{"test", {{"second", {{"type", "tsv"}, {"file", "/b"}}}, {"first", {{"type", "tsv"}, {"file", "/a"}}}}}},
      "/somewhere/config.json"));
  REQUIRE(read.test.size() == 2);
  CHECK(read.test[0].first == "second");  // the order of the file, not the alphabet
}
