#include "libtr/train/evaluator.h"

#include <algorithm>

#include "libtr/base/format.h"
#include "libtr/base/unicode.h"
#include "libtr/decode/evaluation_mode.h"
#include "libtr/metrics/chrf.h"
#include "libtr/models/workers.h"
#include "libtr/train/loss.h"

namespace tr::train {
namespace {

/// Code points of the lines and 1 for the end of each.
int64_t count_characters(const std::vector<std::string>& lines) {
  int64_t characters = 0;
  for (const auto& line : lines) characters += count_code_points(line) + 1;
  return characters;
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
  const auto device = output.weight.device();
  const auto all = data::evaluation_batches(data::lengths_of(examples), batches);
  std::vector<metrics::TokenCounts> of_batch(all.size());  // added up in their order, whoever counted them
  models::share_out(models::workers_on(device), std::ssize(all), [&](int64_t, int64_t item) {
    const auto batch = models::make_batch(data::chosen(examples, all[item])).to(device);
    const auto sums = cross_entropy(model.hidden(batch), output, batch.target_output, {.label_smoothing = 0});
    of_batch[item] = {.nll = sums.nll.item<double>(),
                      .tokens = batch.target_tokens(),
                      .correct = sums.correct.item<int64_t>(),
                      .unknown = batch.target_output.eq(tokenizer::kUnk).sum().item<int64_t>()};
  });
  metrics::TokenCounts counts;
  for (const auto& counted : of_batch) counts += counted;
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
      examples_(std::make_shared<const std::vector<data::Example>>(data::encode_all(text, tokenizers))),
      characters_(count_characters(text.target)) {}

int64_t Evaluator::count_longer(int64_t longest) const {
  if (longest == 0) return 0;
  return std::count_if(examples_->begin(), examples_->end(), [longest](const data::Example& pair) {
    return std::max(std::ssize(pair.source), std::ssize(pair.target)) > longest;
  });
}

std::shared_ptr<const std::vector<data::Example>> Evaluator::examples_for(const models::EncoderDecoder& model) const {
  const int64_t longest = model.longest_sentence();
  if (count_longer(longest) == 0) return examples_;
  return std::make_shared<const std::vector<data::Example>>(data::cut(*examples_, longest));
}

std::string Evaluator::note_of_cut(const models::EncoderDecoder& model) const {
  const int64_t longest = model.longest_sentence(), count = count_longer(longest);
  if (count == 0) return "";
  return format("{} of {} pairs are longer than the {} positions that the model learned; their ends are cut off", count,
                sentences(), longest);
}

/// Of a reference that was cut, what is left counts.
int64_t Evaluator::characters_of(const std::vector<data::Example>& examples) const {
  int64_t characters = characters_;
  for (size_t i = 0; i < examples.size(); ++i) {
    if (examples[i].target.size() == (*examples_)[i].target.size()) continue;
    characters -= count_code_points(text_.target[i]);
    characters += count_code_points(tokenizers_.target->decode(examples[i].target));
  }
  return characters;
}

Evaluation Evaluator::forced(models::EncoderDecoder& model, Precision precision) const {
  const PrecisionGuard guard(precision, model.output().weight.device().type());
  const auto examples = examples_for(model);
  metrics::TokenCounts counts = count_tokens(model, *examples);
  counts.characters = characters_of(*examples);
  return {.sentences = sentences(),
          .tokens = counts.tokens,
          .nll_per_token = metrics::nll_per_token(counts),
          .perplexity = metrics::perplexity(counts),
          .bits_per_character = metrics::bits_per_character(counts),
          .accuracy = metrics::accuracy(counts),
          .unknown_rate = metrics::unknown_rate(counts)};
}

Decoded Evaluator::decoded(models::EncoderDecoder& model, const decode::DecodeOptions& decoding, int64_t sentences,
                           std::function<void(int64_t)> progress) const {
  const size_t all = examples_->size();
  const size_t count = sentences > 0 ? std::min(static_cast<size_t>(sentences), all) : all;
  std::vector<tokenizer::Ids> sources;
  for (size_t i = 0; i < count; ++i) sources.push_back((*examples_)[i].source);
  std::vector<std::string> hypotheses;
  std::vector<tokenizer::Ids> ids;
  for (const auto& list : decode::translate(model, sources, decoding, {.progress = std::move(progress)})) {
    ids.push_back(list.front().ids);
    hypotheses.push_back(tokenizers_.target->decode(ids.back()));
  }
  Decoded decoded = score_hypotheses(std::move(hypotheses), text_, options_);
  decoded.ids = std::move(ids);
  return decoded;
}

}  // namespace tr::train
