// Options of BLEU and chrF from the JSON of test cases; names are those of sacreBLEU.
#pragma once

#include <nlohmann/json.hpp>

#include "libtr/metrics/bleu.h"
#include "libtr/metrics/chrf.h"

namespace tr::test {

inline metrics::BleuOptions bleu_options(const nlohmann::json& settings) {
  metrics::BleuOptions options;
  options.tokenizer = metrics::tokenizer_of_name(settings.value("tokenize", "13a"));
  options.lowercase = settings.value("lowercase", false);
  options.smoothing = metrics::smoothing_of_name(settings.value("smooth_method", "exp"));
  if (settings.contains("smooth_value") && !settings["smooth_value"].is_null())
    options.smooth_value = settings["smooth_value"].get<double>();
  options.max_order = settings.value("max_ngram_order", settings.value("ngram", 4));
  options.effective_order = settings.value("effective_order", false);
  return options;
}

inline metrics::ChrfOptions chrf_options(const nlohmann::json& settings) {
  metrics::ChrfOptions options;
  options.char_order = settings.at("char_order");
  options.word_order = settings.at("word_order");
  options.beta = settings.at("beta");
  options.lowercase = settings.value("lowercase", false);
  options.whitespace = settings.value("whitespace", !settings.value("remove_whitespace", true));
  options.eps_smoothing = settings.at("eps_smoothing");
  return options;
}

}  // namespace tr::test
