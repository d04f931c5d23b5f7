#include "libtr/io/safetensors_header.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/config/value.h"

namespace tr::io {
namespace {

using Json = nlohmann::ordered_json;

// A name from a file may hold anything: quoted, on one line, cut.
std::string shown(const std::string& name) { return config::shown(Json(name)); }

using Entry = SafetensorsEntry;

// Parses a header and refuses what the format does not allow. All numbers in it are an attacker's until checked.
class HeaderReader {
 public:
  HeaderReader(const std::filesystem::path& path, uint64_t data_bytes) : path_(path), data_bytes_(data_bytes) {}

  SafetensorsHeader read(const std::string& text) const;

 private:
  [[noreturn]] void fail(const std::string& problem) const { throw DataError(path_.string(), problem); }
  Json parse(const std::string& text) const;
  std::map<std::string, std::string> read_metadata(const Json& json) const;
  Entry read_entry(const std::string& name, const Json& json) const;
  std::vector<uint64_t> read_sizes(const std::string& name, const char* key, const Json& json) const;
  void check_size(const Entry& entry) const;
  void check_cover(const std::vector<Entry>& sorted) const;

  const std::filesystem::path& path_;
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
  const auto known = std::find_if(kSafetensorsTypes.begin(), kSafetensorsTypes.end(),
                                  [&](const SafetensorsType& entry) { return *type == entry.name; });
  if (known == kSafetensorsTypes.end())
    fail(format("tensor {} has the unknown dtype {}", shown(name), config::shown(*type)));
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

SafetensorsHeader HeaderReader::read(const std::string& text) const {
  SafetensorsHeader header;
  const Json parsed = parse(text);
  for (const auto& [name, json] : parsed.items()) {
    if (name == "__metadata__") {
      header.metadata = read_metadata(json);
    } else {
      header.entries.push_back(read_entry(name, json));
    }
  }
  std::stable_sort(header.entries.begin(), header.entries.end(), [](const Entry& a, const Entry& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;  // empty tensors before their neighbour
  });
  check_cover(header.entries);
  return header;
}

}  // namespace

SafetensorsHeader read_safetensors_header(const std::filesystem::path& path, const std::string& text,
                                          uint64_t data_bytes) {
  return HeaderReader(path, data_bytes).read(text);
}

}  // namespace tr::io
