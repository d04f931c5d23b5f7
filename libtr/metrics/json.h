// Scores as JSON, in the form of `libtr score`.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "libtr/metrics/bleu.h"
#include "libtr/metrics/chrf.h"

namespace tr::metrics {

/// {"score", "signature", "precisions", "brevity_penalty", "hypothesis_length", "reference_length"}
nlohmann::ordered_json to_json(const BleuScore& bleu);
/// {"score", "signature"}
nlohmann::ordered_json to_json(const ChrfScore& chrf);

}  // namespace tr::metrics
