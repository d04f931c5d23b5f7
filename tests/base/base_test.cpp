// Errors, suggestions, random streams, SHA-256, atomic files.
#include <algorithm>
#include <numeric>

#include "libtr/base/files.h"
#include "libtr/base/nearest.h"
#include "libtr/base/random.h"
#include "libtr/base/sha256.h"
#include "tests/support.h"

namespace tr {
namespace {

namespace fs = std::filesystem;

TEST_CASE("errors carry where, what and the exit status") {
  const UsageError usage("/model/heads", "got 0");
  CHECK(std::string(usage.what()) == "/model/heads: got 0");
  CHECK(usage.exit_status() == 2);
  CHECK(DataError("a.txt:3", "bad byte").exit_status() == 1);
  CHECK(std::string(DataError("", "nothing to do").what()) == "nothing to do");
}

TEST_CASE("a near name is suggested, a far one is not") {
  const std::vector<std::string> known = {"heads", "d_model", "dropout"};
  CHECK(nearest("headz", known) == "heads");
  CHECK(nearest("haeds", known) == "heads");
  CHECK(nearest("droput", known) == "dropout");
  CHECK(nearest("optimizer", known).empty());
  CHECK(suggestion("x", {"a"}, "keys") == "; known keys: a");
}

TEST_CASE("joined names keep their places, empty ones too") {
  CHECK(join({"a", "b"}) == "a, b");
  CHECK(join({"", "", "x", ""}, "\n") == "\n\nx\n");
  CHECK(join({}).empty());
}

TEST_CASE("SHA-256 has the value of FIPS 180-4 and goes on after it was read") {
  CHECK(sha256_of_text("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  Sha256 hash;
  hash.update("a");
  CHECK(hash.hex() == sha256_of_text("a"));
  hash.update("bc");
  CHECK(hash.hex() == sha256_of_text("abc"));
}

TEST_CASE("streams of one seed differ by name and index and never change", "[F41]") {
  CHECK(stream_seed(1, "batches", {0}) == stream_seed(1, "batches", {0}));
  CHECK(stream_seed(1, "batches", {0}) != stream_seed(1, "batches", {1}));
  CHECK(stream_seed(1, "batches") != stream_seed(1, "dropout"));
  CHECK(stream_seed(1, "batches") != stream_seed(2, "batches"));
  // The reference implementation's first outputs for seed 1234567.
  Random random(1234567);
  CHECK(random.bits() == 6457827717110365317u);
  CHECK(random.bits() == 3203168211198807973u);
}

TEST_CASE("a shuffle is a permutation, and bounded draws are even") {
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 0);
  Random random(3);
  random.shuffle(values);
  CHECK_FALSE(std::is_sorted(values.begin(), values.end()));
  std::sort(values.begin(), values.end());
  for (int i = 0; i < 100; ++i) CHECK(values[static_cast<size_t>(i)] == i);
  std::vector<int> count(3);
  for (int i = 0; i < 30000; ++i) ++count[random.below(3)];
  for (const int n : count) CHECK(std::abs(n - 10000) < 400);  // 5 standard deviations
}

TEST_CASE("a file is replaced whole, and nothing else is left in its folder") {
  test::ScratchFolder folder;
  write_file(folder / "a.txt", "one");
  write_file(folder / "a.txt", "two");
  CHECK(read_file(folder / "a.txt") == "two");
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}) == 1);
}

TEST_CASE("files that cannot be read or written are named with the reason") {
  test::ScratchFolder folder;
  CHECK(test::error_of([&] { read_file(folder / "none"); }) ==
        (folder / "none") + ": cannot be read: No such file or directory");
  CHECK(test::error_of([&] { read_file(folder.path()); }) == folder.path() + ": is a folder, expected a file");
  CHECK(test::error_of([&] { write_file(folder / "none/a", "x"); }) ==
        (folder / "none/a") + ": cannot be written: No such file or directory");
  fs::create_directory(folder / "taken");
  CHECK(test::error_of([&] { write_file(folder / "taken", "x"); }) ==
        (folder / "taken") + ": cannot be written: Is a directory");
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}) == 1);
}

TEST_CASE("a temporary name says what it stands for, and no other name is taken for one") {
  CHECK(finished_name(temporary_beside("r/a.json").filename().string()) == "a.json");
  CHECK(finished_name("update-4.tmp-17") == "update-4");
  CHECK(finished_name("update-4.tmp-old-17") == "update-4");
  CHECK(finished_name("a.tmp-1.tmp-2") == "a.tmp-1");
  for (const char* other : {"a", "a.tmp", "a.tmp-", "a.tmp-x", "a.tmp-17b", "a.tmp-older-1", "a.tmp-old-", "tmp-17"}) {
    INFO(other);
    CHECK(finished_name(other).empty());
  }
}

TEST_CASE("a folder is retired whole, over what a kill left of the one before") {
  test::ScratchFolder folder;
  const std::string left = folder / ("a.tmp-old-" + std::to_string(::getpid()));
  for (const std::string& name : {folder / "a", left}) {
    fs::create_directory(name);
    write_file(name + "/file", "1");
  }
  retire_folder(folder / "a");
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("a new folder is one that does not exist or is empty") {
  test::ScratchFolder folder;
  CHECK_NOTHROW(require_new_folder(folder / "none"));
  CHECK_NOTHROW(require_new_folder(folder.path()));
  write_file(folder / "a", "1");
  for (const std::string& taken : {folder.path(), folder / "a"}) {
    CHECK(test::error_of([&] { require_new_folder(taken); }) == taken + ": exists, expected a new or an empty folder");
  }
}

TEST_CASE("a link is swapped to its new target") {
  test::ScratchFolder folder;
  write_file(folder / "one", "1");
  write_file(folder / "two", "2");
  swap_link(folder / "last", "one");
  swap_link(folder / "last", "two");
  CHECK(read_file(folder / "last") == "2");
}

}  // namespace
}  // namespace tr
