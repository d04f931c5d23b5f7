// Scores and tokens of sacreBLEU itself, from golden.json (made by make_golden.py).
#include "libtr/base/files.h"
#include "libtr/metrics/bleu.h"
#include "libtr/metrics/chrf.h"
#include "libtr/metrics/sacrebleu.h"
#include "libtr/metrics/tokenize.h"
#include "tests/metrics/options.h"
#include "tests/support.h"

namespace tr::metrics {
namespace {

using nlohmann::json;
constexpr double kTolerance = 1e-9;

json golden() { return json::parse(read_file(LIBTR_SOURCE_FOLDER "/tests/metrics/golden.json")); }

void check_close(const std::vector<double>& got, const std::vector<double>& expected) {
  REQUIRE(got.size() == expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    INFO("entry " << i);
    CHECK(got[i] == Approx(expected[i]).margin(kTolerance).epsilon(0));
  }
}

struct Text {
  std::vector<std::string> hypotheses;
  std::vector<std::vector<std::string>> references;
};

Text text_of(const json& file, const json& entry) {
  Text text{file["hypotheses"], file["references"]};
  if (entry["references"] == "first") {
    for (auto& references : text.references) references.resize(1);
  }
  return text;
}

void check_bleu(const Text& text, const json& entry) {
  const auto options = test::bleu_options(entry["settings"]);
  const auto bleu = corpus_bleu(text.hypotheses, References::of_sentences(text.references), options);
  check_close({bleu.score, bleu.brevity_penalty}, {entry["score"], entry["brevity_penalty"]});
  check_close(bleu.precisions, entry["precisions"]);
  CHECK(json({bleu.hypothesis_length, bleu.reference_length}) == entry["lengths"]);
  CHECK(bleu.signature == entry["signature"]);
  std::vector<double> sentences;
  for (size_t i = 0; i < text.hypotheses.size(); ++i)
    sentences.push_back(sentence_bleu(text.hypotheses[i], text.references[i], options).score);
  check_close(sentences, entry["sentences"]);
}

void check_chrf(const Text& text, const json& entry) {
  const auto options = test::chrf_options(entry["settings"]);
  const auto chrf = corpus_chrf(text.hypotheses, References::of_sentences(text.references), options);
  check_close({chrf.score}, {entry["score"]});
  CHECK(chrf.name == entry["name"]);
  CHECK(chrf.signature == entry["signature"]);
  std::vector<double> sentences;
  for (size_t i = 0; i < text.hypotheses.size(); ++i)
    sentences.push_back(sentence_chrf(text.hypotheses[i], text.references[i], options).score);
  check_close(sentences, entry["sentences"]);
}

TEST_CASE("scores and signatures equal sacreBLEU's [F22]", "[F22]") {
  const auto file = golden();
  CHECK(file["sacrebleu"] == kSacrebleuVersion);
  for (const auto& entry : file["cases"]) {
    INFO(entry["references"] << " " << entry["signature"]);
    entry["metric"] == "bleu" ? check_bleu(text_of(file, entry), entry) : check_chrf(text_of(file, entry), entry);
  }
}

TEST_CASE("tokens equal sacreBLEU's") {
  const auto file = golden();
  for (const auto& [name, lines] : file["tokens"].items()) {
    for (size_t i = 0; i < lines.size(); ++i) {
      INFO(name << ": " << file["hypotheses"][i]);
      CHECK(json(tokenize(file["hypotheses"][i].get<std::string>(), tokenizer_of_name(name))) == lines[i]);
    }
  }
}

}  // namespace
}  // namespace tr::metrics
