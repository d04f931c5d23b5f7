// What a search sees of a model: rows of scores for the next token. An ensemble is one more scorer.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "libtr/models/interface.h"

namespace tr::decode {

class Scorer {
 public:
  virtual ~Scorer() = default;
  /// Encodes the sources; afterwards there is one row for each.
  virtual void start(const std::vector<tokenizer::Ids>& sources, const models::StartOptions& options) = 0;
  /// Reads one token a row; returns [rows, vocab] float32: logits, that is log-probabilities up to a constant a row.
  /// The caller may write into them.
  virtual torch::Tensor step(const std::vector<int64_t>& last_ids) = 0;
  /// Row i becomes what row rows[i] was; rows may be repeated or left out.
  virtual void gather(const std::vector<int64_t>& rows) = 0;
  /// Attention of the last step, [rows, source_time]; undefined if not asked for or if the model has none.
  virtual torch::Tensor attention() const = 0;
  /// Longest sentence that positions allow, eos counted; 0 = no limit.
  virtual int64_t longest_sentence() const = 0;
};

/// One model, on the device of its parameters.
class ModelScorer : public Scorer {
 public:
  explicit ModelScorer(models::EncoderDecoder& model);
  void start(const std::vector<tokenizer::Ids>& sources, const models::StartOptions& options) override;
  torch::Tensor step(const std::vector<int64_t>& last_ids) override;
  void gather(const std::vector<int64_t>& rows) override;
  torch::Tensor attention() const override;
  int64_t longest_sentence() const override { return model_.longest_sentence(); }

 private:
  models::EncoderDecoder& model_;
  nn::OutputLayer output_;
  models::DecoderState state_;
};

}  // namespace tr::decode
