#include "libtr/base/error.h"

namespace tr {

Error::Error(int exit_status, const std::string& where, const std::string& problem)
    : std::runtime_error(where.empty() ? problem : where + ": " + problem),
      where_(where),
      problem_(problem),
      exit_status_(exit_status) {}

}  // namespace tr
