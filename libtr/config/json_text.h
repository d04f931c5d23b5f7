// JSON as the project writes it: indented by two, UTF-8, a line feed at the end.
#pragma once

#include <filesystem>

#include "libtr/config/value.h"

namespace tr::config {

/// Bytes that are not UTF-8 are replaced.
std::string json_text(const Json& json);

/// The same into a file, whole or not at all (write_file).
void write_json(const std::filesystem::path& file, const Json& json);

}  // namespace tr::config
