// What the recurrent encoder-decoders share: Sutskever et al. 2014, section 2 (reversed source: section 3.3).
#include "libtr/models/recurrent_model.h"

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/tokenizer/tokenizer.h"

namespace tr::models {

namespace {
/// Width of what the output layer reads: a tied one is as wide as word vectors.
int64_t output_width(const RecurrentOptions& options) {
  return options.tying == nn::Tying::none ? options.d_hidden : options.d_embedding;
}

nn::VocabularyLayersOptions vocabulary_options(const RecurrentOptions& options, const Vocabularies& vocabularies) {
  if (options.tying == nn::Tying::all && !vocabularies.joint) {
    throw UsageError("/model/tying",
                     format("got \"all\" for a source vocabulary of {} and another target vocabulary of {}, expected "
                            "one joint vocabulary, \"decoder\" or \"none\"",
                            vocabularies.source, vocabularies.target));
  }
  return {.source_vocab = vocabularies.source,
          .target_vocab = vocabularies.target,
          .width = options.d_embedding,
          .output_width = output_width(options),
          .tying = options.tying,
          .scale = options.scale_embedding,
          .zero_id = options.start == nn::StartSymbol::zero ? tokenizer::kBos : -1,
          .output_bias = options.output_bias};
}

nn::RecurrentDropoutOptions dropout_options(const RecurrentOptions& options) {
  return {.rate = options.dropout, .variational = options.variational_dropout};
}

nn::StackOptions stack_options(const RecurrentOptions& options, int64_t d_input) {
  return {.cell = options.cell,
          .layers = options.layers,
          .d_input = d_input,
          .d_hidden = options.d_hidden,
          .dropout = dropout_options(options),
          .initialization = options.recurrent_initialization};
}

}  // namespace

void RecurrentOptions::validate(const std::string& at) const {
  if (bidirectional && d_hidden % 2 != 0) {
    throw UsageError(at + "/d_hidden",
                     format("got {}, expected an even width: bidirectional gives each direction half of it", d_hidden));
  }
}

RecurrentModel::RecurrentModel(const RecurrentOptions& options, const Vocabularies& vocabularies, int64_t d_fed)
    : vocabulary_(vocabulary_options(options, vocabularies)),
      encoder_(stack_options(options, options.d_embedding),
               options.bidirectional ? nn::Directions::both : nn::Directions::forward),
      decoder_(stack_options(options, options.d_embedding + d_fed)),
      bridge_(options.bridge, *decoder_),
      source_dropout_(dropout_options(options)),
      target_dropout_(dropout_options(options)),
      output_dropout_(dropout_options(options)),
      reverse_source_(options.reverse_source) {
  register_module("vocabulary", vocabulary_);
  register_module("source_dropout", source_dropout_);
  register_module("encoder", encoder_);
  register_module("bridge", bridge_);
  register_module("target_dropout", target_dropout_);
  register_module("decoder", decoder_);
  register_module("output_dropout", output_dropout_);
  if (output_width(options) != options.d_hidden) {
    const nn::LinearOptions shape{.inputs = options.d_hidden, .outputs = output_width(options), .bias = false};
    output_projection_ = register_module("output_projection", nn::Linear(shape));
  }
}

void RecurrentModel::finish(const RecurrentOptions& options) {
  nn::initialize(*this, *options.initialization.make());
  nn::number_dropout_sites(*this);
}

RecurrentModel::Encoded RecurrentModel::encode(const Batch& batch) {
  const auto order = reverse_source_ ? reversed_order(batch.source) : torch::Tensor();  // [batch, source_time]
  const auto ids = reverse_source_ ? batch.source.ids.gather(1, order) : batch.source.ids;
  const auto words = source_dropout_(vocabulary_->source(ids), batch.noise);  // [batch, source_time, d_embedding]
  auto [memory, last] = encoder_(words, batch.source.any_padding ? batch.source.mask : torch::Tensor(), batch.noise);
  if (reverse_source_) memory = memory.gather(1, order.unsqueeze(-1).expand_as(memory));
  return {.memory = memory, .initial = bridge_(last)};
}

torch::Tensor RecurrentModel::target_words(const torch::Tensor& ids, const nn::Noise& noise) {
  return target_dropout_(vocabulary_->target(ids), noise);
}

torch::Tensor RecurrentModel::to_output(const torch::Tensor& x, const Batch& batch) {
  return to_output(drop_pads(output_dropout_(x, batch.noise), batch));
}

torch::Tensor RecurrentModel::to_output(const torch::Tensor& x) {
  return output_projection_.is_empty() ? x : output_projection_(x);
}

DecoderState RecurrentModel::start_state(const nn::StackState& initial) const {
  DecoderState state;
  set_stack_state(initial, state);
  const auto& hidden = initial.front().hidden;
  const auto integers = hidden.options().dtype(torch::kInt64);
  state.sentence_of_row = torch::arange(hidden.size(0), integers);
  state.position = torch::zeros({hidden.size(0)}, integers);
  return state;
}

nn::StackState RecurrentModel::stack_state(const DecoderState& state) const {
  nn::StackState stack;
  for (int64_t i = 0; i < decoder_->layers(); ++i) {
    const auto number = std::to_string(i);
    const auto memory = state.rows.find("memory_" + number);
    stack.push_back({state.rows.at("hidden_" + number), memory == state.rows.end() ? torch::Tensor() : memory->second});
  }
  return stack;
}

void RecurrentModel::set_stack_state(const nn::StackState& next, DecoderState& state) const {
  for (size_t i = 0; i < next.size(); ++i) {
    const auto number = std::to_string(i);
    state.rows["hidden_" + number] = next[i].hidden;
    if (next[i].memory.defined()) state.rows["memory_" + number] = next[i].memory;
  }
}

double RecurrentModel::multiply_adds_without_attention(int64_t source_tokens, int64_t target_tokens) const {
  const auto source = static_cast<double>(source_tokens), target = static_cast<double>(target_tokens);
  const double projection = output_projection_.is_empty() ? 0.0 : output_projection_->multiply_adds();
  const auto output = static_cast<double>(vocabulary_->output().weight.numel());
  return source * encoder_->multiply_adds() + bridge_->multiply_adds() +
         target * (decoder_->multiply_adds() + projection + output);
}

torch::Tensor reversed_order(const Side& side) {
  const auto place = torch::arange(side.time(), side.lengths.options()).unsqueeze(0);  // [1, time]
  const auto eos = side.lengths.unsqueeze(1) - 1;                                      // [batch, 1]
  return torch::where(place < eos, eos - 1 - place, place);
}

}  // namespace tr::models
