// Export for Python: model.safetensors with the names of the modules, config.json, tokenizer/.
#pragma once

#include <filesystem>

namespace tr::io {

/// safetensors.torch.load_file reads model.safetensors. A tensor that a model uses twice (tied embeddings) has one
/// name.
void export_safetensors(const std::filesystem::path& checkpoint, const std::filesystem::path& target);

}  // namespace tr::io
