// Translations to look at, with attention: samples.json and the file of `libtr translate --attention`.
#pragma once

#include "libtr/experiment/saved_model.h"

namespace tr::experiment {

/// A source line and what it was translated to; the reference may be empty.
struct Sample {
  std::string source_text, reference, hypothesis;
  tokenizer::Ids ids;  ///< of the hypothesis, as the model wrote them, without eos
};

/// {"samples": [{"source_text", "reference", "hypothesis", "source": tokens, "target": tokens with "</s>", or [] where
/// nothing was written, "attention": {name: [target][source] weights}}, …]}: teacher-forced over the hypothesis without
/// dropout, cropped to real lengths; rows sum to 1. A source longer than the model's positions is cut (data::cut).
config::Json samples_json(models::EncoderDecoder& model, const tokenizer::Tokenizers& tokenizers,
                          const std::vector<Sample>& samples);

}  // namespace tr::experiment
