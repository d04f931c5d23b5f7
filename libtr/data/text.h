// Lines of text files: plain or gzip, UTF-8, split at LF only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tr::data {

/// Lines of a file; one that ends in .gz or starts as gzip does is unpacked. Rules as in split_lines. Throws DataError:
/// cannot be read, not gzip although named so, damaged or cut off.
std::vector<std::string> read_lines(const std::string& path);

/// LF ends a line and nothing else does: U+0085, U+2028, form feeds and the like stay inside. One CR before the LF is
/// dropped, as is a byte-order mark at the very start. A last line needs no LF. Throws DataError "NAME:LINE: …" for
/// bytes that are not UTF-8 and for a CR inside a line.
std::vector<std::string> split_lines(std::string_view text, const std::string& name);

/// Nothing but white space (Unicode's, so NBSP and U+3000 too): such a line counts as empty everywhere.
bool is_blank(std::string_view line);

}  // namespace tr::data
