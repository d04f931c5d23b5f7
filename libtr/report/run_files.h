// Reads what a run left on the disk, for reports.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace tr::report {

/// A JSON file with its keys in their order. Throws DataError if it cannot be read or is not one JSON object.
nlohmann::ordered_json read_object(const std::filesystem::path& file);

/// The events of events.jsonl that count: a line torn by a kill (the last one, or one before a run_start) is dropped,
/// and a run_start with "resumed_from_update": U supersedes all earlier events of updates after U (without the key: of
/// all updates). Throws DataError with file:line for another line that is not a JSON object.
nlohmann::ordered_json read_events(const std::filesystem::path& file);

/// {"seed", "config", "result", "train", "valid", "samples"} of a run; what is missing is null or empty, except
/// result.json. Throws DataError.
nlohmann::ordered_json read_run(const std::filesystem::path& folder);

/// {"mean", "sd", "values"}: sd with n - 1, null for one value; both null if a value is null.
nlohmann::ordered_json statistic(const nlohmann::ordered_json& values);

}  // namespace tr::report
