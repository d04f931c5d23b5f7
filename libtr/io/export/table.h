// The table of formats that a checkpoint can be exported to.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "libtr/config/registry.h"

namespace tr::io {

/// Writes what the checkpoint folder holds into the empty folder `target`.
using Export = std::function<void(const std::filesystem::path& checkpoint, const std::filesystem::path& target)>;
using Exports = config::Registry<Export>;
/// safetensors; open to more: exports().add(…).
Exports& exports();

/// Exports a run (its best checkpoint) or a checkpoint folder. `target` appears when all is written. Throws UsageError
/// for an unknown format and for a target that exists and is not empty.
void export_checkpoint(const std::filesystem::path& run_or_checkpoint, const std::string& format,
                       const std::filesystem::path& target);

}  // namespace tr::io
