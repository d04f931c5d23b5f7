// The Transformer: Vaswani et al. 2017, "Attention is all you need".
#pragma once

#include "libtr/models/table.h"
#include "libtr/nn/embedding.h"
#include "libtr/nn/positions.h"
#include "libtr/nn/transformer_layer.h"

namespace tr::models {

struct TransformerOptions {
  int64_t d_model = 512;
  int64_t encoder_layers = 6;
  int64_t decoder_layers = 6;
  int64_t heads = 8;  ///< divides d_model
  int64_t d_hidden = 2048;
  double dropout = 0.1;
  double attention_dropout = 0.0;
  double activation_dropout = 0.0;
  nn::NormPlacement norm_placement = nn::NormPlacement::pre;
  config::Choice<nn::norms> norm{"layer_norm"};
  bool final_norm = true;
  config::Choice<nn::activations> activation{"relu"};
  config::Choice<nn::positions> positions{"sinusoidal"};
  nn::Tying tying = nn::Tying::decoder;
  nn::StartSymbol start = nn::StartSymbol::bos;
  bool scale_embedding = true;
  bool output_bias = true;
  config::Choice<nn::initializations> initialization{"xavier"};

  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("d_model", self.d_model, "width of hidden states", config::at_least(1));
    field("encoder_layers", self.encoder_layers, "layers of the encoder", config::at_least(0));
    field("decoder_layers", self.decoder_layers, "layers of the decoder", config::at_least(1));
    field("heads", self.heads, "attention heads; divides d_model", config::at_least(1));
    field("d_hidden", self.d_hidden, "width inside the feed-forward networks", config::at_least(1));
    field("dropout", self.dropout, "of embeddings and of each sub-layer's output", config::below_one());
    field("attention_dropout", self.attention_dropout, "of attention weights", config::below_one());
    field("activation_dropout", self.activation_dropout, "inside the feed-forward networks", config::below_one());
    field("norm_placement", self.norm_placement, "before each sub-layer or after its residual sum");
    field("norm", self.norm, "normalisation");
    field("final_norm", self.final_norm, "one norm more behind each stack; pre placement needs it");
    field("activation", self.activation, "of the feed-forward networks");
    field("positions", self.positions, "how positions are told apart");
    field("tying", self.tying, "which of source, target and output embedding are one matrix");
    field("start", self.start, "what the decoder reads first");
    field("scale_embedding", self.scale_embedding, "multiply embeddings by sqrt(d_model)");
    field("output_bias", self.output_bias, "bias of the output layer");
    field("initialization", self.initialization, "of the projections");
  }
  void validate(const std::string& at) const;
};

class Transformer : public EncoderDecoder {
 public:
  /// Throws UsageError if all embeddings are to be tied and the vocabulary is not joint.
  Transformer(const TransformerOptions& options, const Vocabularies& vocabularies);

  torch::Tensor hidden(const Batch& batch) override;
  nn::OutputLayer output() override { return vocabulary_->output(); }
  DecoderState start(const Batch& batch, const StartOptions& options) override;
  torch::Tensor step(const torch::Tensor& last_ids, DecoderState& state) override;
  /// One map for each layer and head.
  AttentionMaps attention(const Batch& batch) override;
  double multiply_adds(int64_t source_tokens, int64_t target_tokens) const override;
  int64_t longest_sentence() const override { return source_positions_->longest(); }

 private:
  torch::Tensor encode(const Batch& batch);  // [batch, source_time, d_model]
  nn::Decoded decode(const Batch& batch);    // hidden [batch, target_time, d_model]

  TransformerOptions options_;
  nn::VocabularyLayers vocabulary_;
  std::shared_ptr<nn::Positions> source_positions_, target_positions_;
  nn::Dropout source_dropout_, target_dropout_;
  nn::TransformerEncoder encoder_;
  nn::TransformerDecoder decoder_;
};

}  // namespace tr::models
