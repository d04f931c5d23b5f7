// What is measured on one data set, as plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libtr/metrics/bleu.h"
#include "libtr/tokenizer/tokenizer.h"

namespace tr::train {

/// Scores of translations that were searched for, against raw reference text.
struct Decoded {
  std::vector<std::string> hypotheses;  ///< as scored, in the order of the set
  std::vector<tokenizer::Ids> ids;      ///< of each, as the model wrote them, without eos
  double bleu = 0, chrf = 0;            ///< 0 … 100
  std::string bleu_signature, chrf_signature;
  std::vector<metrics::BleuOfLength> bleu_by_length;
};

/// Teacher-forced measures are token-weighted, in evaluation mode and without label smoothing, for every model. Those
/// of a set without tokens are NaN.
struct Evaluation {
  int64_t sentences = 0;
  int64_t tokens = 0;              ///< target tokens, eos counted
  double nll_per_token = 0;        ///< nats
  double perplexity = 0;           ///< exp(nll_per_token)
  double bits_per_character = 0;   ///< of the reference text; every line counts one character more, for its end
  double accuracy = 0;             ///< share of target tokens that got the highest score
  double unknown_rate = 0;         ///< share of target tokens that are unk
  std::optional<Decoded> decoded;  ///< if translations were asked for
};

}  // namespace tr::train
