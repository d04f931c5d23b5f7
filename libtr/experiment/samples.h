// Translations to look at, with attention: samples.json and the file of `libtr translate --attention`.
#pragma once

#include "libtr/experiment/saved_model.h"

namespace tr::experiment {

/// A source line and what it was translated to; the reference may be empty.
struct Sample {
  std::string source_text, reference, hypothesis;
};

/// {"samples": [{"source_text", "reference", "hypothesis", "source": tokens, "target": tokens with "</s>", or [] where
/// nothing was written, "attention": {name: [target][source] weights}}, …]}: teacher-forced over the hypothesis, cropped
/// to real lengths; rows sum to 1.
config::Json samples_json(models::EncoderDecoder& model, const tokenizer::Tokenizers& tokenizers,
                          const std::vector<Sample>& samples);

}  // namespace tr::experiment
