// The only file that includes fmt. Header-only: LibTorch's include folder carries another version of fmt, so that a
// compiled fmt would not match the headers. No fmt type appears in a public header.
#pragma once

#define FMT_HEADER_ONLY 1
#include <fmt/format.h>

namespace tr {
using fmt::format;
}  // namespace tr
