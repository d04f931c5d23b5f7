// The section "evaluate" of a configuration: how translations are scored.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "libtr/config/fields.h"
#include "libtr/metrics/bleu.h"
#include "libtr/metrics/chrf.h"

namespace tr::metrics {
inline auto names_of(Tokenizer) {
  std::vector<std::pair<Tokenizer, const char*>> names;
  for (const auto tokenizer : {Tokenizer::mteval_13a, Tokenizer::none, Tokenizer::character, Tokenizer::intl,
                               Tokenizer::zh, Tokenizer::moses_lc}) {
    names.emplace_back(tokenizer, tokenizer_name(tokenizer).c_str());
  }
  return names;
}
inline auto names_of(Smoothing) {
  std::vector<std::pair<Smoothing, const char*>> names;
  for (const auto smoothing : {Smoothing::none, Smoothing::floor, Smoothing::add_k, Smoothing::exp}) {
    names.emplace_back(smoothing, smoothing_name(smoothing).c_str());
  }
  return names;
}
}  // namespace tr::metrics

namespace tr::train {

/// metrics::BleuOptions as a section; smooth_value is left to its default there.
struct BleuSection {
  metrics::BleuOptions bleu;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("tokenize", self.bleu.tokenizer, "how BLEU cuts text into words, as sacreBLEU names it; or moses-lc");
    field("language", self.bleu.language, "of the target (de), for moses-lc alone");
    field("lowercase", self.bleu.lowercase, "compare without case");
    field("smooth", self.bleu.smoothing, "what an order of n-grams without a match counts as");
    field("max_order", self.bleu.max_order, "longest n-gram", config::between(1, 16));
    field("references_tokenized", self.bleu.references_tokenized,
          "references hold lower-cased Moses tokens already, for moses-lc alone");
  }
  void validate(const std::string&) const { bleu.validate(); }
};

/// metrics::ChrfOptions as a section.
struct ChrfSection {
  metrics::ChrfOptions chrf;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("char_order", self.chrf.char_order, "longest n-gram of characters", config::between(1, 16));
    field("word_order", self.chrf.word_order, "longest n-gram of words; 2 is chrF++", config::between(0, 16));
    field("beta", self.chrf.beta, "recall weighs beta squared times as much as precision", config::between(1, 16));
    field("lowercase", self.chrf.lowercase, "compare without case");
  }
};

struct EvaluateOptions {
  BleuSection bleu;
  ChrfSection chrf;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("bleu", self.bleu, "BLEU (Papineni et al. 2002) as sacreBLEU computes it");
    field("chrf", self.chrf, "chrF (Popovic 2015) as sacreBLEU computes it");
  }
};

}  // namespace tr::train
