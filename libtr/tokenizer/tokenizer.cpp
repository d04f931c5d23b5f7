#include "libtr/tokenizer/tokenizer.h"

#include "libtr/base/files.h"
#include "libtr/base/sha256.h"

namespace tr::tokenizer {

std::vector<std::string> Tokenizer::tokens(const Ids& ids) const {
  std::vector<std::string> pieces;
  for (const int64_t id : ids) pieces.push_back(piece_of(id));
  return pieces;
}

std::string Tokenizer::sha256() const { return sha256_of_text(serialized()); }

void Tokenizer::save(const std::string& file) const { write_file(file, serialized()); }

}  // namespace tr::tokenizer
