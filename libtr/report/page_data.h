// What the page shows, as one JSON object.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

namespace tr::report {

/// {"title", "libtr": version, "comparisons": [what a compare said beside its models], "models": [{"name",
/// "parameters", "multiply_adds_per_target_token", "main_test": name of the main test set, "bleu", "chrf",
/// "perplexity", "train_seconds", "target_tokens_per_second": each a statistic over the runs, "runs": [read_run]}]}.
/// Throws as page does.
nlohmann::ordered_json page_data(const std::vector<std::filesystem::path>& folders);

}  // namespace tr::report
