// Measures a model on a data set: loss and perplexity of the references, BLEU and chrF of translations.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libtr/data/corpus.h"
#include "libtr/data/dataset.h"
#include "libtr/decode/options.h"
#include "libtr/metrics/perplexity.h"
#include "libtr/train/evaluate_options.h"
#include "libtr/train/evaluation.h"
#include "libtr/train/runtime.h"

namespace tr::train {

/// Counts over all target tokens of `examples`: teacher forcing, evaluation mode, no label smoothing. The size of the
/// batches changes no more than rounding. Characters are left at 0: they belong to the text. Examples fit the model's
/// positions (data::cut).
metrics::TokenCounts count_tokens(models::SequenceModel& model, const std::vector<data::Example>& examples,
                                  const data::BatchOptions& batches = {});

/// BLEU, BLEU by length and chrF of translations in the order of `text`.
Decoded score_hypotheses(std::vector<std::string> hypotheses, const data::ParallelText& text,
                         const EvaluateOptions& options);

/// A data set with all that its measures need. No pair is dropped, and none is cut unless it is longer than positions
/// that a model learned: then the model sees the first tokens and eos; translations are scored against whole text.
class Evaluator {
 public:
  /// `text` must outlive the evaluator.
  Evaluator(const data::ParallelText& text, const tokenizer::Tokenizers& tokenizers, EvaluateOptions options);

  int64_t sentences() const { return static_cast<int64_t>(examples_->size()); }
  const std::vector<data::Example>& examples() const { return *examples_; }
  const data::ParallelText& text() const { return text_; }

  /// The examples as far as the model's positions go: its own ones unless any is cut.
  std::shared_ptr<const std::vector<data::Example>> examples_for(const models::EncoderDecoder& model) const;
  /// One line for the reader if examples_for cuts any; else empty.
  std::string note_of_cut(const models::EncoderDecoder& model) const;

  /// Teacher-forced measures alone.
  Evaluation forced(models::EncoderDecoder& model, Precision precision = Precision::float32) const;
  /// Translates the first `sentences` (0: all) and scores them; `progress` is told how many are done.
  Decoded decoded(models::EncoderDecoder& model, const decode::DecodeOptions& decoding, int64_t sentences = 0,
                  std::function<void(int64_t)> progress = {}) const;

 private:
  int64_t count_longer(int64_t longest) const;  // 0 where there is no limit
  int64_t characters_of(const std::vector<data::Example>& examples) const;

  const data::ParallelText& text_;
  tokenizer::Tokenizers tokenizers_;
  EvaluateOptions options_;
  std::shared_ptr<const std::vector<data::Example>> examples_;
  int64_t characters_ = 0;
};

}  // namespace tr::train
