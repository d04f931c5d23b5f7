#include "libtr/data/text.h"

#include <zlib.h>

#include "libtr/base/files.h"
#include "tests/support.h"

using namespace tr;
using namespace tr::test;
using Lines = std::vector<std::string>;

namespace {

Lines split(const std::string& text) { return data::split_lines(text, "name"); }

std::string packed(const std::string& text) {
  ScratchFolder folder;
  const std::string file = folder / "t.gz";
  gzFile out = gzopen(file.c_str(), "wb");
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  return read_file(file);
}

}  // namespace

TEST_CASE("LF ends a line, nothing else does") {
  CHECK(split("") == Lines{});
  CHECK(split("\n") == Lines{""});
  CHECK(split("a") == Lines{"a"});
  CHECK(split("a\nb") == Lines{"a", "b"});
  CHECK(split("a\nb\n") == Lines{"a", "b"});
  CHECK(split("a\n\nb\n\n") == Lines{"a", "", "b", ""});
  const std::string inside = "a\u0085b\u2028c\u2029d\u000be\u000cf\u001cg\u001eh";
  CHECK(split(inside + "\nz\n") == Lines{inside, "z"});
}

TEST_CASE("one CR before the LF is dropped", "[F8]") {
  CHECK(split("a\r\nb\r\n") == Lines{"a", "b"});
  CHECK(split("a\r\n\r\nb\r") == Lines{"a", "", "b"});
}

TEST_CASE("a lone CR is refused with a hint", "[F8]") {
  const std::string hint = "; expected lines to end in LF or CR LF (convert old Mac files with: tr '\\r' '\\n')";
  CHECK(error_of([] { split("a\rb\rc\r"); }) == "name:1: carriage return inside the line at byte 2" + hint);
  CHECK(error_of([] { split("a\nbc\r\r\n"); }) == "name:2: carriage return inside the line at byte 3" + hint);
}

TEST_CASE("a byte-order mark is dropped at the very start only", "[F7]") {
  CHECK(split("\xEF\xBB\xBF"
              "a\nb\n") == Lines{"a", "b"});
  CHECK(split("a\n\xEF\xBB\xBF"
              "b\n") == Lines{"a",
                              "\uFEFF"
                              "b"});
  CHECK(split("\xEF\xBB\xBF") == Lines{});
}

TEST_CASE("bytes that are not UTF-8 are named with line and place") {
  CHECK(error_of([] { split("good\nna\xEFve\n"); }) == "name:2: byte 3 of the line (0xef) is not UTF-8");
  CHECK(error_of([] { split("caf\xE9"); }) == "name:1: byte 4 of the line (0xe9) is not UTF-8");
  CHECK(error_of([] { split("\xED\xA0\x80\n"); }) == "name:1: byte 1 of the line (0xed) is not UTF-8");
}

TEST_CASE("white space of any kind is blank", "[F2]") {
  for (const auto* line : {"", " ", "\t", "\u00a0", "\u3000 \u2003", "\u202f\u2028\u0085"}) CHECK(data::is_blank(line));
  for (const auto* line : {".", " a ", "\u00a0-", "\u200b"}) CHECK(!data::is_blank(line));
}

TEST_CASE("plain and packed files give the same lines") {
  ScratchFolder folder;
  const std::string text = "eins\nzwei\u00a0drei\n\nvier";
  write_file(folder / "plain", text);
  write_file(folder / "packed.gz", packed(text));
  write_file(folder / "packed", packed(text));
  write_file(folder / "members.gz", packed("eins\nzwei\u00a0") + packed("drei\n\nvier"));
  write_file(folder / "empty.gz", packed(""));
  const Lines lines{"eins", "zwei\u00a0drei", "", "vier"};
  for (const auto* name : {"plain", "packed.gz", "packed", "members.gz"})
    CHECK(data::read_lines(folder / name) == lines);
  CHECK(data::read_lines(folder / "empty.gz").empty());
  write_file(folder / "bad", "ok\n\xFF\n");
  CHECK(error_of([&] { data::read_lines(folder / "bad"); }) ==
        folder / "bad:2: byte 1 of the line (0xff) is not UTF-8");
}

TEST_CASE("files that cannot be read whole are refused") {
  ScratchFolder folder;
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i * 7919 % 10007) + "\n";
  const std::string whole = packed(text);
  write_file(folder / "cut.gz", whole.substr(0, whole.size() / 2));
  CHECK(error_of([&] { data::read_lines(folder / "cut.gz"); }) == folder / "cut.gz: cut off: the gzip data has no end");
  write_file(folder / "cut4.gz", whole.substr(0, whole.size() - 4));
  CHECK(error_of([&] { data::read_lines(folder / "cut4.gz"); }) ==
        folder / "cut4.gz: cut off: the gzip data has no end");
  std::string damaged = whole;
  damaged[damaged.size() - 8] = static_cast<char>(~damaged[damaged.size() - 8]);  // checksum
  write_file(folder / "damaged.gz", damaged);
  CHECK(
      error_of([&] { data::read_lines(folder / "damaged.gz"); }).starts_with(folder / "damaged.gz: damaged gzip data"));
  write_file(folder / "plain.gz", "just text\n");
  CHECK(error_of([&] { data::read_lines(folder / "plain.gz"); }) == folder / "plain.gz: named .gz, but not gzip data");
  CHECK(error_of([&] { data::read_lines(folder / "none"); }) ==
        folder / "none: cannot be opened: No such file or directory");
  CHECK(error_of([&] { data::read_lines(folder.path()); }) == folder.path() + ": cannot be read: Is a directory");
}
