#include "libtr/train/evaluator.h"

#include <algorithm>

#include "libtr/base/format.h"
#include "libtr/base/unicode.h"
#include "libtr/decode/evaluation_mode.h"
#include "libtr/metrics/chrf.h"
#include "libtr/train/loss.h"

namespace tr::train {
namespace {

/// Code points of the lines and 1 for the end of each.
int64_t count_characters(const std::vector<std::string>& lines) {
  int64_t characters = 0;
  for (const auto& line : lines) characters += count_code_points(line) + 1;
  return characters;
}

std::vector<data::Example> chosen(const std::vector<data::Example>& examples, const data::IndexBatch& indices) {
  std::vector<data::Example> batch;
  for (const int64_t index : indices) batch.push_back(examples[static_cast<size_t>(index)]);
  return batch;
}

template <class T>
std::vector<T> first_of(const std::vector<T>& values, size_t count) {
  return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(count, values.size()))};
}

}  // namespace

metrics::TokenCounts count_tokens(models::SequenceModel& model, const std::vector<data::Example>& examples,
                                  const data::BatchOptions& batches) {
  const decode::EvaluationMode evaluation(model);
  const nn::OutputLayer output = model.output();
  metrics::TokenCounts counts;
  for (const auto& indices : data::evaluation_batches(data::lengths_of(examples), batches)) {
    const auto batch = models::make_batch(chosen(examples, indices)).to(output.weight.device());
    const auto sums = cross_entropy(model.hidden(batch), output, batch.target_output, {.label_smoothing = 0});
    counts.nll += sums.nll.item<double>();
    counts.correct += sums.correct.item<int64_t>();
    counts.tokens += batch.target_tokens();
    counts.unknown += batch.target_output.eq(tokenizer::kUnk).sum().item<int64_t>();
  }
  return counts;
}

Decoded score_hypotheses(std::vector<std::string> hypotheses, const data::ParallelText& text,
                         const EvaluateOptions& options) {
  const size_t count = hypotheses.size();
  const metrics::References references(first_of(text.target, count));
  const auto bleu = metrics::corpus_bleu(hypotheses, references, options.bleu.bleu);
  const auto chrf = metrics::corpus_chrf(hypotheses, references, options.chrf.chrf);
  const auto counts = metrics::bleu_counts(hypotheses, references, options.bleu.bleu);
  Decoded decoded;
  decoded.bleu = bleu.score;
  decoded.bleu_signature = bleu.signature;
  decoded.chrf = chrf.score;
  decoded.chrf_signature = chrf.signature;
  decoded.bleu_by_length = metrics::bleu_by_length(first_of(text.source, count), counts, options.bleu.bleu);
  decoded.hypotheses = std::move(hypotheses);
  return decoded;
}

Evaluator::Evaluator(const data::ParallelText& text, const tokenizer::Tokenizers& tokenizers, EvaluateOptions options)
    : text_(text),
      tokenizers_(tokenizers),
      options_(std::move(options)),
      examples_(data::encode_all(text, tokenizers)),
      characters_(count_characters(text.target)) {}

std::vector<data::Example> Evaluator::examples_for(const models::EncoderDecoder& model) const {
  return data::cut(examples_, model.longest_sentence());
}

std::string Evaluator::note_of_cut(const models::EncoderDecoder& model) const {
  const int64_t longest = model.longest_sentence();
  if (longest == 0) return "";
  const auto lengths = data::lengths_of(examples_);
  const auto count = std::count_if(lengths.begin(), lengths.end(), [longest](const data::Lengths& pair) {
    return std::max(pair.source, pair.target) > longest;
  });
  if (count == 0) return "";
  return format("{} of {} pairs are longer than the {} positions that the model learned; their ends are cut off", count,
                sentences(), longest);
}

/// Of a reference that was cut, what is left counts.
int64_t Evaluator::characters_of(const std::vector<data::Example>& examples) const {
  int64_t characters = characters_;
  for (size_t i = 0; i < examples.size(); ++i) {
    if (examples[i].target.size() == examples_[i].target.size()) continue;
    characters -= count_code_points(text_.target[i]);
    characters += count_code_points(tokenizers_.target->decode(examples[i].target));
  }
  return characters;
}

Evaluation Evaluator::forced(models::EncoderDecoder& model, Precision precision) const {
  const PrecisionGuard guard(precision, model.output().weight.device().type());
  const auto examples = examples_for(model);
  metrics::TokenCounts counts = count_tokens(model, examples);
  counts.characters = characters_of(examples);
  return {.sentences = sentences(),
          .tokens = counts.tokens,
          .nll_per_token = metrics::nll_per_token(counts),
          .perplexity = metrics::perplexity(counts),
          .bits_per_character = metrics::bits_per_character(counts),
          .accuracy = metrics::accuracy(counts),
          .unknown_rate = metrics::unknown_rate(counts)};
}

Decoded Evaluator::decoded(models::EncoderDecoder& model, const decode::DecodeOptions& decoding,
                           int64_t sentences) const {
  const size_t count = sentences > 0 ? static_cast<size_t>(sentences) : examples_.size();
  std::vector<tokenizer::Ids> sources;
  for (const auto& example : first_of(examples_, count)) sources.push_back(example.source);
  std::vector<std::string> hypotheses;
  std::vector<tokenizer::Ids> ids;
  for (const auto& list : decode::translate(model, sources, decoding)) {
    ids.push_back(list.front().ids);
    hypotheses.push_back(tokenizers_.target->decode(ids.back()));
  }
  Decoded decoded = score_hypotheses(std::move(hypotheses), text_, options_);
  decoded.ids = std::move(ids);
  return decoded;
}

}  // namespace tr::train
