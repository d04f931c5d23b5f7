// Encoder-decoder without attention: Sutskever, Vinyals and Le 2014, "Sequence to sequence learning with neural
// networks", section 2.
#pragma once

#include "libtr/models/recurrent_model.h"

namespace tr::models {

struct Seq2SeqOptions : RecurrentOptions {
  void validate(const std::string& at) const;
};

/// One recurrent net reads the source, another starts from its last states and writes the target. Beyond the paper:
/// cells, a bridge, two directions, tied matrices and dropout are options; the source is reversed only if asked.
class Seq2Seq : public RecurrentModel {
 public:
  /// Throws UsageError for tying that the vocabularies do not allow.
  Seq2Seq(const Seq2SeqOptions& options, const Vocabularies& vocabularies);

  torch::Tensor hidden(const Batch& batch) override;
  DecoderState start(const Batch& batch, const StartOptions& options) override;
  torch::Tensor step(const torch::Tensor& last_ids, DecoderState& state) override;
  /// Empty: nothing attends.
  AttentionMaps attention(const Batch& batch) override;
  double multiply_adds(int64_t source_tokens, int64_t target_tokens) const override;
};

}  // namespace tr::models
