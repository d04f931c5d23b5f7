// Recurrent encoder-decoder with attention: Bahdanau, Cho and Bengio 2015, "Neural machine translation by jointly
// learning to align and translate", section 3; Luong, Pham and Manning 2015, "Effective approaches to attention-based
// neural machine translation", sections 3.1 (global attention) and 3.3 (input feeding).
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "libtr/models/recurrent_model.h"
#include "libtr/nn/attention_score.h"

namespace tr::models {

/// When the decoder looks at the source.
enum class AttentionPlacement {
  before_cell,  ///< with its previous state; the cell reads what it saw (Bahdanau)
  after_cell,   ///< with its new state (Luong)
};
inline auto names_of(AttentionPlacement) {
  return std::vector<std::pair<AttentionPlacement, const char*>>{{AttentionPlacement::before_cell, "before_cell"},
                                                                 {AttentionPlacement::after_cell, "after_cell"}};
}

struct Seq2SeqAttentionOptions : RecurrentOptions {
  config::Choice<nn::attention_scores> attention_score{"dot"};
  AttentionPlacement attention_placement = AttentionPlacement::after_cell;
  bool input_feeding = false;

  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    RecurrentOptions::fields(self, field);
    field("attention_score", self.attention_score, "how well a decoder state matches a source position");
    field("attention_placement", self.attention_placement, "before_cell (Bahdanau) or after_cell (Luong)");
    field("input_feeding", self.input_feeding, "the cell also reads the attentional state of the step before");
  }
};

/// Both papers are settings of one model: Bahdanau is additive, before_cell, gru, bidirectional, bridge learned; Luong
/// is dot or general, after_cell, input_feeding. Unlike the papers, the output layer reads Luong's attentional state
/// tanh(W [c; h]) in either placement (Bahdanau: a maxout layer of state, word and context), both directions of the
/// encoder together are as wide as the decoder, and of several layers the highest one's state asks for attention.
class Seq2SeqAttention : public RecurrentModel {
 public:
  /// Throws UsageError for tying that the vocabularies do not allow.
  Seq2SeqAttention(const Seq2SeqAttentionOptions& options, const Vocabularies& vocabularies);

  torch::Tensor hidden(const Batch& batch) override;
  DecoderState start(const Batch& batch, const StartOptions& options) override;
  torch::Tensor step(const torch::Tensor& last_ids, DecoderState& state) override;
  AttentionMaps attention(const Batch& batch) override;
  double multiply_adds(int64_t source_tokens, int64_t target_tokens) const override;

 private:
  /// Encoded sentences as attention sees them.
  struct Source {
    torch::Tensor memory;  ///< [sentences, source_time, d_hidden]
    torch::Tensor keys;    ///< [sentences, source_time, width of the score's keys]
    torch::Tensor mask;    ///< [sentences, source_time] bool, undefined if nothing is padding
  };
  struct Attended {
    torch::Tensor context;  ///< [batch, target_time, d_hidden]
    torch::Tensor weights;  ///< [batch, target_time, source_time]
  };
  struct Decoded {
    torch::Tensor attentional;  ///< [batch, target_time, d_hidden]
    torch::Tensor weights;      ///< [batch, target_time, source_time]
  };
  /// Where the decoder stands between two steps.
  struct Place {
    nn::StackState stack;
    torch::Tensor attentional;  ///< [rows, d_hidden]
    torch::Tensor weights;      ///< [rows, source_time]: what the step that led here saw
  };
  /// What steps of a whole sentence have in common.
  struct StepInputs {
    Source source;
    torch::Tensor fed_weight;  ///< [gates * d_hidden, d_fed]: the lowest cell's columns behind the word
  };

  Attended attend(const torch::Tensor& query, const Source& source);
  torch::Tensor attentional_state(const torch::Tensor& context, const torch::Tensor& hidden);
  Decoded decode(const Batch& batch);
  Decoded decode_at_once(const torch::Tensor& words, const Source& source, const nn::StackState& initial,
                         const nn::Noise& noise);
  Decoded decode_by_steps(const torch::Tensor& words, const Source& source, const nn::StackState& initial,
                          const nn::Noise& noise);
  torch::Tensor word_gates(const torch::Tensor& words);
  StepInputs step_inputs(const Source& source);
  Place next(const torch::Tensor& gates_of_word, const Place& place, const StepInputs& inputs, const nn::Noise& noise);

  AttentionPlacement placement_;
  bool input_feeding_;
  std::shared_ptr<nn::AttentionScore> score_;
  nn::Linear combine_;
};

}  // namespace tr::models
