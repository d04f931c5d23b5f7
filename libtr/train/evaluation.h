// What is measured on one data set, as plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libtr/metrics/bleu.h"
#include "libtr/metrics/chrf.h"
#include "libtr/metrics/perplexity.h"

namespace tr::train {

/// Scores of translations that were searched for, against raw reference text.
struct Decoded {
  std::vector<std::string> hypotheses;  ///< as scored, in the order of the set
  metrics::BleuScore bleu;
  metrics::ChrfScore chrf;
  std::vector<metrics::BleuOfLength> bleu_by_length;
  double seconds = 0;  ///< of the search, by the steady clock
};

struct Evaluation {
  int64_t sentences = 0;
  metrics::TokenCounts counts;     ///< teacher forcing, evaluation mode, no label smoothing: for every model
  double seconds = 0;              ///< of teacher forcing, by the steady clock
  std::optional<Decoded> decoded;  ///< if translations were asked for
};

}  // namespace tr::train
