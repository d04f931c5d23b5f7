// The header of a safetensors file: the types it knows, and reading it without trust.
#pragma once

#include <torch/types.h>

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tr::io {

struct SafetensorsType {
  const char* name;
  torch::ScalarType type;
};
/// In the order in which the reference writer ranks them: data of a higher rank comes first.
inline constexpr std::array<SafetensorsType, 14> kSafetensorsTypes = {{{"BOOL", torch::kBool},
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

/// Where a tensor lies.
struct SafetensorsEntry {
  std::string name;
  torch::ScalarType type;
  std::vector<int64_t> shape;
  uint64_t begin, end;  ///< bytes from the start of the data
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;        ///< in the order of their data, which they cover without a hole
  std::map<std::string, std::string> metadata;  ///< without "format"
};

/// Parses the header of `path`, whose data has `data_bytes`. Throws DataError for what the format does not allow.
SafetensorsHeader read_safetensors_header(const std::filesystem::path& path, const std::string& text,
                                          uint64_t data_bytes);

}  // namespace tr::io
