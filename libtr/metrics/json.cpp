#include "libtr/metrics/json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace tr::metrics {
namespace {

using nlohmann::ordered_json;

ordered_json finite_or_null(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr); }

}  // namespace

ordered_json to_json(const BleuScore& bleu) {
  return {{"score", bleu.score},
          {"signature", bleu.signature},
          {"precisions", bleu.precisions},
          {"brevity_penalty", bleu.brevity_penalty},
          {"hypothesis_length", bleu.hypothesis_length},
          {"reference_length", bleu.reference_length}};
}

ordered_json to_json(const ChrfScore& chrf) { return {{"score", chrf.score}, {"signature", chrf.signature}}; }

ordered_json to_json(const std::vector<BleuOfLength>& buckets) {
  auto list = ordered_json::array();
  for (const auto& bucket : buckets) {
    list.push_back({{"first", bucket.first},
                    {"last", bucket.last == 0 ? ordered_json(nullptr) : ordered_json(bucket.last)},
                    {"sentences", bucket.sentences},
                    {"bleu", bucket.bleu.score}});
  }
  return list;
}

ordered_json to_json(const TokenCounts& counts) {
  return {{"nll_per_token", finite_or_null(nll_per_token(counts))},
          {"perplexity", finite_or_null(perplexity(counts))},
          {"tokens", counts.tokens},
          {"bits_per_character", finite_or_null(bits_per_character(counts))},
          {"accuracy", finite_or_null(accuracy(counts))},
          {"unknown_rate", finite_or_null(unknown_rate(counts))}};
}

ordered_json to_json(const BootstrapTest& test) {
  return {{"samples", test.samples},
          {"difference", test.difference},
          {"mean", test.difference_interval.mean},
          {"low", test.difference_interval.low},
          {"high", test.difference_interval.high},
          {"p_value", test.p_value}};
}

ordered_json to_json(const RandomizationTest& test) {
  return {{"permutations", test.permutations}, {"difference", test.difference}, {"p_value", test.p_value}};
}

}  // namespace tr::metrics
