#include "libtr/experiment/result.h"

#include "libtr/report/run_log.h"

namespace tr::experiment {
using config::Json;
using report::finite_or_null;

Json to_json(const train::Evaluation& evaluation) {
  Json json = {{"nll_per_token", finite_or_null(evaluation.nll_per_token)},
               {"perplexity", finite_or_null(evaluation.perplexity)},
               {"tokens", evaluation.tokens},
               {"bits_per_character", finite_or_null(evaluation.bits_per_character)},
               {"accuracy", finite_or_null(evaluation.accuracy)},
               {"unknown_rate", finite_or_null(evaluation.unknown_rate)}};
  if (!evaluation.decoded) return json;
  const train::Decoded& decoded = *evaluation.decoded;
  json["bleu"] = decoded.bleu;
  json["bleu_signature"] = decoded.bleu_signature;
  json["chrf"] = decoded.chrf;
  json["chrf_signature"] = decoded.chrf_signature;
  json["bleu_by_length"] = Json::array();
  for (const auto& bucket : decoded.bleu_by_length) {
    json["bleu_by_length"].push_back({{"from", bucket.first},
                                      {"to", bucket.last == 0 ? Json(nullptr) : Json(bucket.last)},
                                      {"sentences", bucket.sentences},
                                      {"bleu", bucket.bleu.score}});
  }
  return json;
}

Json result_of(const RunFacts& facts) {
  const train::TrainResult& training = facts.training;
  const train::WallTimes& times = training.times;
  const double tokens_per_second = static_cast<double>(training.position.target_tokens) / times.train;
  return {{"parameters", facts.parameters},
          {"multiply_adds_per_target_token", facts.multiply_adds_per_target_token},
          {"updates", training.position.update},
          {"epochs", training.position.epoch},
          {"target_tokens", training.position.target_tokens},
          {"best_update", training.best_update},
          {"outcome", report::name_of(training.outcome)},
          {"diverged", training.outcome == train::Outcome::diverged},
          {"wall_time_seconds",
           {{"train", times.train},
            {"valid", times.valid},
            {"decode", times.decode + facts.decode_seconds},
            {"total", times.total + facts.measure_seconds}}},
          {"cpu_seconds", times.cpu + facts.measure_cpu_seconds},
          {"target_tokens_per_second", finite_or_null(tokens_per_second)},
          {"batches_sha256", training.batches_sha256}};
}

Json to_json(const train::OperatorProfile& profile, const train::PhaseTimes& phases) {
  const auto entries = profile.entries();
  double total = 0;
  for (const auto& entry : entries) total += entry.seconds;
  Json operations = Json::array();
  for (const auto& entry : entries) {
    operations.push_back({{"name", entry.name},
                          {"calls", entry.calls},
                          {"seconds", entry.seconds},
                          {"share", finite_or_null(entry.seconds / total)}});
  }
  return {{"updates", phases.updates},
          {"seconds_per_update", report::seconds_per_update(phases)},
          {"operations", operations}};
}

double multiply_adds_per_target_token(const models::SequenceModel& model, const std::vector<data::Example>& examples) {
  double multiply_adds = 0, tokens = 0;
  for (const data::Lengths& lengths : data::lengths_of(examples)) {
    multiply_adds += model.multiply_adds(lengths.source, lengths.target);
    tokens += static_cast<double>(lengths.target);
  }
  return tokens > 0 ? multiply_adds / tokens : 0;
}

int64_t count_parameters(const torch::nn::Module& model) {
  int64_t count = 0;
  for (const auto& parameter : model.parameters()) count += parameter.numel();
  return count;
}

}  // namespace tr::experiment
