// SHA-256 (FIPS 180-4), by OpenSSL.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace tr {

/// Running hash; can be read at any point and goes on after that.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void update(const void* data, size_t bytes);
  void update(std::string_view text) { update(text.data(), text.size()); }
  /// Hash of all that was given so far, 64 hexadecimal digits.
  std::string hex() const;

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

std::string sha256_of_text(std::string_view text);
/// Throws DataError if the file cannot be read.
std::string sha256_of_file(const std::string& path);

}  // namespace tr
