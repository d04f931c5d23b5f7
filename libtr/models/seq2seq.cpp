// Encoder-decoder without attention: Sutskever, Vinyals and Le 2014, section 2.
#include "libtr/models/seq2seq.h"

#include "libtr/base/error.h"

namespace tr::models {

void Seq2SeqOptions::validate(const std::string& at) const {
  RecurrentOptions::validate(at);
  if (bridge != nn::BridgeKind::zero) return;
  throw UsageError(at + "/bridge",
                   "got \"zero\", expected \"last\" or \"learned\": without attention the source reaches the decoder "
                   "through the bridge alone");
}

Seq2Seq::Seq2Seq(const Seq2SeqOptions& options, const Vocabularies& vocabularies)
    : RecurrentModel(options, vocabularies, /*d_fed=*/0) {
  finish(options);
}

torch::Tensor Seq2Seq::hidden(const Batch& batch) {
  const auto words = target_words(batch.target.ids, batch.noise);           // [batch, target_time, d_embedding]
  const auto states = decoder_(words, encode(batch).initial, batch.noise);  // [batch, target_time, d_hidden]
  return to_output(states, batch);                                          // [target_tokens, output width]
}

DecoderState Seq2Seq::start(const Batch& batch, const StartOptions&) { return start_state(encode(batch).initial); }

torch::Tensor Seq2Seq::step(const torch::Tensor& last_ids, DecoderState& state) {
  const auto words = vocabulary_->target(last_ids);  // [rows, d_embedding]
  const auto next = decoder_->step(decoder_->lowest().input_gates(words), stack_state(state), /*noise=*/{});
  set_stack_state(next, state);
  state.position = state.position + 1;
  return to_output(next.back().hidden);
}

AttentionMaps Seq2Seq::attention(const Batch&) { return {}; }

double Seq2Seq::multiply_adds(int64_t source_tokens, int64_t target_tokens) const {
  return multiply_adds_without_attention(source_tokens, target_tokens);
}

}  // namespace tr::models
