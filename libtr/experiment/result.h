// result.json of a run: what its keys mean stands in docs/results.md.
#pragma once

#include "libtr/experiment/material.h"
#include "libtr/train/trainer.h"

namespace tr::experiment {

/// {"nll_per_token", "perplexity", "tokens", "bits_per_character", "accuracy", "unknown_rate"} and, if translations
/// were searched for, {"bleu", "bleu_signature", "chrf", "chrf_signature", "bleu_by_length"}; null where not finite.
config::Json to_json(const train::Evaluation& evaluation);

/// What a run learnt about itself besides its evaluations.
struct RunFacts {
  int64_t parameters = 0;
  double multiply_adds_per_target_token = 0;  ///< forward pass, over the validation set
  train::TrainResult training;
  // Of the final evaluation.
  double decode_seconds = 0;
  double measure_seconds = 0, measure_cpu_seconds = 0;  ///< all of it: teacher forcing, search, samples
};

/// Everything but the evaluations.
config::Json result_of(const RunFacts& facts);

/// {"updates", "seconds_per_update" by part, "operations": [{"name", "calls", "seconds", "share"}]}; calls are those of
/// all updates and threads, seconds the wall's of all updates, shares of all operations' seconds.
config::Json to_json(const train::OperatorProfile& profile, const train::PhaseTimes& phases);

/// Multiply-adds of a forward pass over `examples`, by target token.
double multiply_adds_per_target_token(const models::SequenceModel& model, const std::vector<data::Example>& examples);

int64_t count_parameters(const torch::nn::Module& model);

}  // namespace tr::experiment
