#include "libtr/base/sha256.h"

#include <openssl/evp.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "libtr/base/error.h"

namespace tr {

struct Sha256::Context {
  EVP_MD_CTX* state = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(state); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  if (EVP_DigestInit_ex(context_->state, EVP_sha256(), nullptr) != 1)
    throw DataError("sha256", "OpenSSL has no SHA-256");
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(const void* data, size_t bytes) { EVP_DigestUpdate(context_->state, data, bytes); }

std::string Sha256::hex() const {
  Context copy;
  EVP_MD_CTX_copy_ex(copy.state, context_->state);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  EVP_DigestFinal_ex(copy.state, digest, &length);
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    text += "0123456789abcdef"[digest[i] >> 4];
    text += "0123456789abcdef"[digest[i] & 15];
  }
  return text;
}

std::string sha256_of_text(std::string_view text) {
  Sha256 hash;
  hash.update(text);
  return hash.hex();
}

std::string sha256_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw DataError(path, std::string("cannot be read: ") + std::strerror(errno));
  Sha256 hash;
  std::vector<char> block(1 << 16);
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    hash.update(block.data(), static_cast<size_t>(file.gcount()));
  }
  if (file.bad()) throw DataError(path, "reading failed");
  return hash.hex();
}

}  // namespace tr
