// manifest.json: size and SHA-256 of every file of a checkpoint.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tr::io {

/// Lists all files below `folder` and brings the folders to the disk (the files are there already).
void write_manifest(const std::filesystem::path& folder, int64_t update);

/// What is wrong with a checkpoint folder: "model.safetensors is damaged: …"; empty if all is as the manifest says.
std::string damage_of(const std::filesystem::path& folder);

}  // namespace tr::io
