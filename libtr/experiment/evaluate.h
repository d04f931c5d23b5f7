// Measures of a loaded checkpoint: what `libtr evaluate` prints.
#pragma once

#include <functional>

#include "libtr/experiment/material.h"
#include "libtr/experiment/saved_model.h"

namespace tr::experiment {

/// "valid", or a test set of the run's configuration; empty: the main test set. Throws UsageError naming the sets there
/// are.
EvaluationSet named_set(const SavedModel& saved, const std::string& name);
/// Own files, line by line.
EvaluationSet file_set(const SavedModel& saved, const std::string& source, const std::string& target);

/// Warns on standard error if the set holds pairs longer than the positions that the model learned.
void warn_of_cut(const models::EncoderDecoder& model, const EvaluationSet& set);

/// The keys of result.json's test.NAME, and "checkpoint", "name", "decode_seconds"; `progress` is told how many
/// sentences are translated, 0 when the search begins.
config::Json evaluate(const SavedModel& saved, const EvaluationSet& set, std::function<void(int64_t)> progress = {});

/// {"checkpoint", "name", "lines": [{"log_probability" (nats, eos included), "tokens"}, …]}
config::Json forced_scores(const SavedModel& saved, const EvaluationSet& set);

}  // namespace tr::experiment
