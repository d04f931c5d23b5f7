#include "libtr/data/batcher.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/base/random.h"

namespace tr::data {
namespace {

/// Cuts indices, in their order, into batches. A batch of n costs n times the highest length(index) in it.
template <class Length>
std::vector<IndexBatch> cut(std::span<const int64_t> order, const BatchOptions& options, Length length) {
  std::vector<IndexBatch> batches;
  int64_t longest = 0;
  for (const int64_t index : order) {
    const int64_t sentences = batches.empty() ? 1 : std::ssize(batches.back()) + 1;
    longest = std::max(longest, length(index));
    const bool too_many_tokens = options.batch_tokens > 0 && longest * sentences > options.batch_tokens;
    const bool too_many_sentences = options.batch_sentences > 0 && sentences > options.batch_sentences;
    if (batches.empty() || too_many_tokens || too_many_sentences) {
      batches.emplace_back();
      longest = length(index);
    }
    batches.back().push_back(index);
  }
  return batches;
}

/// Sorts by the longer side; among equals from "target much shorter" to "source much shorter", the other way round in
/// every second group. Neighbours are then alike on both sides: with the target length alone as the key, sources of
/// one batch differ widely.
void sort_by_shape(std::span<int64_t> order, const std::vector<Lengths>& lengths) {
  const auto key = [&](int64_t index) {
    const auto [source, target] = lengths[static_cast<size_t>(index)];
    const int64_t longer = std::max(source, target);
    return std::pair{longer, longer % 2 == 0 ? target - source : source - target};
  };
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return key(a) < key(b); });
}

std::vector<int64_t> all_indices(const std::vector<Lengths>& lengths) {
  std::vector<int64_t> order(lengths.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Windows of equal size (up to one), none above `most`; 0: a single one.
std::vector<std::span<int64_t>> windows_of(std::span<int64_t> order, int64_t most) {
  const size_t limit = most > 0 ? static_cast<size_t>(most) : std::max<size_t>(order.size(), 1);
  const size_t count = (order.size() + limit - 1) / limit;
  std::vector<std::span<int64_t>> windows;
  for (size_t i = 0; i < count; ++i) {
    const size_t begin = order.size() * i / count;
    windows.push_back(order.subspan(begin, order.size() * (i + 1) / count - begin));
  }
  return windows;
}

/// A number that other lengths or other batches would hardly share.
uint64_t fingerprint_of(const std::vector<Lengths>& lengths, const std::vector<IndexBatch>& batches) {
  uint64_t all = 0;
  for (const auto& batch : batches) {
    all = mix(all ^ batch.size());
    for (const int64_t index : batch) {
      const auto [source, target] = lengths[static_cast<size_t>(index)];
      for (const int64_t part : {index, source, target}) all = mix(all ^ static_cast<uint64_t>(part));
    }
  }
  return all;
}

}  // namespace

void BatchOptions::validate(const std::string& at) const {
  if (batch_tokens == 0 && batch_sentences == 0) {
    throw UsageError(at + "/batch_tokens", "got 0, and batch_sentences is 0 too; expected one of them to be a limit");
  }
}

std::vector<IndexBatch> epoch_batches(const std::vector<Lengths>& lengths, const BatchOptions& options, uint64_t seed,
                                      int64_t epoch) {
  Random random(stream_seed(seed, "batches", {static_cast<uint64_t>(epoch)}));
  std::vector<int64_t> order = all_indices(lengths);
  random.shuffle(order);
  std::vector<IndexBatch> batches;
  for (const auto window : windows_of(order, options.batch_window)) {
    sort_by_shape(window, lengths);
    const auto target_length = [&](int64_t index) { return lengths[static_cast<size_t>(index)].target; };
    for (auto& batch : cut(window, options, target_length)) batches.push_back(std::move(batch));
  }
  random.shuffle(batches);
  return batches;
}

std::vector<IndexBatch> evaluation_batches(const std::vector<Lengths>& lengths, const BatchOptions& options) {
  std::vector<int64_t> order = all_indices(lengths);
  const auto shape = [&](int64_t index) {
    const auto [source, target] = lengths[static_cast<size_t>(index)];
    return std::pair{source, target};
  };
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return shape(a) > shape(b); });
  return cut(order, options, [&](int64_t index) { return std::max(shape(index).first, shape(index).second); });
}

PaddingShare padding_share(const std::vector<Lengths>& lengths, const std::vector<IndexBatch>& batches) {
  Lengths real, padded;
  for (const auto& batch : batches) {
    Lengths longest;
    for (const int64_t index : batch) {
      const auto [source, target] = lengths[static_cast<size_t>(index)];
      real = {real.source + source, real.target + target};
      longest = {std::max(longest.source, source), std::max(longest.target, target)};
    }
    padded.source += longest.source * std::ssize(batch);
    padded.target += longest.target * std::ssize(batch);
  }
  const auto share = [](int64_t tokens, int64_t places) {
    return places == 0 ? 0 : 1 - static_cast<double>(tokens) / static_cast<double>(places);
  };
  return {.source = share(real.source, padded.source),
          .target = share(real.target, padded.target),
          .both = share(real.source + real.target, padded.source + padded.target)};
}

BatchStream::BatchStream(LengthsOfEpoch lengths, const BatchOptions& options, uint64_t seed)
    : lengths_(std::move(lengths)), options_(options), seed_(seed) {
  options_.validate("/train");
  start_epoch(0);
}

void BatchStream::start_epoch(int64_t epoch) {
  const std::vector<Lengths> lengths = lengths_(epoch);
  if (lengths.empty()) throw DataError("/data/train", "no examples to make batches of");
  epoch_ = epoch;
  position_ = 0;
  batches_ = epoch_batches(lengths, options_, seed_, epoch);
  padding_ = padding_share(lengths, batches_);
  fingerprint_ = fingerprint_of(lengths, batches_);
}

const IndexBatch& BatchStream::next() {
  if (position_ == batches_in_epoch()) start_epoch(epoch_ + 1);
  return batches_[static_cast<size_t>(position_++)];
}

config::Json BatchStream::state() const {
  return {{"seed", seed_}, {"epoch", epoch_}, {"position", position_}, {"fingerprint", fingerprint_}};
}

void BatchStream::restore(const config::Json& state) {
  if (const auto seed = state.at("seed").get<uint64_t>(); seed != seed_) {
    throw DataError("/seed", format("got {}, but the run to resume has {}", seed_, seed));
  }
  start_epoch(state.at("epoch").get<int64_t>());
  const auto position = state.at("position").get<int64_t>();
  const bool same_batches = state.at("fingerprint").get<uint64_t>() == fingerprint_;
  if (!same_batches || position < 0 || position > batches_in_epoch()) {
    throw DataError("/data/train",
                    format("the batches of epoch {} are not those of the run to resume: data, tokenizer, "
                           "filter or batch options have changed",
                           epoch_));
  }
  position_ = position;
}

}  // namespace tr::data
