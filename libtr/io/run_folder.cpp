#include "libtr/io/run_folder.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/base/format.h"
#include "libtr/base/nearest.h"
#include "libtr/io/checkpoint.h"
#include "libtr/io/manifest.h"

namespace tr::io {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kPrefix = "update-";

fs::path checkpoints_of(const fs::path& run) { return run / "checkpoints"; }

bool is_checkpoint(const fs::path& folder) { return fs::is_regular_file(folder / "manifest.json"); }
bool is_run(const fs::path& folder) { return fs::is_directory(checkpoints_of(folder)); }

std::optional<int64_t> update_of_name(const std::string& name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  int64_t update = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, update);
  return error == std::errc{} && stop == end ? std::optional(update) : std::nullopt;
}

// Name of the folder that a link of the run points to; empty without the link.
std::string linked(const fs::path& run, const char* link) {
  const fs::path path = checkpoints_of(run) / link;
  return fs::is_symlink(path) ? fs::read_symlink(path).filename().string() : "";
}

std::vector<fs::path> children(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

void remove_leftovers(const fs::path& checkpoints) {
  for (const auto& path : children(checkpoints)) {
    if (is_unfinished(path)) fs::remove_all(path);
  }
}

// The runs in a folder of `compare`: MODEL/seed-N.
std::vector<std::string> runs_below(const fs::path& folder) {
  std::vector<std::string> runs;
  for (const auto& model : children(folder)) {
    for (const auto& seed : children(model)) {
      if (is_run(seed)) runs.push_back(seed.string());
    }
  }
  return runs;
}

}  // namespace

fs::path checkpoint_folder(const fs::path& run, int64_t update) {
  return checkpoints_of(run) / (std::string(kPrefix) + std::to_string(update));
}

std::vector<int64_t> saved_updates(const fs::path& run) {
  std::vector<int64_t> updates;
  for (const auto& path : children(checkpoints_of(run))) {
    if (const auto update = update_of_name(path.filename().string())) updates.push_back(*update);
  }
  std::sort(updates.begin(), updates.end());
  return updates;
}

bool is_unfinished(const fs::path& in_checkpoints) {
  const std::string name = finished_name(in_checkpoints.filename().string());
  return name == "last" || name == "best" || update_of_name(name).has_value();
}

fs::path start_folder(const fs::path& run, int64_t update) {
  try {
    fs::create_directories(checkpoints_of(run));
    remove_leftovers(checkpoints_of(run));
    const fs::path folder = temporary_beside(checkpoint_folder(run, update));
    fs::create_directory(folder);
    return folder;
  } catch (const fs::filesystem_error& error) {
    throw DataError(checkpoints_of(run).string(), "cannot be written: " + error.code().message());
  }
}

void put_in_place(const fs::path& finished, const fs::path& target) {
  const fs::path run = target.parent_path().parent_path();
  const std::string name = target.filename().string();
  if (name == linked(run, "last") || name == linked(run, "best")) {
    if (::renameat2(AT_FDCWD, finished.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) != 0) {
      throw DataError(target.string(), std::string("cannot be replaced: ") + std::strerror(errno));
    }
    sync_to_disk(target.parent_path());
    fs::remove_all(finished);  // by now the old checkpoint
    return;
  }
  if (fs::exists(target)) retire_folder(target);
  publish_folder(finished, target);
}

void mark_best(const fs::path& run, int64_t update) {
  const fs::path folder = checkpoint_folder(run, update);
  if (!is_checkpoint(folder)) throw DataError(folder.string(), "is no checkpoint");
  swap_link(checkpoints_of(run) / "best", folder.filename().string());
}

void prune(const fs::path& run, const std::vector<int64_t>& kept) {
  const std::string last = linked(run, "last"), best = linked(run, "best");
  for (const int64_t update : saved_updates(run)) {
    const fs::path folder = checkpoint_folder(run, update);
    const bool is_kept = std::find(kept.begin(), kept.end(), update) != kept.end();
    if (!is_kept && folder.filename() != last && folder.filename() != best) retire_folder(folder);
  }
}

fs::path newest_whole_before(const fs::path& folder) {
  std::error_code ignored;
  const fs::path real = fs::canonical(folder, ignored);
  const fs::path run = real.parent_path().parent_path();
  const auto update = update_of_name(real.filename().string());
  auto updates = saved_updates(run);
  std::reverse(updates.begin(), updates.end());
  for (const int64_t older : updates) {
    if (update && older < *update && damage_of(checkpoint_folder(run, older)).empty())
      return checkpoint_folder(run, older);
  }
  return {};
}

fs::path last_checkpoint(const fs::path& run) {
  const fs::path link = checkpoints_of(run) / "last";
  if (!is_checkpoint(link)) throw DataError(run.string(), "has no checkpoint to resume from");
  return fs::canonical(link);
}

fs::path find_checkpoint(const fs::path& run_or_checkpoint) {
  const std::string where = run_or_checkpoint.string();
  if (!fs::exists(run_or_checkpoint)) throw UsageError(where, "does not exist, expected a run or a checkpoint folder");
  if (is_checkpoint(run_or_checkpoint)) return fs::canonical(run_or_checkpoint);
  if (is_run(run_or_checkpoint)) {
    for (const char* link : {"best", "last"}) {
      const fs::path path = checkpoints_of(run_or_checkpoint) / link;
      if (is_checkpoint(path)) return fs::canonical(path);
    }
    throw DataError(where, "is a run without a checkpoint");
  }
  const auto runs = runs_below(run_or_checkpoint);
  if (runs.empty()) throw UsageError(where, "is neither a run nor a checkpoint folder");
  throw UsageError(where, "holds several runs, name one: " + join(runs));
}

}  // namespace tr::io
