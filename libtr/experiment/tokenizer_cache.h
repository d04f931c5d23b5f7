// The folder tokenizer/ of a run or comparison: what was trained there, so that a resumed one need not do it again.
#pragma once

#include <filesystem>

#include "libtr/data/corpus.h"
#include "libtr/tokenizer/options.h"

namespace tr::experiment {

/// What the folder is called.
constexpr const char* kTokenizer = "tokenizer";

/// True for a folder that holds the files of a kept tokenizer, what it was made from among them, and no others.
bool is_kept_tokenizer(const std::filesystem::path& folder);

/// The tokenizer in `cache` if it was made from these settings and this text; else trained, and kept there in its
/// place. Throws DataError if something else lies there.
tokenizer::Tokenizers cached_tokenizers(const config::Choice<tokenizer::tokenizers>& choice,
                                        const data::ParallelText& text, const std::filesystem::path& cache);

}  // namespace tr::experiment
