#include "libtr/decode/scorer.h"

#include <ATen/ops/tensor.h>

namespace tr::decode {

namespace {

bool is_identity(const std::vector<int64_t>& rows, int64_t count) {
  if (static_cast<int64_t>(rows.size()) != count) return false;
  for (int64_t row = 0; row < count; ++row) {
    if (rows[row] != row) return false;
  }
  return true;
}

}  // namespace

ModelScorer::ModelScorer(models::EncoderDecoder& model) : model_(model), output_(model.output()) {}

void ModelScorer::start(const std::vector<tokenizer::Ids>& sources, const models::StartOptions& options) {
  state_ = model_.start(models::make_source_batch(sources).to(output_.weight.device()), options);
}

torch::Tensor ModelScorer::step(const std::vector<int64_t>& last_ids) {
  const auto ids = at::tensor(last_ids, torch::kInt64).to(output_.weight.device());
  return output_.logits(model_.step(ids, state_)).to(torch::kFloat32);  // [rows, vocab]
}

void ModelScorer::gather(const std::vector<int64_t>& rows) {
  if (is_identity(rows, state_.sentence_of_row.size(0))) return;
  const auto index = at::tensor(rows, torch::kInt64).to(output_.weight.device());
  for (auto& [name, tensor] : state_.rows) tensor = tensor.index_select(0, index);
  state_.sentence_of_row = state_.sentence_of_row.index_select(0, index);
  state_.position = state_.position.index_select(0, index);
}

torch::Tensor ModelScorer::attention() const {
  const auto found = state_.rows.find("attention");
  return found == state_.rows.end() ? torch::Tensor() : found->second;
}

}  // namespace tr::decode
