// Significance of the differences between compared models, from the hypotheses in their run folders.
#pragma once

#include "libtr/experiment/compare.h"

namespace tr::experiment {

/// {"note", "pairs": [{"a", "b", "metric": "bleu" | "chrf", "seed": n or "all", "difference" (a - b), "bootstrap_p",
/// "randomisation_p", "difference_low", "difference_high"}]} for every pair of models on the main test set; "all" puts
/// the sentences of all seeds one behind the other. Without a test set the list is empty.
config::Json significance(const Experiment& experiment, const std::filesystem::path& folder);

}  // namespace tr::experiment
