// How checkpoints lie in a run's folder: names, links, what a killed program left behind.
#pragma once

#include <cstdint>
#include <filesystem>

namespace tr::io {

/// An empty folder with a temporary name in RUN/checkpoints; leftovers of earlier writes are removed first.
std::filesystem::path start_folder(const std::filesystem::path& run, int64_t update);

/// True for what a killed program left half written or half removed in RUN/checkpoints: its name says so.
bool is_unfinished(const std::filesystem::path& in_checkpoints);

/// Gives a finished folder its name; one that has the name already is replaced, in one step if a link points to it.
void put_in_place(const std::filesystem::path& finished, const std::filesystem::path& target);

/// The newest checkpoint of the same run that is older than `folder` and whole; empty if there is none.
std::filesystem::path newest_whole_before(const std::filesystem::path& folder);

}  // namespace tr::io
