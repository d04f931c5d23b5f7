#include "libtr/data/text.h"

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/base/unicode.h"

namespace tr::data {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct CloseGzip {
  void operator()(gzFile file) const { gzclose(file); }
};
using GzipFile = std::unique_ptr<gzFile_s, CloseGzip>;

/// Content of a plain or packed file.
std::string read_unpacked(const std::string& path) {
  errno = 0;
  const GzipFile file(gzopen(path.c_str(), "rb"));
  if (!file) throw DataError(path, format("cannot be opened: {}", std::strerror(errno)));
  gzbuffer(file.get(), 1 << 17);
  std::string content;
  std::string buffer(1 << 17, '\0');
  int count = 0;
  while ((count = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()))) > 0) {
    content.append(buffer, 0, static_cast<size_t>(count));
  }
  int fault = Z_OK;
  const char* message = gzerror(file.get(), &fault);
  if (fault == Z_ERRNO) throw DataError(path, format("cannot be read: {}", std::strerror(errno)));
  if (fault == Z_BUF_ERROR) throw DataError(path, "cut off: the gzip data has no end");
  if (fault != Z_OK) throw DataError(path, format("damaged gzip data: {}", message));
  if (path.ends_with(".gz") && gzdirect(file.get()) != 0) throw DataError(path, "named .gz, but not gzip data");
  return content;
}

void check_line(std::string_view line, const std::string& name, size_t number) {
  if (const auto fault = first_utf8_fault(line)) {
    throw DataError(format("{}:{}", name, number), format("byte {} of the line (0x{:02x}) is not UTF-8", *fault + 1,
                                                          static_cast<unsigned char>(line[*fault])));
  }
  if (const size_t cr = line.find('\r'); cr != line.npos) {
    throw DataError(format("{}:{}", name, number),
                    format("carriage return inside the line at byte {}; expected lines to end in LF or CR LF "
                           "(convert old Mac files with: tr '\\r' '\\n')",
                           cr + 1));
  }
}

}  // namespace

std::vector<std::string> split_lines(std::string_view text, const std::string& name) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    check_line(line, name, lines.size() + 1);
    lines.emplace_back(line);
  }
  return lines;
}

std::vector<std::string> read_lines(const std::string& path) { return split_lines(read_unpacked(path), path); }

bool is_blank(std::string_view line) { return without_outer_white_space(to_code_points(line)).empty(); }

}  // namespace tr::data
