// Configuration files: "extends" chains of RFC 7386 merge patches, --set, and where each value came from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "libtr/config/fields.h"

namespace tr::config {

/// A configuration as it stands after one file of the chain, or after the --set options.
struct Stage {
  Json json;
  Sources sources;
};

/// The stages from the first base to the whole; the last is what counts, the others are checked for unknown keys, so
/// that a misspelt key is found even where a later file replaces the object around it.
struct Document {
  std::vector<Stage> stages;
  std::vector<std::string> notes;  ///< what a reader should know: objects replaced because their "type" changed

  const Json& json() const { return stages.back().json; }
};

/// Parses one file. Errors: UsageError with file:line for bad syntax, with the path for a duplicate key.
Json parse_file(const std::filesystem::path& file);

/// Loads `file` and all that it extends, then applies `overrides` ("/path=value"; the value is JSON, or a string where
/// it does not parse as JSON). Throws UsageError for a cycle, a missing file, a malformed override.
Document load(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// A configuration that stands inside `file`, with all that it extends; its paths are relative to that file.
Document load_part(const Json& json, const std::filesystem::path& file);

/// A document from JSON in memory; relative paths are resolved against the folder of `origin`.
Document document_of(const Json& json, const std::string& origin);

/// `base` patched by `patch` (RFC 7386), with two rules more: a patch that changes an object's "type" replaces that
/// object, and so does one that gives /train/budget another unit, since a budget has one.
Document merge(const Document& base, const Document& patch);

/// Applies the --set options as a last stage.
void apply_overrides(Document& document, const std::vector<std::string>& overrides);

/// Options with all defaults, read from every stage and validated. `known_paths` come from T's defaults.
template <class T>
T read(const Document& document, T defaults = {}) {
  std::vector<std::string> known_paths;
  const Json flat = write_value(defaults).flatten();
  for (const auto& [path, value] : flat.items()) known_paths.push_back(path);
  T value;
  for (Stage stage : document.stages) {
    stage.sources.known_paths = known_paths;
    value = defaults;
    read_value(stage.json, Place(stage.sources), {}, value);
  }
  validate(value);
  return value;
}

}  // namespace tr::config
