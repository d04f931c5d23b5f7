// What training, evaluation and search see of a model.
#pragma once

#include <torch/nn/module.h>

#include <map>
#include <string>
#include <vector>

#include "libtr/models/batch.h"
#include "libtr/nn/output_layer.h"

namespace tr::models {

/// What loss and evaluation need. In evaluation mode several threads may use a model at once, each on tensors and
/// states of its own.
class SequenceModel : public torch::nn::Module {
 public:
  /// Teacher forcing: hidden states [target_tokens, output width], pads dropped, order: sentence, then time.
  virtual torch::Tensor hidden(const Batch& batch) = 0;
  virtual nn::OutputLayer output() = 0;
  /// Multiply-adds of the matrix products of one forward pass over one sentence pair of these lengths (eos counted,
  /// no padding, output layer included).
  virtual double multiply_adds(int64_t source_tokens, int64_t target_tokens) const = 0;
};

/// What a search carries between steps. Rows are hypotheses; sentences are encoded sources, shared by their rows. Of
/// two copies of a state only one may step on: they share the tensors of `slots`. Rows of another state may join if
/// that one has not stepped yet.
struct DecoderState {
  std::map<std::string, torch::Tensor> rows;       ///< dimension 0 = row: the search gathers them blindly
  std::map<std::string, torch::Tensor> sentences;  ///< dimension 0 = sentence: never copied for a beam
  std::map<std::string, torch::Tensor> slots;      ///< dimension 0 = slot: rows hold lists of them, no gathering
  int64_t used_slots = 0;                          ///< of each of `slots`; what is behind them is room
  torch::Tensor sentence_of_row;                   ///< [rows] int64
  torch::Tensor position;                          ///< [rows] int64: tokens read so far; rows may differ
};

struct StartOptions {
  int64_t capacity = 0;    ///< steps that a row has room for
  bool attention = false;  ///< every step leaves rows["attention"] [rows, source_time] (mean over heads of the last
                           ///< layer's cross-attention), if the model attends
};

/// Attention of teacher-forced target steps over the source, [batch, target_time, source_time]; rows of real target
/// steps sum to 1 and are exactly 0 on padding.
struct AttentionMap {
  std::string name;  ///< "attention", or "layer 2, head 3"
  torch::Tensor weights;
};
using AttentionMaps = std::vector<AttentionMap>;

/// What decoding needs.
class EncoderDecoder : public SequenceModel {
 public:
  /// Encodes the sources once. The state has one row a sentence, at position 0.
  virtual DecoderState start(const Batch& batch, const StartOptions& options) = 0;
  /// last_ids [rows] int64 (kBos at position 0) -> hidden [rows, output width]; moves `state` on by one position.
  /// Without gradients (NoGradGuard) alone.
  virtual torch::Tensor step(const torch::Tensor& last_ids, DecoderState& state) = 0;
  /// For maps and alignment; empty for a model without attention.
  virtual AttentionMaps attention(const Batch& batch) = 0;
  /// Longest sentence that positions allow, eos counted; 0 = no limit.
  virtual int64_t longest_sentence() const { return 0; }
};

}  // namespace tr::models
