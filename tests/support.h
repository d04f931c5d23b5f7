// What many tests need: a scratch folder, the shared corpora, a check that an error is raised with its exact line.
#pragma once

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include "libtr/base/error.h"

namespace tr::test {

/// An empty folder that is removed when the test ends.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "libtr-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder: " + name);
    path_ = name;
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Folder of the corpora that are not part of the project: LIBTR_SHARED, else ../shared beside the sources; empty if
/// there is none. Then a test says so and skips: `if (shared_folder().empty()) return skip("no ../shared");`
inline std::string shared_folder() {
  const char* named = std::getenv("LIBTR_SHARED");
  const std::filesystem::path folder =
      named ? std::filesystem::path(named) : std::filesystem::path(LIBTR_SOURCE_FOLDER).parent_path() / "shared";
  return std::filesystem::is_directory(folder / "data") ? folder.string() : "";
}

/// ctest counts a test with this line as skipped.
inline void skip(const std::string& reason) { std::cout << "SKIPPED: " << reason << std::endl; }

/// The message of the tr::Error that `action` throws; fails the test if it throws none.
template <class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  FAIL("no error was raised");
  return "";
}

}  // namespace tr::test
