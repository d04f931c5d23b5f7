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

}  // namespace
}  // namespace tr::metrics
