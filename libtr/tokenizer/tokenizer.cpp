#include "libtr/tokenizer/tokenizer.h"

#include "libtr/base/files.h"
#include "libtr/base/format.h"
#include "libtr/base/sha256.h"

namespace tr::tokenizer {

std::vector<std::string> Tokenizer::tokens(const Ids& ids) const {
  std::vector<std::string> pieces;
  for (const int64_t id : ids) pieces.push_back(piece_of(id));
  return pieces;
}

std::string Tokenizer::sha256() const { return sha256_of_text(serialized()); }

std::vector<std::string> notes_of_size(const Tokenizers& tokenizers) {
  const std::string type = tokenizers.settings.value("type", "");
  if (type != "bpe" && type != "unigram") return {};
  const auto asked = tokenizers.settings.value("vocab_size", int64_t{0});
  std::vector<std::string> notes;
  const auto judge = [&](const Tokenizer& tokenizer, const std::string& text) {
    if (tokenizer.size() >= asked) return;
    notes.push_back(
        format("/tokenizer/vocab_size: {} ids were asked for, {} yields {}", asked, text, tokenizer.size()));
  };
  judge(*tokenizers.source, tokenizers.joint() ? "the text" : "the source text");
  if (!tokenizers.joint()) judge(*tokenizers.target, "the target text");
  return notes;
}

void Tokenizer::save(const std::string& file) const { write_file(file, serialized()); }

}  // namespace tr::tokenizer
