#include "libtr/io/export/table.h"

#include <unistd.h>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/base/nearest.h"
#include "libtr/io/checkpoint.h"
#include "libtr/io/export/safetensors.h"

namespace tr::io {

namespace fs = std::filesystem;

Exports& exports() {
  static Exports table = [] {
    Exports formats("export");
    formats.add<config::NoOptions>("safetensors", "weights, configuration and tokenizer, for Python's safetensors",
                                   "https://github.com/huggingface/safetensors",
                                   [](const config::NoOptions&) { return Export(export_safetensors); });
    return formats;
  }();
  return table;
}

void export_checkpoint(const fs::path& run_or_checkpoint, const std::string& format, const fs::path& target) {
  const auto* entry = exports().find(format);
  if (!entry)
    throw UsageError("--to", "unknown export format " + format + suggestion(format, exports().names(), "formats"));
  require_new_folder(target);
  const fs::path checkpoint = find_checkpoint(run_or_checkpoint);
  verify_checkpoint(checkpoint);
  const fs::path clean = (target / "").lexically_normal().parent_path();
  fs::path temporary = clean;
  temporary += ".tmp-" + std::to_string(::getpid());
  try {
    fs::create_directories(temporary);
    entry->make(entry->defaults)(checkpoint, temporary);
    publish_folder(temporary, clean);
  } catch (const fs::filesystem_error& error) {
    fs::remove_all(temporary);
    throw DataError(target.string(), "cannot be written: " + error.code().message());
  } catch (...) {
    fs::remove_all(temporary);
    throw;
  }
}

}  // namespace tr::io
