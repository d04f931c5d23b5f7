// Translation of many sentences, and the table of searches.
#pragma once

#include <torch/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libtr/config/registry.h"
#include "libtr/decode/scorer.h"

namespace tr::decode {

struct DecodeOptions;

/// One output of a sentence.
struct Hypothesis {
  tokenizer::Ids ids;          ///< without bos and eos
  double log_probability = 0;  ///< sum over ids and eos
  double score = 0;            ///< log_probability after the length penalty; orders the list
  torch::Tensor attention;     ///< [ids and eos, source tokens with eos] float32, or undefined
};
/// Best first; for sampling in the order drawn.
using Hypotheses = std::vector<Hypothesis>;

/// The sentences of one batch; lengths are settled for each sentence by itself.
struct SearchBatch {
  std::vector<tokenizer::Ids> sources;  ///< ending in eos
  std::vector<int64_t> min_length;      ///< tokens before eos
  std::vector<int64_t> max_length;      ///< at this length only eos may follow
  bool attention = false;
};

class Search {
 public:
  virtual ~Search() = default;
  /// One list a sentence, in the order of the batch.
  virtual std::vector<Hypotheses> run(Scorer& scorer, const SearchBatch& batch) = 0;
};
using Searches = config::Registry<std::shared_ptr<Search>, const DecodeOptions&>;
/// beam (with a beam of 1: greedy), sampling; open to more.
Searches& searches();

/// What a caller may want beside the translations.
struct TranslateExtras {
  bool attention = false;                                  ///< fill Hypothesis::attention
  std::function<void(int64_t sentences)> progress;         ///< told how many sentences are done, one call at a time
  std::function<std::string(const tokenizer::Ids&)> text;  ///< for keep_duplicates = false: what counts as equal
};

/// One list a source, in the order given. Sources end in eos; a source of eos alone is not decoded: its list is one
/// empty hypothesis with log-probability 0. Neither the batch size nor the order of the sources changes an output. A
/// source longer than the model's positions is cut to its first tokens and eos (the caller warns). The model is in
/// evaluation mode meanwhile.
std::vector<Hypotheses> translate(models::EncoderDecoder& model, const std::vector<tokenizer::Ids>& sources,
                                  const DecodeOptions& options, const TranslateExtras& extras = {});
/// The same with any scorer; with several, all alike, each on a thread of its own.
std::vector<Hypotheses> translate(const std::vector<Scorer*>& scorers, const std::vector<tokenizer::Ids>& sources,
                                  const DecodeOptions& options, const TranslateExtras& extras = {});
std::vector<Hypotheses> translate(Scorer& scorer, const std::vector<tokenizer::Ids>& sources,
                                  const DecodeOptions& options, const TranslateExtras& extras = {});

}  // namespace tr::decode
