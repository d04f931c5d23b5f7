#include "libtr/train/updater.h"

#include <algorithm>
#include <utility>

#include "libtr/base/random.h"
#include "libtr/base/sha256.h"
#include "libtr/models/workers.h"
#include "libtr/train/stopwatch.h"

namespace tr::train {

UpdateSums& UpdateSums::operator+=(const UpdateSums& other) {
  loss += other.loss;
  nll += other.nll;
  correct += other.correct;
  tokens += other.tokens;
  phases += other.phases;
  return *this;
}

void BatchHash::add(const models::Batch& batch) {
  Sha256 hash;
  hash.update(hex_);
  for (const auto* side : {&batch.source, &batch.target}) {
    hash.update(side->ids.sizes().data(), sizeof(int64_t) * static_cast<size_t>(side->ids.dim()));
    for (const auto& tensor : {side->ids, side->mask}) hash.update(tensor.const_data_ptr(), tensor.nbytes());
  }
  hash.update(batch.target_output.const_data_ptr(), batch.target_output.nbytes());
  hex_ = hash.hex();
}

namespace {

/// Boundaries of `count` runs of sentences, none empty, of about equally many tokens.
std::vector<int64_t> divide(const std::vector<data::Example>& examples, int64_t count) {
  const auto sentences = static_cast<int64_t>(examples.size());
  std::vector<int64_t> tokens_before{0};
  for (const auto& example : examples) {
    const auto tokens = static_cast<int64_t>(example.source.size() + example.target.size());
    tokens_before.push_back(tokens_before.back() + tokens);
  }
  std::vector<int64_t> boundaries{0};
  for (int64_t part = 1; part < count; ++part) {
    const int64_t wanted = tokens_before.back() * part / count;
    const auto found = std::lower_bound(tokens_before.begin(), tokens_before.end(), wanted) - tokens_before.begin();
    boundaries.push_back(std::clamp<int64_t>(found, boundaries.back() + 1, sentences - (count - part)));
  }
  boundaries.push_back(sentences);
  return boundaries;
}

}  // namespace

Updater::Updater(std::vector<models::SequenceModel*> workers, const UpdaterOptions& options)
    : workers_(std::move(workers)), options_(options) {}

UpdateSums Updater::add_gradient(const std::vector<data::Example>& examples, int64_t update) {
  UpdateSums total;
  const auto whole = timed(total.phases.data, [&] {
    auto batch = models::make_batch(examples);
    hash_.add(batch);
    return batch;
  });
  const int64_t sentences = whole.sentences(), tokens = whole.target_tokens();
  const int64_t workers = std::min(static_cast<int64_t>(workers_.size()), sentences);
  const int64_t parts = std::min(options_.parts * workers, sentences);
  const auto boundaries = divide(examples, parts);
  std::vector<UpdateSums> sums(static_cast<size_t>(parts));
  models::at_the_same_time(workers, [&](int64_t worker) {
    for (int64_t part = parts * worker / workers; part < parts * (worker + 1) / workers; ++part) {
      const auto at = static_cast<size_t>(part);
      const int64_t begin = boundaries[at], end = boundaries[at + 1];
      PhaseTimes phases;
      auto batch = timed(phases.data, [&] {
        return parts == 1 ? whole : models::make_batch({examples.begin() + begin, examples.begin() + end});
      });
      batch.noise.slots = whole.noise.slots.slice(0, begin, end);
      sums[at] = backward(*workers_[static_cast<size_t>(worker)], std::move(batch), update, tokens);
      sums[at].phases += phases;
    }
  });
  UpdateSums of_workers;
  for (const auto& part : sums) of_workers += part;
  auto& phases = of_workers.phases;
  for (double* seconds : {&phases.data, &phases.forward, &phases.loss, &phases.backward}) {
    *seconds /= static_cast<double>(workers);
  }
  total += of_workers;
  total.phases.updates = 1;
  return total;
}

UpdateSums Updater::backward(models::SequenceModel& model, models::Batch batch, int64_t update,
                             int64_t tokens_of_update) const {
  const nn::OutputLayer output = model.output();
  batch.noise.key = stream_seed(options_.seed, "dropout", {static_cast<uint64_t>(update), 0});
  PhaseTimes phases;
  batch = timed(phases.data, [&] { return batch.to(output.weight.device()); });
  const auto hidden = timed(phases.forward, [&] { return model.hidden(batch); });
  const auto sums =
      timed(phases.loss, [&] { return cross_entropy(hidden, output, batch.target_output, options_.loss); });
  timed(phases.backward, [&] { (sums.loss / static_cast<double>(tokens_of_update)).backward(); });
  return {sums.loss.item<double>(), sums.nll.item<double>(), sums.correct.item<int64_t>(), batch.target_tokens(),
          phases};
}

}  // namespace tr::train
