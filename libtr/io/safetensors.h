// Tensors in one file that every tool reads: the safetensors format (https://github.com/huggingface/safetensors).
#pragma once

#include <torch/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tr::io {

struct NamedTensor {
  std::string name;
  torch::Tensor tensor;
};
using NamedTensors = std::vector<NamedTensor>;

struct Safetensors {
  NamedTensors tensors;                         ///< on the CPU, in the order of their data in the file
  std::map<std::string, std::string> metadata;  ///< without "format"
};

/// Writes `content` under `path` as a whole or not at all (tr::AtomicFile). The metadata says {"format": "pt"} and what
/// `content.metadata` adds. Tensors of any layout and device; equal content gives equal bytes whatever the order given.
/// Throws DataError for two tensors of one name, for a type that the format lacks, for a disk that fails.
void write_safetensors(const std::filesystem::path& path, const Safetensors& content);

/// Reads a file that may come from anywhere. Throws DataError with the first fault found: truncated file, header longer
/// than the file, bad JSON, unknown type, a size that does not fit the shape, overlaps, holes, duplicate names.
Safetensors read_safetensors(const std::filesystem::path& path);

}  // namespace tr::io
