#include "libtr/io/manifest.h"

#include <nlohmann/json.hpp>
#include <set>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/base/format.h"
#include "libtr/base/sha256.h"
#include "libtr/config/json_text.h"
#include "libtr/io/checkpoint.h"

namespace tr::io {
namespace {

namespace fs = std::filesystem;
constexpr const char* kManifest = "manifest.json";

// Relative to the folder, with '/'.
std::set<std::string> files_below(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.insert(fs::relative(entry.path(), folder).generic_string());
  }
  files.erase(kManifest);
  return files;
}

nlohmann::json read_manifest(const fs::path& folder) {
  const auto manifest = nlohmann::json::parse(read_file(folder / kManifest), nullptr, /*allow_exceptions=*/false);
  const bool usable = manifest.is_object() && manifest.contains("update") && manifest["update"].is_number_integer() &&
                      manifest.contains("files") && manifest["files"].is_object();
  if (!usable) throw DataError((folder / kManifest).string(), "is damaged");
  return manifest;
}

std::string damage_of_file(const fs::path& file, const nlohmann::json& listed) {
  const std::string hash = listed.is_object() ? listed.value("sha256", "") : "";
  const uint64_t bytes = listed.is_object() ? listed.value("bytes", uint64_t{0}) : 0;
  if (fs::file_size(file) != bytes) return format("{} bytes, expected {}", fs::file_size(file), bytes);
  const std::string found = sha256_of_file(file.string());
  return found == hash ? "" : format("sha256 {}, expected {}", found, hash);
}

}  // namespace

void write_manifest(const fs::path& folder, int64_t update) {
  config::Json files = config::Json::object();
  for (const auto& name : files_below(folder)) {
    sync_to_disk(folder / name);
    files[name] = {{"bytes", fs::file_size(folder / name)}, {"sha256", sha256_of_file((folder / name).string())}};
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) sync_to_disk(entry.path());
  }
  config::write_json(folder / kManifest, {{"update", update}, {"files", files}});
}

std::string damage_of(const fs::path& folder) {
  if (!fs::exists(folder / kManifest)) return format("{} is missing", kManifest);
  try {
    const auto listed = read_manifest(folder)["files"];
    const auto there = files_below(folder);
    for (const auto& [name, entry] : listed.items()) {
      if (!there.contains(name)) return name + " is missing";
      const std::string damage = damage_of_file(folder / name, entry);
      if (!damage.empty()) return format("{} is damaged: {}", name, damage);
    }
    for (const auto& name : there) {
      if (!listed.contains(name)) return name + " is not in the manifest";
    }
  } catch (const DataError& error) {
    return format("{} {}", fs::path(error.where()).filename().string(), error.problem());
  } catch (const nlohmann::json::exception&) {
    return format("{} is damaged", kManifest);
  }
  return "";
}

int64_t update_of(const fs::path& checkpoint) { return read_manifest(checkpoint)["update"].get<int64_t>(); }

}  // namespace tr::io
