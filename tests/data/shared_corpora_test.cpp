// The corpora beside the checkout, with all their oddities (tests skip where they are not there).
#include <algorithm>

#include "libtr/data/dataset.h"
#include "libtr/data/text.h"
#include "tests/tokenizer/training.h"

using namespace tr;
using namespace tr::test;

namespace {

std::string shared_file(const std::string& name) { return shared_folder() + "/data/" + name; }

size_t lines_with(const std::vector<std::string>& lines, const std::string& what) {
  return static_cast<size_t>(std::count_if(
      lines.begin(), lines.end(), [&](const std::string& line) { return line.find(what) != std::string::npos; }));
}

}  // namespace

TEST_CASE("Multi30k is read whole, with its oddities") {
  if (shared_folder().empty()) return skip("no ../shared");
  const auto german = data::read_lines(shared_file("multi30k/train.de.gz"));
  CHECK(german.size() == 29000);
  CHECK(german[16509] == "@@");
  CHECK(german[7365].find('\t') != std::string::npos);
  CHECK(lines_with(german, "\u00a0") == 44);
  CHECK(german[5168].find("\u00a0") != std::string::npos);
  CHECK(data::read_lines(shared_file("multi30k/test_2018_flickr.cs.gz")).size() == 1071);
}

TEST_CASE("Tatoeba keeps its Unicode spaces and columns") {
  if (shared_folder().empty()) return skip("no ../shared");
  const auto read = [](const std::string& file) {
    return config::Choice<data::corpora>("tsv", data::TsvFile{.file = {shared_file(file)}}).make("/data/train");
  };
  const auto french = read("tatoeba-eng-fra/fra.txt.gz");
  CHECK(french.size() == 167130);
  CHECK(lines_with(french.target, "\u202f") == 6218);
  CHECK(lines_with(french.source, "\u00a0") + lines_with(french.target, "\u00a0") == 4078);
  CHECK(read("tatoeba-eng-deu/deu.txt.gz").size() == 169813);
  const auto korean = read("tatoeba-eng-kor/kor.txt.gz");
  CHECK(korean.size() == 3798);
  CHECK(lines_with(korean.target, "Attribution") == 0);
}

TEST_CASE("odd line ends and marks: CRLF, no final newline, a BOM in mid-file", "[F7][F8]") {
  if (shared_folder().empty()) return skip("no ../shared");
  const auto verbs = data::read_lines(shared_file("word-similarity/EN-SimVerb-3500.txt.gz"));
  CHECK(verbs.size() == 3500);
  CHECK(lines_with(verbs, "\r") == 0);
  const auto names = data::read_lines(shared_file("wnut17-ner/emerging.dev.conll.gz"));
  CHECK(names[16729].find("\uFEFF") != std::string::npos);
  CHECK(data::read_lines(shared_file("sst2/dev.tsv.gz")).size() == 872);
  CHECK(data::read_lines(shared_file("wikitext2-valid-test/valid.txt.gz")).size() == 3760);
}

TEST_CASE("Multi30k in batches of 4096 target tokens has under 4 % padding on either side") {
  if (shared_folder().empty()) return skip("no ../shared");
  const auto text =
      config::Choice<data::corpora>(
          "parallel", data::ParallelFiles{{shared_file("multi30k/train.en.gz")}, {shared_file("multi30k/train.de.gz")}})
          .make("/data/train");
  const auto tokenizers = train_tokenizers({{"type", "bpe"}, {"vocab_size", 10000}, {"lowercase", true}}, text);
  CHECK(tokenizers.source->size() == 10000);
  const auto set = make_training_set(text, tokenizers, {});
  CHECK(set.counts().kept == 29000);
  const auto lengths = lengths_of(set.examples());
  const auto batches = epoch_batches(lengths, {}, 1, 0);
  const auto share = padding_share(lengths, batches);
  std::cout << "padding of the source " << share.source << ", target " << share.target << ", both " << share.both
            << " in " << batches.size() << " batches" << std::endl;
  CHECK(share.source < 0.04);
  CHECK(share.target < 0.04);
}
