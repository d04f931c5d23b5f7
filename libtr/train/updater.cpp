#include "libtr/train/updater.h"

#include <algorithm>

#include "libtr/base/random.h"
#include "libtr/base/sha256.h"

namespace tr::train {

UpdateSums& UpdateSums::operator+=(const UpdateSums& other) {
  loss += other.loss;
  nll += other.nll;
  correct += other.correct;
  tokens += other.tokens;
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

Updater::Updater(models::SequenceModel& model, const UpdaterOptions& options) : model_(model), options_(options) {}

UpdateSums Updater::add_gradient(const std::vector<data::Example>& examples, int64_t update) {
  const auto whole = models::make_batch(examples);
  hash_.add(whole);
  const int64_t sentences = whole.sentences(), parts = std::min(options_.parts, sentences);
  if (parts == 1) return backward(whole, update, whole.target_tokens());
  UpdateSums sums;
  for (int64_t part = 0; part < parts; ++part) {
    const int64_t begin = sentences * part / parts, end = sentences * (part + 1) / parts;
    auto batch = models::make_batch({examples.begin() + begin, examples.begin() + end});
    batch.noise.slots = whole.noise.slots.slice(0, begin, end);
    sums += backward(std::move(batch), update, whole.target_tokens());
  }
  return sums;
}

UpdateSums Updater::backward(models::Batch batch, int64_t update, int64_t tokens_of_update) {
  const nn::OutputLayer output = model_.output();
  batch.noise.key = stream_seed(options_.seed, "dropout", {static_cast<uint64_t>(update), 0});
  batch = batch.to(output.weight.device());
  const auto sums = cross_entropy(model_.hidden(batch), output, batch.target_output, options_.loss);
  (sums.loss / static_cast<double>(tokens_of_update)).backward();
  return {sums.loss.item<double>(), sums.nll.item<double>(), sums.correct.item<int64_t>(), batch.target_tokens()};
}

}  // namespace tr::train
