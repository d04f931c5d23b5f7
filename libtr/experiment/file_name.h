// Names in a configuration that become names of files or folders.
#pragma once

#include <string>

namespace tr::experiment {

/// Not empty, no '/', no '.' in front.
inline bool is_file_name(const std::string& name) {
  return !name.empty() && name[0] != '.' && name.find('/') == std::string::npos;
}

}  // namespace tr::experiment
