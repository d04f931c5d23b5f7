// Scores as JSON, in the form of `libtr score`, result.json and the report.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "libtr/metrics/bleu.h"
#include "libtr/metrics/chrf.h"
#include "libtr/metrics/perplexity.h"
#include "libtr/metrics/significance.h"

namespace tr::metrics {

/// {"score", "signature", "precisions", "brevity_penalty", "hypothesis_length", "reference_length"}
nlohmann::ordered_json to_json(const BleuScore& bleu);
/// {"score", "signature"}
nlohmann::ordered_json to_json(const ChrfScore& chrf);
/// [{"first", "last" (null: no limit), "sentences", "bleu"}]
nlohmann::ordered_json to_json(const std::vector<BleuOfLength>& buckets);
/// {"nll_per_token", "perplexity", "tokens", "bits_per_character", "accuracy", "unknown_rate"}; null if not finite
nlohmann::ordered_json to_json(const TokenCounts& counts);
/// {"samples", "difference", "mean", "low", "high", "p_value"}
nlohmann::ordered_json to_json(const BootstrapTest& test);
/// {"permutations", "difference", "p_value"}
nlohmann::ordered_json to_json(const RandomizationTest& test);

}  // namespace tr::metrics
