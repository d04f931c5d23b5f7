#include "libtr/models/transformer.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "libtr/base/error.h"
#include "libtr/base/format.h"

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

/// Twice the slots, where there is no room for `more` of them.
void make_room(DecoderState& state, int64_t more) {
  for (auto& [name, slots] : state.slots) {
    const int64_t needed = state.used_slots + more;
    if (needed <= slots.size(0)) continue;
    auto larger = at::empty({std::max(needed, 2 * slots.size(0)), slots.size(1)}, slots.options());
    larger.narrow(0, 0, state.used_slots).copy_(slots.narrow(0, 0, state.used_slots));
    slots = larger;
  }
}

/// Sentence s, padded to `time`, has the slots s * time, s * time + 1, …
torch::Tensor source_places(const torch::Tensor& sentence_of_row, int64_t time) {
  return sentence_of_row.unsqueeze(1) * time + at::arange(time, sentence_of_row.options());  // [rows, time]
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
  const auto key_values = decoder_->key_values(encode(batch));
  const int64_t sentences = batch.sentences();
  const auto ids = batch.source.ids.options();
  DecoderState state;
  for (int64_t layer = 0; layer < options_.decoder_layers; ++layer) {
    const auto& source = key_values[static_cast<size_t>(layer)];  // [sentences, source_time, 2 d_model]
    state.sentences[layer_key("source", layer)] = source;
    state.slots[layer_key("earlier", layer)] = at::empty({0, source.size(2)}, source.options());
  }
  state.sentences["lengths"] = batch.source.lengths;
  state.rows["places"] = at::zeros({sentences, options.capacity}, ids);
  if (options.attention) state.rows["attention"] = at::zeros({sentences, batch.source.time()}, key_values[0].options());
  state.sentence_of_row = at::arange(sentences, ids);
  state.position = at::zeros({sentences}, ids);
  return state;
}

torch::Tensor Transformer::step(const torch::Tensor& last_ids, DecoderState& state) {
  const int64_t rows = last_ids.size(0), first_slot = state.used_slots;
  make_room(state, rows);
  auto& places = state.rows["places"];  // of each position's key and value; this step adds one slot a row
  places.scatter_(1, state.position.unsqueeze(1),
                  at::arange(first_slot, first_slot + rows, places.options()).unsqueeze(1));
  const auto lengths = state.position + 1;
  const auto seen_places = places.narrow(1, 0, lengths.max().item<int64_t>());
  const int64_t source_time = state.sentences.at(layer_key("source", 0)).size(1);
  const auto of_source = source_places(state.sentence_of_row, source_time);
  const auto source_lengths = state.sentences.at("lengths").index_select(0, state.sentence_of_row);
  std::vector<nn::KeyValueSlots> source, earlier;
  for (int64_t layer = 0; layer < options_.decoder_layers; ++layer) {
    source.push_back({state.sentences.at(layer_key("source", layer)).flatten(0, 1), of_source, source_lengths});
    earlier.push_back({state.slots.at(layer_key("earlier", layer)), seen_places, lengths});
  }
  const auto embedded = target_positions_->step(vocabulary_->target(last_ids), state.position);  // [rows, d_model]
  const auto decoded = decoder_->step(embedded, source, earlier, first_slot);
  if (state.rows.contains("attention")) {  // weights [rows, heads, 1, source_time]
    state.rows["attention"] = decoded.weights.back().mean(1).flatten(0, 1);
  }
  state.used_slots += rows;
  state.position = lengths;
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
