// Section "tokenizer" of a configuration: the types, their options and how they are trained or loaded.
// Where SentencePiece has a default that surprises, the option here says which value is used instead.
#pragma once

#include <span>

#include "libtr/config/registry.h"
#include "libtr/tokenizer/prepare.h"
#include "libtr/tokenizer/sampling.h"
#include "libtr/tokenizer/tokenizer.h"

namespace tr::tokenizer {

enum class Sides { joint, separate };
inline auto names_of(Sides) {
  return std::vector<std::pair<Sides, const char*>>{{Sides::joint, "joint"}, {Sides::separate, "separate"}};
}

/// SentencePiece's own normalisation, kept inside the model file.
enum class Rule { identity, nfkc, nmt_nfkc, nfkc_cf, nmt_nfkc_cf };
inline auto names_of(Rule) {
  return std::vector<std::pair<Rule, const char*>>{{Rule::identity, "identity"},
                                                   {Rule::nfkc, "nfkc"},
                                                   {Rule::nmt_nfkc, "nmt_nfkc"},
                                                   {Rule::nfkc_cf, "nfkc_cf"},
                                                   {Rule::nmt_nfkc_cf, "nmt_nfkc_cf"}};
}

/// What every type that we train has.
struct TrainingOptions {
  Sides sides = Sides::joint;
  int64_t vocab_size = 8000;
  TextOptions text;
  Rule normalization = Rule::identity;
  bool remove_extra_whitespaces = true;
  double character_coverage = 1.0;
  bool hard_vocab_limit = false;
  int64_t max_sentence_bytes = 0;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("sides", self.sides, "one vocabulary for both languages, or one each");
    field("vocab_size", self.vocab_size, "ids of one vocabulary, pad, bos, eos and unk counted",
          config::between(5, 2000000));
    TextOptions::fields(self.text, field);
    field("normalization", self.normalization,
          "rule of SentencePiece kept in the model; its own default would be nmt_nfkc, which changes the text");
    field("remove_extra_whitespaces", self.remove_extra_whitespaces,
          "spaces (U+0020) at both ends go and runs become one, as is SentencePiece's default");
    field("character_coverage", self.character_coverage,
          "share of the characters that get an id, the rarest do not; SentencePiece's own default is 0.9995",
          config::between(0.9, 1));
    field(
        "hard_vocab_limit", self.hard_vocab_limit,
        "a text that does not yield vocab_size pieces is an error (SentencePiece's default) instead of a smaller size");
    field("max_sentence_bytes", self.max_sentence_bytes,
          "longer lines are not trained on; 0: no limit, where SentencePiece skips lines above 4192 silently",
          config::at_least(0));
  }
};

/// What the types with pieces between characters and words have besides.
struct SubwordOptions {
  TrainingOptions training;
  int64_t max_piece_characters = 16;
  bool split_by_script = true;
  bool split_by_number = true;
  bool split_digits = false;
  bool byte_fallback = false;
  config::Choice<samplings> sampling{"none"};
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    TrainingOptions::fields(self.training, field);
    field("max_piece_characters", self.max_piece_characters, "longest piece in characters", config::between(1, 512));
    field("split_by_script", self.split_by_script, "no piece holds letters of two scripts");
    field("split_by_number", self.split_by_number, "no piece holds a number and other characters");
    field("split_digits", self.split_digits, "each digit is a piece of its own");
    field("byte_fallback", self.byte_fallback, "unknown characters become their UTF-8 bytes: 256 ids more, no unk");
    field("sampling", self.sampling, "how a training sentence is segmented in each epoch");
  }
};

/// Merges have one result: sampling other than none is an error.
struct BpeOptions : SubwordOptions {
  void validate(const std::string& at) const;
};
struct UnigramOptions : SubwordOptions {};
/// One id a character; vocab_size is an upper limit.
struct CharOptions : TrainingOptions {};
/// One id for what stands between ASCII spaces: NBSP, U+3000 and the like stay inside. vocab_size is an upper limit.
struct WordOptions : TrainingOptions {};

/// A tokenizer that is there already.
struct LoadOptions {
  config::Path from;         ///< run, checkpoint, folder of a tokenizer, or a .model file of SentencePiece
  config::Path from_target;  ///< .model of the target side, if it has its own
  TextOptions text;          ///< for .model files alone: a folder carries its own
  config::Choice<samplings> sampling{"none"};
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("from", self.from, "run, checkpoint or folder with tokenizer.json, or a .model file of SentencePiece");
    field("from_target", self.from_target, "a .model file of the target side, where `from` is one of the source alone");
    TextOptions::fields(self.text, field);
    field("sampling", self.sampling, "how a training sentence is segmented in each epoch (unigram models)");
  }
};

/// The lines that a tokenizer is trained on.
struct TrainingText {
  std::span<const std::string> source, target;
};

using TokenizerTable = config::Registry<Tokenizers, const TrainingText&>;
/// bpe, unigram, char, word, load. Making one throws UsageError for options that do not fit the text, DataError for
/// a model that cannot be used.
TokenizerTable& tokenizers();

/// `choice.make(text)`, and the resolved options kept in `settings`.
Tokenizers make(const config::Choice<tokenizers>& choice, const TrainingText& text);

}  // namespace tr::tokenizer
