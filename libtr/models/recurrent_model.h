// What the recurrent encoder-decoders share: options, the encoder with its bridge, words in and words out.
#pragma once

#include <string>

#include "libtr/models/table.h"
#include "libtr/nn/embedding.h"
#include "libtr/nn/recurrent.h"

namespace tr::models {

struct RecurrentOptions {
  int64_t d_embedding = 256;
  int64_t d_hidden = 256;
  int64_t layers = 1;
  config::Choice<nn::cells> cell{"lstm"};
  bool bidirectional = false;
  bool reverse_source = false;
  nn::BridgeKind bridge = nn::BridgeKind::last;
  double dropout = 0.1;
  bool variational_dropout = false;
  nn::Tying tying = nn::Tying::decoder;
  nn::StartSymbol start = nn::StartSymbol::bos;
  bool scale_embedding = true;
  bool output_bias = true;
  config::Choice<nn::initializations> initialization{"xavier"};
  nn::RecurrentInitialization recurrent_initialization = {};

  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("d_embedding", self.d_embedding, "width of word vectors", config::at_least(1));
    field("d_hidden", self.d_hidden, "width of hidden states, of both directions together", config::at_least(1));
    field("layers", self.layers, "recurrent layers of the encoder, and of the decoder", config::at_least(1));
    field("cell", self.cell, "recurrent cell");
    field("bidirectional", self.bidirectional, "the encoder reads from both ends, each with half of d_hidden");
    field("reverse_source", self.reverse_source, "read the source from its last word to its first, then eos");
    field("bridge", self.bridge, "what the decoder starts from");
    field("dropout", self.dropout, "of embeddings, between layers and before the output layer", config::below_one());
    field("variational_dropout", self.variational_dropout, "one mask for all positions of a sentence");
    field("tying", self.tying, "which of source, target and output embedding are one matrix");
    field("start", self.start, "what the decoder reads first");
    field("scale_embedding", self.scale_embedding, "multiply embeddings by sqrt(d_embedding)");
    field("output_bias", self.output_bias, "bias of the output layer");
    field("initialization", self.initialization, "of the projections and cells");
    field("recurrent_initialization", self.recurrent_initialization, "what recurrent cells add to it");
  }
  void validate(const std::string& at) const;
};

/// Recurrent encoder and decoder without what connects them at each step.
class RecurrentModel : public EncoderDecoder {
 public:
  nn::OutputLayer output() override { return vocabulary_->output(); }

 protected:
  /// The decoder's lowest cell reads a word and, behind it, `d_fed` more features.
  RecurrentModel(const RecurrentOptions& options, const Vocabularies& vocabularies, int64_t d_fed);
  /// Draws all parameters and numbers the dropouts; to be called last by each model's constructor.
  void finish(const RecurrentOptions& options);

  struct Encoded {
    torch::Tensor memory;    ///< [batch, source_time, d_hidden], in the order of batch.source
    nn::StackState initial;  ///< of the decoder
  };
  Encoded encode(const Batch& batch);
  /// Word vectors of target ids [batch, target_time] -> [batch, target_time, d_embedding]
  torch::Tensor target_words(const torch::Tensor& ids, const nn::Noise& noise);
  /// What the decoder found at each target step [batch, target_time, d_hidden] -> [target_tokens, output width]
  torch::Tensor to_output(const torch::Tensor& x, const Batch& batch);
  /// The same for single steps outside training: [rows, d_hidden] -> [rows, output width]
  torch::Tensor to_output(const torch::Tensor& x);

  /// A state with one row a sentence at position 0, whose rows carry the decoder's `initial` states.
  DecoderState start_state(const nn::StackState& initial) const;
  nn::StackState stack_state(const DecoderState& state) const;
  void set_stack_state(const nn::StackState& next, DecoderState& state) const;

  /// Without anything between encoder and decoder but the bridge.
  double multiply_adds_without_attention(int64_t source_tokens, int64_t target_tokens) const;

  nn::VocabularyLayers vocabulary_;
  nn::RecurrentEncoder encoder_;
  nn::RecurrentDecoder decoder_;
  nn::Bridge bridge_;

 private:
  nn::RecurrentDropout source_dropout_, target_dropout_, output_dropout_;
  nn::Linear output_projection_{nullptr};  // only where a tied output layer is narrower or wider than d_hidden
  bool reverse_source_;
};

/// Place of each token when a sentence is read backwards: its real tokens reversed but for the last, eos; padding
/// stays. side -> [batch, time] int64, an order that is its own inverse.
torch::Tensor reversed_order(const Side& side);

}  // namespace tr::models
