#include "libtr/models/transformer.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/models/rows.h"

namespace tr::models {
namespace {

nn::VocabularyLayersOptions vocabulary_options(const TransformerOptions& options, const Vocabularies& vocabularies) {
  if (options.tying == nn::Tying::all && !vocabularies.joint) {
    throw UsageError("/model/tying", "got \"all\", which needs a joint vocabulary; the sides have one each");
  }
  return {.source_vocab = vocabularies.source,
          .target_vocab = vocabularies.target,
          .width = options.d_model,
          .output_width = options.d_model,
          .tying = options.tying,
          .scale = options.scale_embedding,
          .zero_id = options.start == nn::StartSymbol::zero ? tokenizer::kBos : -1,
          .output_bias = options.output_bias};
}

nn::TransformerStackOptions stack_options(const TransformerOptions& options, int64_t layers) {
  return {.layers = layers,
          .final_norm = options.final_norm,
          .layer = {.attention = {options.d_model, options.heads, options.attention_dropout},
                    .feed_forward = {options.d_model, options.d_hidden, options.activation, options.activation_dropout},
                    .residual = {options.d_model, options.norm_placement, options.norm, options.dropout}}};
}

/// Undefined where all are equal: then nothing has to be hidden.
torch::Tensor lengths_of(const Side& side) { return side.any_padding ? side.lengths : torch::Tensor(); }

std::string layer_key(const char* what, int64_t layer) { return format("{}.{}", what, layer); }

/// Each sentence's memory for its group of rows. A search keeps the rows of a sentence together, as many for each, and
/// then nothing is copied; otherwise each row becomes a group of its own.
nn::Memory memory_of_rows(const nn::Memory& memory, const torch::Tensor& sentence_of_row, bool grouped) {
  if (grouped) return memory;
  return {memory.key_value.index_select(0, sentence_of_row),
          memory.lengths.defined() ? memory.lengths.index_select(0, sentence_of_row) : memory.lengths};
}

}  // namespace

void TransformerOptions::validate(const std::string& at) const {
  if (d_model % heads != 0) {
    throw UsageError(at + "/heads", format("got {}, which does not divide {}/d_model {}", heads, at, d_model));
  }
}

Transformer::Transformer(const TransformerOptions& options, const Vocabularies& vocabularies)
    : options_(options),
      vocabulary_(register_module("vocabulary", nn::VocabularyLayers(vocabulary_options(options, vocabularies)))),
      source_positions_(register_module("source_positions", options.positions.make(options.d_model))),
      target_positions_(register_module("target_positions", options.positions.make(options.d_model))),
      source_dropout_(register_module("source_dropout", nn::Dropout(options.dropout))),
      target_dropout_(register_module("target_dropout", nn::Dropout(options.dropout))),
      encoder_(register_module("encoder", nn::TransformerEncoder(stack_options(options, options.encoder_layers)))),
      decoder_(register_module("decoder", nn::TransformerDecoder(stack_options(options, options.decoder_layers)))) {
  nn::initialize(*this, *options.initialization.make());
  nn::number_dropout_sites(*this);
}

torch::Tensor Transformer::encode(const Batch& batch) {
  const auto embedded = source_positions_->forward(vocabulary_->source(batch.source.ids));
  return encoder_(source_dropout_(embedded, batch.noise), lengths_of(batch.source), batch.noise);
}

nn::Decoded Transformer::decode(const Batch& batch) {
  const auto memories = decoder_->memories(encode(batch), lengths_of(batch.source));
  const auto embedded = target_positions_->forward(vocabulary_->target(batch.target.ids));
  return decoder_(target_dropout_(embedded, batch.noise), lengths_of(batch.target), memories, batch.noise);
}

torch::Tensor Transformer::hidden(const Batch& batch) { return drop_pads(decode(batch).hidden, batch); }

DecoderState Transformer::start(const Batch& batch, const StartOptions& options) {
  const auto source = encode(batch);
  const auto memories = decoder_->memories(source, lengths_of(batch.source));
  const int64_t sentences = batch.sentences();
  const auto cache = [&] {
    return at::zeros({sentences, options_.heads, options.capacity, options_.d_model / options_.heads},
                     source.options());
  };
  DecoderState state;
  for (int64_t layer = 0; layer < options_.decoder_layers; ++layer) {
    state.rows[layer_key("keys", layer)] = cache();
    state.rows[layer_key("values", layer)] = cache();
    state.sentences[layer_key("memory", layer)] = memories[layer].key_value;
  }
  if (batch.source.any_padding) state.sentences["lengths"] = batch.source.lengths;
  if (options.attention) state.rows["attention"] = at::zeros({sentences, batch.source.time()}, source.options());
  state.sentence_of_row = at::arange(sentences, batch.source.ids.options());
  state.position = at::zeros({sentences}, batch.source.ids.options());
  return state;
}

torch::Tensor Transformer::step(const torch::Tensor& last_ids, DecoderState& state) {
  const int64_t sentences = state.sentences.at("memory.0").size(0);
  const bool grouped = rows_stand_together(state.sentence_of_row, sentences);
  const auto lengths = state.sentences.contains("lengths") ? state.sentences["lengths"] : torch::Tensor();
  std::vector<nn::Memory> memories;
  std::vector<nn::KeyValueCache> caches;
  for (int64_t layer = 0; layer < options_.decoder_layers; ++layer) {
    const nn::Memory memory{state.sentences[layer_key("memory", layer)], lengths};
    memories.push_back(memory_of_rows(memory, state.sentence_of_row, grouped));
    caches.push_back({state.rows[layer_key("keys", layer)], state.rows[layer_key("values", layer)]});
  }
  const auto embedded = target_positions_->step(vocabulary_->target(last_ids), state.position);  // [rows, d_model]
  const auto decoded = decoder_->step(embedded, memories, caches, state.position);
  if (state.rows.contains("attention")) {  // weights [groups, heads, rows of each, source_time]
    state.rows["attention"] = decoded.weights.back().mean(1).flatten(0, 1);
  }
  state.position = state.position + 1;
  return decoded.hidden;
}

AttentionMaps Transformer::attention(const Batch& batch) {
  const auto decoded = decode(batch);
  AttentionMaps maps;
  for (size_t layer = 0; layer < decoded.weights.size(); ++layer) {
    for (int64_t head = 0; head < options_.heads; ++head) {
      maps.push_back({format("layer {}, head {}", layer + 1, head + 1), decoded.weights[layer].select(1, head)});
    }
  }
  return maps;
}

double Transformer::multiply_adds(int64_t source_tokens, int64_t target_tokens) const {
  const auto output_weights = static_cast<double>(vocabulary_->output().weight.numel());
  return encoder_->multiply_adds(source_tokens) + decoder_->multiply_adds(source_tokens, target_tokens) +
         static_cast<double>(target_tokens) * output_weights;
}

}  // namespace tr::models
