#include "libtr/io/safetensors.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/base/format.h"
#include "libtr/config/value.h"

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

namespace tr::io {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr uint64_t kLongestHeader = 100'000'000;  // the format's own limit
constexpr uint64_t kAlignment = 8;

struct TypeName {
  const char* name;
  torch::ScalarType type;
};
// In the order in which the reference writer ranks types of equal width: data of a higher rank comes first.
constexpr std::array<TypeName, 14> kTypes = {{{"BOOL", torch::kBool},
                                              {"U8", torch::kUInt8},
                                              {"I8", torch::kInt8},
                                              {"I16", torch::kInt16},
                                              {"U16", torch::kUInt16},
                                              {"F16", torch::kFloat16},
                                              {"BF16", torch::kBFloat16},
                                              {"I32", torch::kInt32},
                                              {"U32", torch::kUInt32},
                                              {"F32", torch::kFloat32},
                                              {"C64", torch::kComplexFloat},
                                              {"F64", torch::kFloat64},
                                              {"I64", torch::kInt64},
                                              {"U64", torch::kUInt64}}};

std::optional<size_t> rank_of(torch::ScalarType type) {
  for (size_t rank = 0; rank < kTypes.size(); ++rank) {
    if (kTypes[rank].type == type) return rank;
  }
  return std::nullopt;
}

// ---- writing ----

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
    header[named->name] = {
        {"dtype", kTypes[rank].name}, {"shape", named->tensor.sizes().vec()}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  return text;
}

std::string_view bytes_of(const void* data, size_t size) { return {static_cast<const char*>(data), size}; }

// ---- reading ----

// A name from a file may hold anything: quoted, on one line, cut.
std::string shown(const std::string& name) { return config::shown(Json(name)); }

struct Entry {
  std::string name;
  torch::ScalarType type;
  std::vector<int64_t> shape;
  uint64_t begin, end;
};

// Parses a header and refuses what the format does not allow. All numbers in it are an attacker's until checked.
class HeaderReader {
 public:
  HeaderReader(const fs::path& path, uint64_t data_bytes) : path_(path), data_bytes_(data_bytes) {}

  std::vector<Entry> entries(const std::string& text, std::map<std::string, std::string>& metadata) const;

 private:
  [[noreturn]] void fail(const std::string& problem) const { throw DataError(path_.string(), problem); }
  Json parse(const std::string& text) const;
  std::map<std::string, std::string> read_metadata(const Json& json) const;
  Entry read_entry(const std::string& name, const Json& json) const;
  std::vector<uint64_t> read_sizes(const std::string& name, const char* key, const Json& json) const;
  void check_size(const Entry& entry) const;
  void check_cover(const std::vector<Entry>& sorted) const;

  const fs::path& path_;
  uint64_t data_bytes_;
};

Json HeaderReader::parse(const std::string& text) const {
  if (text.empty() || text.front() != '{') fail("not a safetensors file: its header does not start with {");
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > 3) fail("the header is nested deeper than the format allows");
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
      fail(format("the header has two entries {}", config::shown(value)));
    }
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const Json::parse_error& error) {
    fail(format("the header is not JSON: error at byte {}", error.byte));
  }
}

std::map<std::string, std::string> HeaderReader::read_metadata(const Json& json) const {
  std::map<std::string, std::string> metadata;
  if (!json.is_object()) fail("__metadata__ is not an object");
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string())
      fail(format("__metadata__ holds {} for {}, expected a string", config::shown(value), shown(key)));
    if (key != "format") metadata[key] = value.get<std::string>();
  }
  return metadata;
}

std::vector<uint64_t> HeaderReader::read_sizes(const std::string& name, const char* key, const Json& json) const {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) fail(format("tensor {} has no list {}", shown(name), key));
  std::vector<uint64_t> sizes;
  for (const auto& number : *found) {
    // Sizes above 2^63 would turn negative as a tensor's.
    if (!number.is_number_unsigned() || number.get<uint64_t>() > uint64_t(INT64_MAX)) {
      fail(format("tensor {}: {} holds {}, expected sizes from 0", shown(name), key, config::shown(number)));
    }
    sizes.push_back(number.get<uint64_t>());
  }
  return sizes;
}

Entry HeaderReader::read_entry(const std::string& name, const Json& json) const {
  if (!json.is_object())
    fail(format("tensor {} is described by {}, expected an object", shown(name), config::shown(json)));
  const auto type = json.find("dtype");
  if (type == json.end() || !type->is_string()) fail(format("tensor {} has no dtype", shown(name)));
  const auto known =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& entry) { return *type == entry.name; });
  if (known == kTypes.end()) fail(format("tensor {} has the unknown dtype {}", shown(name), config::shown(*type)));
  const auto shape = read_sizes(name, "shape", json);
  const auto offsets = read_sizes(name, "data_offsets", json);
  if (offsets.size() != 2) fail(format("tensor {} has {} data_offsets, expected 2", shown(name), offsets.size()));
  Entry entry{name, known->type, {shape.begin(), shape.end()}, offsets[0], offsets[1]};
  check_size(entry);
  return entry;
}

void HeaderReader::check_size(const Entry& entry) const {
  if (entry.begin > entry.end || entry.end > data_bytes_) {
    fail(format("tensor {} lies at bytes {} to {}, but there are {} bytes of data", shown(entry.name), entry.begin,
                entry.end, data_bytes_));
  }
  // A size of 0 must not hide an overflow: strides are products of the other sizes.
  int64_t bytes = static_cast<int64_t>(c10::elementSize(entry.type));
  for (const int64_t size : entry.shape) {
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(size, 1), &bytes)) {
      fail(format("the shape of tensor {} is beyond any memory", shown(entry.name)));
    }
  }
  if (std::find(entry.shape.begin(), entry.shape.end(), 0) != entry.shape.end()) bytes = 0;
  if (static_cast<uint64_t>(bytes) != entry.end - entry.begin) {
    fail(format("tensor {} has {} bytes of data, but its shape and dtype need {}", shown(entry.name),
                entry.end - entry.begin, bytes));
  }
}

void HeaderReader::check_cover(const std::vector<Entry>& sorted) const {
  uint64_t covered = 0;
  for (const auto& entry : sorted) {
    if (entry.begin < covered) fail(format("tensor {} overlaps the one before it", shown(entry.name)));
    if (entry.begin > covered) fail(format("there is a hole in the data before tensor {}", shown(entry.name)));
    covered = entry.end;
  }
  if (covered != data_bytes_) fail(format("{} bytes behind the last tensor", data_bytes_ - covered));
}

std::vector<Entry> HeaderReader::entries(const std::string& text, std::map<std::string, std::string>& metadata) const {
  std::vector<Entry> entries;
  for (const auto& [name, json] : parse(text).items()) {
    if (name == "__metadata__") {
      metadata = read_metadata(json);
    } else {
      entries.push_back(read_entry(name, json));
    }
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;  // empty tensors before their neighbour
  });
  check_cover(entries);
  return entries;
}

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
  for (const auto& entry : HeaderReader(path, rest - header_bytes).entries(header, content.metadata)) {
    auto tensor = at::empty(entry.shape, entry.type);
    read(tensor.mutable_data_ptr(), tensor.nbytes());
    content.tensors.push_back({entry.name, std::move(tensor)});
  }
  return content;
}

}  // namespace tr::io
