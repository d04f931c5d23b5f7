#include "libtr/decode/forced.h"

#include <ATen/ops/logsumexp.h>

#include "libtr/decode/evaluation_mode.h"

namespace tr::decode {
namespace {

constexpr int64_t kRowsAtOnce = 1024;  // the logits of a whole batch would be large

// Log-probability of each target token, float32 on the CPU.
torch::Tensor token_log_probabilities(models::SequenceModel& model, const models::Batch& batch) {
  const auto hidden = model.hidden(batch);  // [target_tokens, output width]
  const auto output = model.output();
  std::vector<torch::Tensor> chunks;
  for (int64_t begin = 0; begin < hidden.size(0); begin += kRowsAtOnce) {
    const int64_t end = std::min(begin + kRowsAtOnce, hidden.size(0));
    const auto logits = output.logits(hidden.slice(0, begin, end)).to(torch::kFloat32);  // [rows, vocab]
    const auto targets = batch.target_output.slice(0, begin, end).unsqueeze(1);          // [rows, 1]
    chunks.push_back((logits.gather(1, targets).squeeze(1) - at::logsumexp(logits, 1)).cpu());
  }
  return at::cat(chunks);
}

}  // namespace

std::vector<ForcedScore> score_targets(models::SequenceModel& model, const std::vector<data::Example>& examples,
                                       int64_t batch_tokens) {
  const EvaluationMode evaluation(model);
  const auto device = model.output().weight.device();
  std::vector<ForcedScore> scores(examples.size());
  const data::BatchOptions limits{.batch_tokens = batch_tokens};
  for (const auto& indices : data::evaluation_batches(data::lengths_of(examples), limits)) {
    const auto batch = data::chosen(examples, indices);
    const auto tokens = token_log_probabilities(model, models::make_batch(batch).to(device));
    const float* log_probability = tokens.const_data_ptr<float>();
    for (size_t i = 0; i < indices.size(); ++i) {
      ForcedScore& score = scores[indices[i]];
      score.tokens = std::ssize(batch[i].target);
      for (int64_t token = 0; token < score.tokens; ++token) score.log_probability += *log_probability++;
    }
  }
  return scores;
}

}  // namespace tr::decode
