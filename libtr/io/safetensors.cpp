#include "libtr/io/safetensors.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/base/format.h"
#include "libtr/io/safetensors_header.h"

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

namespace tr::io {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr uint64_t kLongestHeader = 100'000'000;  // the format's own limit
constexpr uint64_t kAlignment = 8;

std::optional<size_t> rank_of(torch::ScalarType type) {
  for (size_t rank = 0; rank < kSafetensorsTypes.size(); ++rank) {
    if (kSafetensorsTypes[rank].type == type) return rank;
  }
  return std::nullopt;
}

struct Ranked {
  size_t rank;
  const NamedTensor* named;
};

// High ranks first, equal ones by name.
std::vector<Ranked> in_file_order(const fs::path& path, const NamedTensors& tensors) {
  std::vector<Ranked> order;
  std::set<std::string> names;
  for (const auto& named : tensors) {
    if (named.name == "__metadata__" || !names.insert(named.name).second) {
      throw DataError(path.string(), format("tensor name {} is taken", named.name));
    }
    const auto rank = rank_of(named.tensor.scalar_type());
    if (!rank) throw DataError(path.string(), format("tensor {} has a type that safetensors lacks", named.name));
    order.push_back({*rank, &named});
  }
  std::stable_sort(order.begin(), order.end(), [](const Ranked& a, const Ranked& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.named->name < b.named->name;
  });
  return order;
}

std::string header_of(const std::vector<Ranked>& order, const std::map<std::string, std::string>& metadata) {
  Json header;
  header["__metadata__"] = {{"format", "pt"}};
  for (const auto& [key, value] : metadata) header["__metadata__"][key] = value;
  uint64_t begin = 0;
  for (const auto& [rank, named] : order) {
    const uint64_t end = begin + named->tensor.nbytes();
    header[named->name] = {{"dtype", kSafetensorsTypes[rank].name},
                           {"shape", named->tensor.sizes().vec()},
                           {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  return text;
}

std::string_view bytes_of(const void* data, size_t size) { return {static_cast<const char*>(data), size}; }

}  // namespace

void write_safetensors(const fs::path& path, const Safetensors& content) {
  const auto order = in_file_order(path, content.tensors);
  const std::string header = header_of(order, content.metadata);
  const uint64_t size = header.size();
  AtomicFile file(path);
  file.write(bytes_of(&size, sizeof size));
  file.write(header);
  for (const auto& [rank, named] : order) {
    const auto tensor = named->tensor.detach().cpu().contiguous();
    file.write(bytes_of(tensor.const_data_ptr(), tensor.nbytes()));
  }
  file.commit();
}

Safetensors read_safetensors(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code error;
  const uint64_t file_bytes = fs::file_size(path, error);
  if (!file || error)
    throw DataError(path.string(), "cannot be read: " + (error ? error.message() : std::strerror(errno)));
  const auto read = [&](void* data, uint64_t bytes) {
    if (!file.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes))) {
      throw DataError(path.string(), "reading failed");
    }
  };
  uint64_t header_bytes = 0;
  if (file_bytes < sizeof header_bytes)
    throw DataError(path.string(), format("not a safetensors file: {} bytes", file_bytes));
  read(&header_bytes, sizeof header_bytes);
  const uint64_t rest = file_bytes - sizeof header_bytes;
  if (header_bytes > rest || header_bytes > kLongestHeader) {
    throw DataError(path.string(), format("truncated or not a safetensors file: header of {} bytes, {} bytes are there",
                                          header_bytes, rest));
  }
  std::string header(header_bytes, '\0');
  read(header.data(), header_bytes);
  Safetensors content;
  auto parsed = read_safetensors_header(path, header, rest - header_bytes);
  content.metadata = std::move(parsed.metadata);
  for (const auto& entry : parsed.entries) {
    auto tensor = at::empty(entry.shape, entry.type);
    read(tensor.mutable_data_ptr(), tensor.nbytes());
    content.tensors.push_back({entry.name, std::move(tensor)});
  }
  return content;
}

}  // namespace tr::io
