// Worked cases that the test suites of public metric tools hold: shared data/metric-cases.json.
#include <map>

#include "libtr/base/files.h"
#include "libtr/metrics/bleu.h"
#include "libtr/metrics/chrf.h"
#include "tests/metrics/options.h"
#include "tests/support.h"

namespace tr::metrics {
namespace {

using nlohmann::json;

/// Why a case of BLEU or chrF is outside what the library offers; empty if it is inside.
std::string not_offered(const json& settings) {
  if (settings.contains("reference_length")) return "shortest reference length (not sacreBLEU's closest)";
  if (settings.contains("weights")) return "unequal weights of the orders";
  if (settings.contains("smooth_method") && settings["smooth_method"].is_null()) return "NLTK smoothing methods 4 to 6";
  if (settings.value("min_order", 1) > 1) return "a shortest order above 1";
  return "";
}

struct Case {
  std::vector<std::string> hypotheses;
  std::vector<std::vector<std::string>> references;
  json settings, expected;
  double tolerance;
};

void check_bleu(const Case& c) {
  const auto options = test::bleu_options(c.settings);
  const auto bleu = corpus_bleu(c.hypotheses, References::of_sentences(c.references), options);
  if (c.expected.contains("clipped_precision")) {
    const auto order = static_cast<size_t>(options.max_order - 1);
    const double precision = static_cast<double>(bleu.matches[order]) / static_cast<double>(bleu.totals[order]);
    CHECK(precision == Approx(c.expected["clipped_precision"].get<double>()).margin(c.tolerance));
    return;
  }
  double score = bleu.score;
  if (c.settings.contains("average")) {
    score = 0;
    for (size_t i = 0; i < c.hypotheses.size(); ++i)
      score +=
          sentence_bleu(c.hypotheses[i], c.references[i], options).score / static_cast<double>(c.hypotheses.size());
  }
  CHECK(score == Approx(c.expected["score"].get<double>()).margin(c.tolerance));
  if (c.expected.contains("bp"))
    CHECK(bleu.brevity_penalty == Approx(c.expected["bp"].get<double>()).margin(c.tolerance));
  if (c.expected.contains("hyp_len")) CHECK(bleu.hypothesis_length == c.expected["hyp_len"]);
  if (c.expected.contains("ref_len")) CHECK(bleu.reference_length == c.expected["ref_len"]);
  if (c.expected.contains("counts")) CHECK(json(bleu.matches) == c.expected["counts"]);
  if (c.expected.contains("totals")) CHECK(json(bleu.totals) == c.expected["totals"]);
  for (size_t i = 0; i < c.expected.value("precisions", json::array()).size(); ++i)
    CHECK(bleu.precisions[i] == Approx(c.expected["precisions"][i].get<double>()).margin(c.tolerance));
}

void check_chrf(const Case& c) {
  const auto options = test::chrf_options(c.settings);
  double score = corpus_chrf(c.hypotheses, References::of_sentences(c.references), options).score;
  if (c.settings.value("variant", "") == "nltk") {  // NLTK averages the sentences
    score = 0;
    for (size_t i = 0; i < c.hypotheses.size(); ++i)
      score +=
          sentence_chrf(c.hypotheses[i], c.references[i], options).score / static_cast<double>(c.hypotheses.size());
  }
  CHECK(score == Approx(c.expected["score"].get<double>()).margin(c.tolerance));
}

TEST_CASE("worked cases of BLEU and chrF from public test suites") {
  if (test::shared_folder().empty()) return test::skip("no ../shared");
  const auto all = json::parse(read_file(test::shared_folder() + "/data/metric-cases.json"));
  std::map<std::string, int> served, not_served;
  for (const auto& entry : all["cases"]) {
    const std::string metric = entry["metric"], id = entry["id"], source = entry["source"];
    const std::string reason =
        metric == "BLEU" || metric == "chrF" ? not_offered(entry["settings"]) : std::string("another metric");
    if (!reason.empty()) {
      ++not_served[metric + ": " + reason];
      const bool must_pass = source.find("mjpost/sacrebleu@") == 0 || source.find("derived") == 0;
      INFO(id << ": " << reason);
      CHECK_FALSE((must_pass && (metric == "BLEU" || metric == "chrF")));
      continue;
    }
    ++served[metric];
    INFO(id << " " << entry["settings"].dump());
    const Case c{entry["hypotheses"], entry["references"], entry["settings"], entry["expected"], entry["tolerance"]};
    metric == "BLEU" ? check_bleu(c) : check_chrf(c);
  }
  for (const auto& [metric, count] : served) std::cout << metric << ": " << count << " cases served\n";
  for (const auto& [reason, count] : not_served) std::cout << reason << ": " << count << " cases not served\n";
  CHECK(served["BLEU"] == 45);
  CHECK(served["chrF"] == 18);
}

}  // namespace
}  // namespace tr::metrics
