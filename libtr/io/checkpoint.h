// Checkpoints of a run: whole folders that appear at once and prove their own content.
//
//   RUN/checkpoints/update-200/{model.safetensors, config.json, tokenizer/, training_state/, manifest.json}
//   RUN/checkpoints/last -> update-200, best -> update-150
//
// A folder is written under another name, brought to the disk and renamed; then the link is swapped by a rename. So a
// program that is killed at any moment leaves `last` and `best` whole; what it left half written is removed by the next
// save_checkpoint.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "libtr/io/parameters.h"
#include "libtr/io/safetensors.h"

namespace tr::io {

struct Checkpoint {
  nlohmann::ordered_json config;  ///< resolved configuration
  NamedTensors model;             ///< parameters_of(model)
  nlohmann::json training_state;  ///< all that the loop decides by; null for a checkpoint that cannot be resumed
  NamedTensors training_tensors;  ///< moments of the optimizer and the like
  /// Called with an empty folder to fill; load_checkpoint leaves it unset: the folder is CHECKPOINT/tokenizer.
  std::function<void(const std::filesystem::path& folder)> save_tokenizer;
};

/// Writes RUN/checkpoints/update-`update` and makes `last` point to it; returns the folder. A checkpoint of that update
/// that is there already is replaced. Throws DataError.
std::filesystem::path save_checkpoint(const std::filesystem::path& run, int64_t update, const Checkpoint& checkpoint);

/// Makes `best` point to the checkpoint of `update`, which must exist.
void mark_best(const std::filesystem::path& run, int64_t update);

/// Removes the checkpoints of all updates that are not in `kept`; never those that `best` and `last` point to.
void prune(const std::filesystem::path& run, const std::vector<int64_t>& kept);

/// The checkpoint folder meant by a run (its best, else its last), or by a checkpoint folder (itself), with links
/// resolved. Throws UsageError for a folder of `compare` (listing its runs) and for what is neither; DataError for a
/// run that has no checkpoint yet.
std::filesystem::path find_checkpoint(const std::filesystem::path& run_or_checkpoint);

/// RUN/checkpoints/last with the link resolved, to resume from; throws DataError if there is none.
std::filesystem::path last_checkpoint(const std::filesystem::path& run);

/// Update of a checkpoint folder, from its manifest.
int64_t update_of(const std::filesystem::path& checkpoint);

/// Updates of the checkpoints of a run, ascending.
std::vector<int64_t> saved_updates(const std::filesystem::path& run);
std::filesystem::path checkpoint_folder(const std::filesystem::path& run, int64_t update);

/// Holds every file against the manifest. Throws DataError naming the file that is missing, unlisted or changed, and
/// the newest older checkpoint of the run that is whole, if any.
void verify_checkpoint(const std::filesystem::path& folder);

/// verify_checkpoint, then all of its content.
Checkpoint load_checkpoint(const std::filesystem::path& folder);
/// verify_checkpoint, then the model's tensors or the configuration alone.
NamedTensors load_model_tensors(const std::filesystem::path& folder);
nlohmann::ordered_json load_config(const std::filesystem::path& folder);

/// Mean of the model tensors of several checkpoints, summed in double; integer tensors are those of the last folder.
/// Throws DataError if names or shapes differ, UsageError for an empty list.
NamedTensors average_checkpoints(const std::vector<std::filesystem::path>& folders);

}  // namespace tr::io
