#include "libtr/io/export/safetensors.h"

namespace tr::io {

namespace fs = std::filesystem;

void export_safetensors(const fs::path& checkpoint, const fs::path& target) {
  for (const char* name : {"model.safetensors", "config.json", "tokenizer"}) {
    fs::copy(checkpoint / name, target / name, fs::copy_options::recursive);
  }
}

}  // namespace tr::io
