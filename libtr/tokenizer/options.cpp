#include "libtr/tokenizer/options.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/base/format.h"
#include "libtr/tokenizer/sentencepiece.h"

namespace tr::tokenizer {
namespace {

using Flags = std::map<std::string, std::string>;

std::string name_of(Rule rule) { return config::write_value(rule).get<std::string>(); }

Flags flags_of(const TrainingOptions& options, const std::string& type) {
  return {{"model_type", type},
          {"vocab_size", std::to_string(options.vocab_size)},
          {"normalization_rule_name", name_of(options.normalization)},
          {"remove_extra_whitespaces", options.remove_extra_whitespaces ? "true" : "false"},
          {"character_coverage", format("{}", options.character_coverage)},
          {"hard_vocab_limit", options.hard_vocab_limit ? "true" : "false"}};
}

Flags flags_of(const SubwordOptions& options, const std::string& type) {
  Flags flags = flags_of(options.training, type);
  flags.merge(Flags{{"max_sentencepiece_length", std::to_string(options.max_piece_characters)},
                    {"split_by_unicode_script", options.split_by_script ? "true" : "false"},
                    {"split_by_number", options.split_by_number ? "true" : "false"},
                    {"split_digits", options.split_digits ? "true" : "false"},
                    {"byte_fallback", options.byte_fallback ? "true" : "false"}});
  return flags;
}

void append_prepared(std::vector<std::string>& lines, std::span<const std::string> raw,
                     const TrainingOptions& options) {
  for (const auto& line : raw) {
    std::string prepared = prepare(line, options.text);
    if (options.max_sentence_bytes > 0 && std::ssize(prepared) > options.max_sentence_bytes) continue;
    lines.push_back(std::move(prepared));
  }
}

std::shared_ptr<const Tokenizer> train_one(Flags flags, const TrainingOptions& options,
                                           std::initializer_list<std::span<const std::string>> sides) {
  std::vector<std::string> lines;
  for (const auto& side : sides) append_prepared(lines, side, options);
  size_t longest = 0;
  for (const auto& line : lines) longest = std::max(longest, line.size());
  if (longest == 0) throw UsageError("/tokenizer", "no text to train on: every line is empty or too long");
  // Ours has been applied already; SentencePiece takes no limit below 10.
  flags["max_sentence_length"] = std::to_string(std::max<size_t>(longest, 10));
  return sentencepiece_tokenizer(train_sentencepiece(flags, lines), options.text, "trained tokenizer");
}

Tokenizers train_both(const Flags& flags, const TrainingOptions& options, const TrainingText& text) {
  Tokenizers tokenizers;
  tokenizers.sampling = config::Choice<samplings>("none").make();
  if (options.sides == Sides::joint) {
    tokenizers.source = tokenizers.target = train_one(flags, options, {text.source, text.target});
  } else {
    tokenizers.source = train_one(flags, options, {text.source});
    tokenizers.target = train_one(flags, options, {text.target});
  }
  return tokenizers;
}

Tokenizers train_subwords(const SubwordOptions& options, const std::string& type, const TrainingText& text) {
  Tokenizers tokenizers = train_both(flags_of(options, type), options.training, text);
  tokenizers.sampling = options.sampling.make();
  return tokenizers;
}

Tokenizers load_model_files(const LoadOptions& options) {
  Tokenizers tokenizers;
  const auto read = [&](const config::Path& path) {
    return sentencepiece_tokenizer(read_file(path.value), options.text, path.value);
  };
  tokenizers.source = read(options.from);
  tokenizers.target = options.from_target.empty() ? tokenizers.source : read(options.from_target);
  tokenizers.settings = {{"type", "load"}};
  tokenizers.settings.update(config::write_value(options));
  return tokenizers;
}

Tokenizers load_folder(const LoadOptions& options) {
  if (!options.from_target.empty()) {
    throw UsageError("/tokenizer/from_target", "only for .model files: " + options.from.value + " is a folder");
  }
  if (options.text != TextOptions{}) {
    throw UsageError("/tokenizer", "lowercase and unicode come from " + options.from.value + ", which is a folder");
  }
  return load(options.from.value);
}

Tokenizers load_existing(const LoadOptions& options, const TrainingText&) {
  if (options.from.empty()) throw UsageError("/tokenizer/from", "expected a run, a checkpoint or a .model file");
  Tokenizers tokenizers =
      std::filesystem::is_regular_file(options.from.value) ? load_model_files(options) : load_folder(options);
  tokenizers.sampling = options.sampling.make();
  tokenizers.settings["sampling"] = options.sampling.write();
  if (tokenizers.sampling->varies()) {  // says so now if a type cannot
    tokenizers.source->n_best("a", 1);
    tokenizers.target->n_best("a", 1);
  }
  return tokenizers;
}

}  // namespace

void BpeOptions::validate(const std::string& at) const {
  if (sampling.type() != "none") {
    throw UsageError(at + "/sampling",
                     "got \"" + sampling.type() + "\", but bpe has one segmentation of a line; use unigram");
  }
}

TokenizerTable& tokenizers() {
  static TokenizerTable table = [] {
    TokenizerTable types("tokenizer");
    types.add<BpeOptions>("bpe", "byte-pair encoding of characters", "Sennrich et al. 2016, section 3.2",
                          [](const BpeOptions& options, const TrainingText& text) {
                            options.validate("/tokenizer");
                            return train_subwords(options, "bpe", text);
                          });
    types.add<UnigramOptions>("unigram", "unigram language model of pieces", "Kudo 2018, section 3.2",
                              [](const UnigramOptions& options, const TrainingText& text) {
                                return train_subwords(options, "unigram", text);
                              });
    types.add<CharOptions>("char", "one id a character", "", [](const CharOptions& options, const TrainingText& text) {
      return train_both(flags_of(options, "char"), options, text);
    });
    types.add<WordOptions>("word", "one id for what stands between spaces", "",
                           [](const WordOptions& options, const TrainingText& text) {
                             return train_both(flags_of(options, "word"), options, text);
                           });
    types.add<LoadOptions>("load", "that of another run, or SentencePiece models", "", load_existing);
    return types;
  }();
  return table;
}

Tokenizers make(const config::Choice<tokenizers>& choice, const TrainingText& text) {
  Tokenizers tokenizers = choice.make(text);
  if (tokenizers.settings.is_null()) tokenizers.settings = choice.write();
  return tokenizers;
}

}  // namespace tr::tokenizer
