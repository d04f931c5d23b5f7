#include "libtr/metrics/json.h"

#include <nlohmann/json.hpp>

namespace tr::metrics {
using nlohmann::ordered_json;

ordered_json to_json(const BleuScore& bleu) {
  return {{"score", bleu.score},
          {"signature", bleu.signature},
          {"precisions", bleu.precisions},
          {"brevity_penalty", bleu.brevity_penalty},
          {"hypothesis_length", bleu.hypothesis_length},
          {"reference_length", bleu.reference_length}};
}

ordered_json to_json(const ChrfScore& chrf) { return {{"score", chrf.score}, {"signature", chrf.signature}}; }

}  // namespace tr::metrics
