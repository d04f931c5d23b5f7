// SentencePiece (Kudo and Richardson 2018) behind the interface Tokenizer. No type of the library appears here.
#pragma once

#include <map>

#include "libtr/tokenizer/prepare.h"
#include "libtr/tokenizer/tokenizer.h"

namespace tr::tokenizer {

/// Trains on lines that are prepared already and returns the model file's bytes. `settings` are flags of spm_train;
/// where they do not say otherwise, the special pieces have our ids, one thread works (so that the same text gives the
/// same bytes) and nothing is printed. Throws UsageError at /tokenizer for what the text does not allow, such as a
/// vocabulary that is too small.
std::string train_sentencepiece(const std::map<std::string, std::string>& settings,
                                const std::vector<std::string>& lines);

/// `model`: bytes of a model file; `name` stands in messages. Throws DataError if it is no such model or if its
/// special ids are not kPad, kBos, kEos and kUnk.
std::shared_ptr<const Tokenizer> sentencepiece_tokenizer(const std::string& model, const TextOptions& text,
                                                         const std::string& name);

}  // namespace tr::tokenizer
