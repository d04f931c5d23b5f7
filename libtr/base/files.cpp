#include "libtr/base/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "libtr/base/error.h"

namespace tr {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
  throw DataError(path.string(), what + ": " + std::strerror(errno));
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

constexpr std::string_view kTemporary = ".tmp-", kOld = "old-";

}  // namespace

std::string read_file(const fs::path& path) {
  if (fs::is_directory(path)) throw DataError(path.string(), "is a folder, expected a file");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, "cannot be read");
  std::ostringstream content;
  content << file.rdbuf();
  if (file.bad()) fail(path, "reading failed");
  return std::move(content).str();
}

void sync_to_disk(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(path, "cannot be opened");
  const int result = ::fsync(file);
  ::close(file);
  if (result != 0) fail(path, "cannot be written to disk");
}

AtomicFile::AtomicFile(const fs::path& path) : path_(path), temporary_(temporary_beside(path)) {
  file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file_ < 0) fail(path_, "cannot be written");
}

AtomicFile::~AtomicFile() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file_, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path_, "cannot be written");
    content.remove_prefix(static_cast<size_t>(written));
  }
}

void AtomicFile::commit() {
  if (::fsync(file_) != 0) fail(path_, "cannot be written to disk");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_, "cannot be written");
  ::close(file_);
  file_ = -1;
  sync_to_disk(folder_of(path_));
}

void write_file(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

void require_new_folder(const fs::path& folder) {
  const bool empty_folder = fs::is_directory(folder) && fs::is_empty(folder);
  if (fs::exists(folder) && !empty_folder)
    throw UsageError(folder.string(), "exists, expected a new or an empty folder");
}

fs::path temporary_beside(const fs::path& path) {
  fs::path name = path;
  name += std::string(kTemporary) + std::to_string(::getpid());
  return name;
}

std::string finished_name(const std::string& temporary) {
  const size_t mark = temporary.rfind(kTemporary);
  if (mark == std::string::npos) return "";
  std::string process = temporary.substr(mark + kTemporary.size());
  if (process.starts_with(kOld)) process.erase(0, kOld.size());
  const bool number = !process.empty() && process.find_first_not_of("0123456789") == std::string::npos;
  return number ? temporary.substr(0, mark) : "";
}

void retire_folder(const fs::path& folder) {
  fs::path retired = folder;
  retired += std::string(kTemporary) + std::string(kOld) + std::to_string(::getpid());
  fs::remove_all(retired);  // of a killed process that had the same number
  fs::rename(folder, retired);
  fs::remove_all(retired);
}

void publish_folder(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail(to, "cannot be put in place");
  sync_to_disk(folder_of(to));
}

void swap_link(const fs::path& link, const std::string& target) {
  const fs::path temporary = temporary_beside(link);
  ::unlink(temporary.c_str());
  if (::symlink(target.c_str(), temporary.c_str()) != 0) fail(link, "cannot be linked");
  if (::rename(temporary.c_str(), link.c_str()) != 0) fail(link, "cannot be linked");
  sync_to_disk(folder_of(link));
}

}  // namespace tr
