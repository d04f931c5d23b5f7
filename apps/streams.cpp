// Text in and out, and notes beside it.
#include <cstdio>
#include <iostream>
#include <iterator>

#include "apps/commands.h"
#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/base/format.h"
#include "libtr/data/text.h"

namespace tr::apps {

std::vector<std::string> read_input(const std::string& file) {
  if (!file.empty()) return data::read_lines(file);
  const std::string text((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
  return data::split_lines(text, "standard input");
}

void require_equal_counts(const std::string& file, const std::vector<std::string>& lines, const std::string& other_file,
                          const std::vector<std::string>& other_lines) {
  if (lines.size() == other_lines.size()) return;
  throw DataError(file,
                  format("{} lines, {} has {}, expected equal counts", lines.size(), other_file, other_lines.size()));
}

void write_output(const std::string& file, const std::string& text) {
  if (!file.empty()) {
    write_file(file, text);
    return;
  }
  std::cout << text << std::flush;
  if (!std::cout) throw DataError("standard output", "cannot be written");
}

void print_notes(const std::vector<std::string>& notes, const Output& output) {
  if (output.quiet) return;
  for (const auto& note : notes) std::fprintf(stderr, "%s\n", note.c_str());
}

}  // namespace tr::apps
