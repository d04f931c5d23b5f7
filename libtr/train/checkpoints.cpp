#include "libtr/train/checkpoints.h"

#include <algorithm>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/base/format.h"
#include "libtr/io/parameters.h"

namespace tr::train {
namespace fs = std::filesystem;
namespace {

NamedTensors tensors_to_start_from(const std::string& checkpoint) {
  try {
    return to_map(io::load_model_tensors(io::find_checkpoint(checkpoint)));
  } catch (const Error& error) {
    throw UsageError("/train/initialize_from", error.what());
  }
}

}  // namespace

fs::path Checkpoints::save(int64_t update, const io::Checkpoint& checkpoint) const {
  return io::save_checkpoint(run_, update, checkpoint);
}

std::vector<int64_t> Checkpoints::kept_for_average(const BestTracker& tracker) const {
  const auto saved = io::saved_updates(run_);
  const auto count = static_cast<size_t>(rules_.averaging.checkpoints);
  std::vector<int64_t> kept;
  if (rules_.averaging.which == AveragingRule::Which::best) {
    for (const auto& entry : tracker.entries()) {
      if (kept.size() < count && std::binary_search(saved.begin(), saved.end(), entry.update))
        kept.push_back(entry.update);
    }
  }
  if (rules_.averaging.which == AveragingRule::Which::last) {
    for (auto update = saved.rbegin(); update != saved.rend() && kept.size() < count; ++update) {
      if (due(*update) || update == saved.rbegin()) kept.push_back(*update);
    }
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

void Checkpoints::prune(const BestTracker& tracker) const {
  const auto saved = io::saved_updates(run_);
  auto kept = kept_for_average(tracker);
  const auto last = std::min(saved.size(), static_cast<size_t>(rules_.keep_last));
  kept.insert(kept.end(), saved.end() - static_cast<std::ptrdiff_t>(last), saved.end());
  if (!tracker.entries().empty()) kept.push_back(tracker.entries().front().update);
  io::prune(run_, kept);
}

std::vector<fs::path> Checkpoints::to_average(const BestTracker& tracker) const {
  std::vector<fs::path> folders;
  for (const int64_t update : kept_for_average(tracker)) folders.push_back(io::checkpoint_folder(run_, update));
  return folders.size() < 2 ? std::vector<fs::path>{} : folders;
}

fs::path Checkpoints::save_average(int64_t update, const io::Checkpoint& checkpoint) const {
  return io::save_checkpoint(run_ / "averaged", update, checkpoint);
}

void Checkpoints::mark_average_best(int64_t update) const {
  const auto folder = io::checkpoint_folder("averaged", update);  // below the run
  swap_link(run_ / "checkpoints" / "best", (fs::path("..") / folder).string());
}

std::string Checkpoints::best() const {
  const fs::path link = run_ / "checkpoints" / "best";
  return fs::exists(link) ? fs::canonical(link).string() : "";
}

std::vector<std::string> initialize_from(torch::nn::Module& model, const std::string& checkpoint) {
  const torch::NoGradGuard no_grad;
  auto given = tensors_to_start_from(checkpoint);
  std::vector<std::string> notes;
  size_t copied = 0;
  for (const auto& [name, tensor] : io::parameters_of(model)) {
    const auto found = given.find(name);
    if (found == given.end()) {
      notes.push_back(format("initialize_from: {} is not in the checkpoint and starts anew", name));
      continue;
    }
    if (found->second.sizes() == tensor.sizes()) {
      tensor.detach().copy_(found->second);
      ++copied;
    } else {
      notes.push_back(format("initialize_from: {} has another shape in the checkpoint and starts anew", name));
    }
    given.erase(found);
  }
  for (const auto& [name, tensor] : given) {
    notes.push_back(format("initialize_from: the model has no {}, which the checkpoint holds", name));
  }
  if (copied == 0) {
    throw UsageError("/train/initialize_from",
                     format("no parameter of {} has name and shape of one in the model", checkpoint));
  }
  return notes;
}

io::NamedTensors to_list(const NamedTensors& tensors) {
  io::NamedTensors list;
  for (const auto& [name, tensor] : tensors) list.push_back({name, tensor});
  return list;
}

NamedTensors to_map(const io::NamedTensors& tensors) {
  NamedTensors map;
  for (const auto& [name, tensor] : tensors) map.emplace(name, tensor);
  return map;
}

}  // namespace tr::train
