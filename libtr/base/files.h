// Whole files in and out. A file appears under its name only when it is complete and on the disk.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tr {

/// Whole content; throws DataError naming the file and the system's reason.
std::string read_file(const std::filesystem::path& path);

/// Writes to a temporary name in the same folder, fsync, rename, fsync of the folder. Throws DataError; then no
/// temporary file is left and an older file of that name is untouched.
void write_file(const std::filesystem::path& path, std::string_view content);

/// The same for content that comes in pieces: nothing appears under `path` before commit().
class AtomicFile {
 public:
  /// Throws DataError if the folder cannot be written to.
  explicit AtomicFile(const std::filesystem::path& path);
  /// Without commit(), leaves nothing behind.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view content);
  /// fsync, rename, fsync of the folder.
  void commit();

 private:
  std::filesystem::path path_, temporary_;
  int file_ = -1;  // closed: -1
};

/// Throws UsageError if `folder` exists and is not an empty folder: nothing is overwritten.
void require_new_folder(const std::filesystem::path& folder);

/// fsync of a file or folder, so that a rename that follows cannot overtake its content.
void sync_to_disk(const std::filesystem::path& path);

/// Where what is to become `path` is written: PATH.tmp-PID, so that two processes never share one.
std::filesystem::path temporary_beside(const std::filesystem::path& path);

/// Whose temporary name this is, of something being written or removed: "a.json" of "a.json.tmp-17" and of
/// "a.json.tmp-old-17"; empty for a name of any other form.
std::string finished_name(const std::string& temporary);

/// Removes a folder, which gets a temporary name first: a kill in between leaves no half folder under its own.
void retire_folder(const std::filesystem::path& folder);

/// Renames a finished folder into place and syncs the parent; `to` must not exist.
void publish_folder(const std::filesystem::path& from, const std::filesystem::path& to);

/// Makes `link` point to `target` (a name in the same folder) by renaming a new link over it: no moment without a link.
void swap_link(const std::filesystem::path& link, const std::string& target);

}  // namespace tr
