#include "libtr/io/checkpoint.h"

#include <ATen/ops/zeros_like.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/base/format.h"
#include "libtr/config/json_text.h"
#include "libtr/io/manifest.h"
#include "libtr/io/run_folder.h"

namespace tr::io {
namespace {

namespace fs = std::filesystem;

nlohmann::ordered_json read_json(const fs::path& path) {
  try {
    return nlohmann::ordered_json::parse(read_file(path));
  } catch (const nlohmann::json::exception&) {
    throw DataError(path.string(), "is not JSON");
  }
}

void write_content(const fs::path& folder, const Checkpoint& checkpoint) {
  fs::create_directories(folder / "tokenizer");
  fs::create_directories(folder / "training_state");
  write_safetensors(folder / "model.safetensors", {checkpoint.model, {}});
  config::write_json(folder / "config.json", checkpoint.config);
  if (checkpoint.save_tokenizer) checkpoint.save_tokenizer(folder / "tokenizer");
  config::write_json(folder / "training_state/state.json", checkpoint.training_state);
  write_safetensors(folder / "training_state/tensors.safetensors", {checkpoint.training_tensors, {}});
}

}  // namespace

fs::path save_checkpoint(const fs::path& run, int64_t update, const Checkpoint& checkpoint) {
  const fs::path target = checkpoint_folder(run, update);
  const fs::path temporary = start_folder(run, update);
  write_content(temporary, checkpoint);
  write_manifest(temporary, update);
  put_in_place(temporary, target);
  swap_link(target.parent_path() / "last", target.filename().string());
  return target;
}

void verify_checkpoint(const fs::path& folder) {
  const std::string damage = damage_of(folder);
  if (damage.empty()) return;
  const fs::path older = newest_whole_before(folder);
  throw DataError(folder.string(),
                  damage + (older.empty() ? "" : format("; the checkpoint before it is whole: {}", older.string())));
}

Checkpoint load_checkpoint(const fs::path& folder) {
  verify_checkpoint(folder);
  Checkpoint checkpoint;
  checkpoint.config = read_json(folder / "config.json");
  checkpoint.model = read_safetensors(folder / "model.safetensors").tensors;
  checkpoint.training_state = read_json(folder / "training_state/state.json");
  checkpoint.training_tensors = read_safetensors(folder / "training_state/tensors.safetensors").tensors;
  return checkpoint;
}

NamedTensors load_model_tensors(const fs::path& folder) {
  verify_checkpoint(folder);
  return read_safetensors(folder / "model.safetensors").tensors;
}

nlohmann::ordered_json load_config(const fs::path& folder) {
  verify_checkpoint(folder);
  return read_json(folder / "config.json");
}

NamedTensors average_checkpoints(const std::vector<fs::path>& folders) {
  if (folders.empty()) throw UsageError("average", "no checkpoint is named");
  NamedTensors mean;
  std::vector<torch::Tensor> sums;
  for (const auto& folder : folders) {
    const auto tensors = load_model_tensors(folder);
    if (mean.empty()) {
      for (const auto& [name, tensor] : tensors) sums.push_back(at::zeros_like(tensor, torch::kFloat64));
    }
    const bool alike = mean.empty() || std::equal(mean.begin(), mean.end(), tensors.begin(), tensors.end(),
                                                  [](const NamedTensor& a, const NamedTensor& b) {
                                                    return a.name == b.name && a.tensor.sizes() == b.tensor.sizes();
                                                  });
    if (!alike) throw DataError(folder.string(), "is of another model than " + folders.front().string());
    for (size_t i = 0; i < sums.size(); ++i) {
      if (tensors[i].tensor.is_floating_point()) sums[i] += tensors[i].tensor;
    }
    mean = tensors;
  }
  for (size_t i = 0; i < mean.size(); ++i) {
    auto& tensor = mean[i].tensor;
    if (tensor.is_floating_point()) tensor = (sums[i] / static_cast<double>(folders.size())).to(tensor.scalar_type());
  }
  return mean;
}

}  // namespace tr::io
