// Recurrent encoder-decoder with attention: Bahdanau, Cho and Bengio 2015, section 3; Luong, Pham and Manning 2015,
// sections 3.1 and 3.3.
#include "libtr/models/seq2seq_attention.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>

#include "libtr/nn/attention.h"

namespace tr::models {

namespace {

int64_t fed_width(const Seq2SeqAttentionOptions& options) {
  const bool context = options.attention_placement == AttentionPlacement::before_cell;
  return options.d_hidden * (static_cast<int64_t>(context) + static_cast<int64_t>(options.input_feeding));
}

/// True if sentence i is that of rows i * k … i * k + k - 1, with one k for all: then what a sentence's rows share need
/// not be copied for each. sentence_of_row [rows] int64.
bool rows_stand_together(const torch::Tensor& sentence_of_row, int64_t sentences) {
  const int64_t rows = sentence_of_row.size(0);
  if (rows == 0 || rows % sentences != 0) return false;
  const auto expected = at::arange(sentences, sentence_of_row.options()).repeat_interleave(rows / sentences);
  return at::equal(sentence_of_row, expected);
}

}  // namespace

Seq2SeqAttention::Seq2SeqAttention(const Seq2SeqAttentionOptions& options, const Vocabularies& vocabularies)
    : RecurrentModel(options, vocabularies, fed_width(options)),
      placement_(options.attention_placement),
      input_feeding_(options.input_feeding),
      score_(register_module("attention", options.attention_score.make(nn::ScoreWidths{.d_query = options.d_hidden,
                                                                                       .d_memory = options.d_hidden}))),
      combine_(register_module(
          "combine",
          nn::Linear(nn::LinearOptions{.inputs = 2 * options.d_hidden, .outputs = options.d_hidden, .bias = false}))) {
  finish(options);
}

// query [rows, query_time, d_hidden], as many rows for each sentence, one sentence's rows together
// -> context [rows, query_time, d_hidden], weights [rows, query_time, source_time]
Seq2SeqAttention::Attended Seq2SeqAttention::attend(const torch::Tensor& query, const Source& source) {
  const auto by_sentence = query.reshape({source.memory.size(0), -1, query.size(2)});
  const auto scores = score_->scores(by_sentence, source.keys);
  const auto weights = nn::attention_weights(scores, source.mask.defined() ? source.mask.unsqueeze(1) : source.mask);
  const auto context = at::bmm(weights, source.memory);
  return {.context = context.view(query.sizes()), .weights = weights.view({query.size(0), query.size(1), -1})};
}

// Luong et al., equation 5.
torch::Tensor Seq2SeqAttention::attentional_state(const torch::Tensor& context, const torch::Tensor& hidden) {
  return combine_(at::cat({context, hidden}, -1)).tanh();
}

// ---- teacher forcing ----

torch::Tensor Seq2SeqAttention::hidden(const Batch& batch) { return to_output(decode(batch).attentional, batch); }

AttentionMaps Seq2SeqAttention::attention(const Batch& batch) { return {{"attention", decode(batch).weights}}; }

Seq2SeqAttention::Decoded Seq2SeqAttention::decode(const Batch& batch) {
  const auto encoded = encode(batch);
  const Source source{.memory = encoded.memory,
                      .keys = score_->keys(encoded.memory),
                      .mask = batch.source.any_padding ? batch.source.mask : torch::Tensor()};
  const auto words = target_words(batch.target.ids, batch.noise);  // [batch, target_time, d_embedding]
  const bool fed_back = placement_ == AttentionPlacement::before_cell || input_feeding_;
  return fed_back ? decode_by_steps(words, source, encoded.initial, batch.noise)
                  : decode_at_once(words, source, encoded.initial, batch.noise);
}

// Nothing that attention finds enters the cell, so that all target steps are one call a layer.
Seq2SeqAttention::Decoded Seq2SeqAttention::decode_at_once(const torch::Tensor& words, const Source& source,
                                                           const nn::StackState& initial, const nn::Noise& noise) {
  const auto states = decoder_(words, initial, noise);  // [batch, target_time, d_hidden]
  const auto [context, weights] = attend(states, source);
  return {.attentional = attentional_state(context, states), .weights = weights};
}

Seq2SeqAttention::Decoded Seq2SeqAttention::decode_by_steps(const torch::Tensor& words, const Source& source,
                                                            const nn::StackState& initial, const nn::Noise& noise) {
  const auto inputs = step_inputs(source);
  const auto gates = word_gates(words.transpose(0, 1));  // [target_time, batch, gates * d_hidden]
  Place place{.stack = initial, .attentional = at::zeros_like(initial.back().hidden), .weights = {}};
  std::vector<torch::Tensor> attentional, weights;
  for (const auto& gates_of_word : gates.unbind(0)) {
    const auto position = noise.first_position + static_cast<int64_t>(attentional.size());
    place = next(gates_of_word, place, inputs, noise.at(position));
    attentional.push_back(place.attentional);
    weights.push_back(place.weights);
  }
  return {.attentional = at::stack(attentional, 1), .weights = at::stack(weights, 1)};
}

// ---- one step ----

// The lowest cell's weights fall into columns for the word, whose products do not wait for the step before, and columns
// for what attention feeds back.
torch::Tensor Seq2SeqAttention::word_gates(const torch::Tensor& words) {
  auto& cell = decoder_->lowest();
  return at::linear(words, cell.weight_ih.narrow(1, 0, words.size(-1)), cell.input_bias());
}

Seq2SeqAttention::StepInputs Seq2SeqAttention::step_inputs(const Source& source) {
  const auto& weight = decoder_->lowest().weight_ih;
  const int64_t parts = static_cast<int64_t>(placement_ == AttentionPlacement::before_cell) + input_feeding_;
  const int64_t d_fed = parts * decoder_->d_hidden();
  return {.source = source, .fed_weight = weight.narrow(1, weight.size(1) - d_fed, d_fed)};
}

Seq2SeqAttention::Place Seq2SeqAttention::next(const torch::Tensor& gates_of_word, const Place& place,
                                               const StepInputs& inputs, const nn::Noise& noise) {
  const auto look_from = [&](const nn::StackState& stack) {
    return attend(stack.back().hidden.unsqueeze(1), inputs.source);  // context [rows, 1, d_hidden]
  };
  Attended seen;
  std::vector<torch::Tensor> fed;
  if (placement_ == AttentionPlacement::before_cell) {
    seen = look_from(place.stack);
    fed.push_back(seen.context.squeeze(1));
  }
  if (input_feeding_) fed.push_back(place.attentional);
  const auto gates = fed.empty() ? gates_of_word : at::addmm(gates_of_word, at::cat(fed, -1), inputs.fed_weight.t());
  const auto stack = decoder_->step(gates, place.stack, noise);
  if (placement_ == AttentionPlacement::after_cell) seen = look_from(stack);
  return {.stack = stack,
          .attentional = attentional_state(seen.context.squeeze(1), stack.back().hidden),
          .weights = seen.weights.squeeze(1)};
}

// ---- search ----

DecoderState Seq2SeqAttention::start(const Batch& batch, const StartOptions& options) {
  const auto encoded = encode(batch);
  auto state = start_state(encoded.initial);
  state.sentences = {{"memory", encoded.memory}, {"keys", score_->keys(encoded.memory)}, {"mask", batch.source.mask}};
  if (input_feeding_) state.rows["attentional"] = at::zeros_like(encoded.initial.back().hidden);
  if (options.attention) state.rows["attention"] = encoded.memory.new_zeros(batch.source.ids.sizes());
  return state;
}

torch::Tensor Seq2SeqAttention::step(const torch::Tensor& last_ids, DecoderState& state) {
  Source source{state.sentences.at("memory"), state.sentences.at("keys"), state.sentences.at("mask")};
  if (!rows_stand_together(state.sentence_of_row, source.memory.size(0))) {
    for (auto* part : {&source.memory, &source.keys, &source.mask}) {
      *part = part->index_select(0, state.sentence_of_row);
    }
  }
  Place place{.stack = stack_state(state), .attentional = {}, .weights = {}};
  if (input_feeding_) place.attentional = state.rows.at("attentional");
  place = next(word_gates(vocabulary_->target(last_ids)), place, step_inputs(source), /*noise=*/{});
  set_stack_state(place.stack, state);
  if (input_feeding_) state.rows["attentional"] = place.attentional;
  if (state.rows.count("attention")) state.rows["attention"] = place.weights;
  state.position = state.position + 1;
  return to_output(place.attentional);
}

double Seq2SeqAttention::multiply_adds(int64_t source_tokens, int64_t target_tokens) const {
  const auto source = static_cast<double>(source_tokens), target = static_cast<double>(target_tokens);
  const auto cost = score_->multiply_adds();
  const auto context = static_cast<double>(decoder_->d_hidden());
  return multiply_adds_without_attention(source_tokens, target_tokens) + source * cost.key +
         target * (cost.query + combine_->multiply_adds()) + target * source * (cost.pair + context);
}

}  // namespace tr::models
