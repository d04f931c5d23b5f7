// The section "decode" of a configuration.
#pragma once

#include "libtr/decode/length_penalty.h"
#include "libtr/decode/search.h"

namespace tr::decode {

struct DecodeOptions {
  config::Choice<searches> search{"beam"};
  int64_t beam = 5;  ///< hypotheses a sentence, finished ones included; 1 = greedy
  config::Choice<length_penalties> length_penalty{"average"};
  int64_t n_best = 1;           ///< hypotheses given back for each sentence
  bool keep_duplicates = true;  ///< different tokens may spell the same text
  int64_t min_length = 0;       ///< tokens before eos
  double max_length_ratio =
      2;  ///< at most ratio * source tokens + extra tokens before eos, for each sentence by itself
  int64_t max_length_extra = 20;
  bool allow_unknown = true;  ///< pad and bos are never produced, unk only if allowed
  int64_t batch_sentences = 64;
  int64_t batch_tokens = 8192;  ///< padded source tokens; one longer sentence is a batch of its own

  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    using config::at_least;
    field("search", self.search, "how the output is looked for");
    field("beam", self.beam, "hypotheses kept for a sentence, finished ones included; 1 is greedy search", at_least(1));
    field("length_penalty", self.length_penalty, "makes scores of different lengths comparable");
    field("n_best", self.n_best, "hypotheses given back for each sentence; at most beam, any number when sampling",
          at_least(1));
    field("keep_duplicates", self.keep_duplicates,
          "an n-best list may hold one text several times, spelt by different tokens; false keeps the best of each");
    field("min_length", self.min_length, "fewest tokens before the end of the sentence", at_least(0));
    field("max_length_ratio", self.max_length_ratio,
          "the output has at most ratio * source tokens + extra tokens; decided for each sentence by itself",
          at_least(0));
    field("max_length_extra", self.max_length_extra, "see max_length_ratio", at_least(1));
    field("allow_unknown", self.allow_unknown, "whether the unknown token may be produced");
    field("batch_sentences", self.batch_sentences, "sentences decoded at once; does not change the output",
          at_least(1));
    field("batch_tokens", self.batch_tokens, "padded source tokens decoded at once; does not change the output",
          at_least(1));
  }
  /// n_best must not exceed beam in a beam search. Throws UsageError.
  void validate(const std::string& at) const;
};

}  // namespace tr::decode
