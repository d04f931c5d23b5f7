// Small tokenizers for tests.
#pragma once

#include "libtr/data/corpus.h"
#include "libtr/tokenizer/options.h"
#include "tests/support.h"

namespace tr::test {

/// 80 English-Korean pairs (tests/data/README.md).
inline data::ParallelText fixture() {
  const std::string file = LIBTR_SOURCE_FOLDER "/tests/data/tatoeba-eng-kor.tsv";
  return config::Choice<data::corpora>("tsv", data::TsvFile{.file = {file}}).make("/data/train");
}

/// The section "tokenizer" as a configuration has it.
inline config::Choice<tokenizer::tokenizers> tokenizer_choice(const config::Json& json) {
  const config::Sources sources;
  config::Choice<tokenizer::tokenizers> choice;
  choice.read(json, config::Place(sources, "/tokenizer"));
  choice.validate("/tokenizer");
  return choice;
}

inline tokenizer::Tokenizers train_tokenizers(const config::Json& json, const data::ParallelText& text = fixture()) {
  return tokenizer::make(tokenizer_choice(json), {.source = text.source, .target = text.target});
}

/// One side alone, trained on these lines.
inline std::shared_ptr<const tokenizer::Tokenizer> train_on(const config::Json& json, std::vector<std::string> lines) {
  return train_tokenizers(json, {.source = lines, .target = lines, .files = {}}).source;
}

}  // namespace tr::test
