#include "libtr/metrics/json.h"

#include <nlohmann/json.hpp>

#include "tests/support.h"

namespace tr::metrics {
namespace {

TEST_CASE("scores have the JSON form of libtr score") {
  const auto bleu = to_json(corpus_bleu({"a b c d e"}, std::vector<std::string>{"a b c d e"}));
  CHECK(bleu["score"].get<double>() == Approx(100));
  CHECK(bleu["signature"] == "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0");
  CHECK(bleu["precisions"].size() == 4);
  CHECK(bleu["brevity_penalty"] == 1.0);
  CHECK(bleu["hypothesis_length"] == 5);
  CHECK(bleu["reference_length"] == 5);
  CHECK(bleu.size() == 6);
  const auto chrf = to_json(corpus_chrf({"a"}, std::vector<std::string>{"a"}));
  CHECK(chrf.dump() == R"({"score":100.0,"signature":"nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0"})");
}

TEST_CASE("values that are not finite are null") {
  const auto counts = to_json(TokenCounts{});
  CHECK(counts["perplexity"].is_null());
  CHECK(counts["tokens"] == 0);
  CHECK(to_json(TokenCounts{.nll = 1e6, .tokens = 1})["perplexity"].is_null());
}

TEST_CASE("buckets and tests of significance have a JSON form") {
  const auto buckets = to_json(std::vector<BleuOfLength>{{1, 5, 2, {}}, {31, 0, 1, {}}});
  CHECK(buckets.dump() ==
        R"([{"first":1,"last":5,"sentences":2,"bleu":0.0},{"first":31,"last":null,"sentences":1,"bleu":0.0}])");
  CHECK(to_json(RandomizationTest{10, 0.5, 0.25}).dump() == R"({"permutations":10,"difference":0.5,"p_value":0.25})");
  CHECK(to_json(BootstrapTest{10, 0.5, {}, {}, {0.4, 0.1, 0.7}, 0.25}).dump() ==
        R"({"samples":10,"difference":0.5,"mean":0.4,"low":0.1,"high":0.7,"p_value":0.25})");
}

}  // namespace
}  // namespace tr::metrics
