#include "libtr/models/batch.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/index_select.h>

#include <algorithm>
#include <functional>

namespace tr::models {
namespace {

using Sentences = std::vector<std::reference_wrapper<const tokenizer::Ids>>;

/// Pads on the right.
Side make_side(const Sentences& sentences) {
  const auto batch = static_cast<int64_t>(sentences.size());
  size_t longest = 0, shortest = SIZE_MAX;
  for (const tokenizer::Ids& ids : sentences) {
    longest = std::max(longest, ids.size());
    shortest = std::min(shortest, ids.size());
  }
  const auto time = static_cast<int64_t>(longest);
  Side side{at::full({batch, time}, tokenizer::kPad, at::kLong), {}, at::empty({batch}, at::kLong), shortest < longest};
  auto* ids = side.ids.mutable_data_ptr<int64_t>();
  auto* length = side.lengths.mutable_data_ptr<int64_t>();
  for (const tokenizer::Ids& sentence : sentences) {
    std::copy(sentence.begin(), sentence.end(), ids);
    ids += time;
    *length++ = static_cast<int64_t>(sentence.size());
  }
  side.mask = at::arange(time) < side.lengths.unsqueeze(1);  // [batch, time]
  return side;
}

Sentences sources_of(const std::vector<data::Example>& examples) {
  Sentences sources;
  for (const auto& example : examples) sources.emplace_back(example.source);
  return sources;
}

Side to_device(const Side& side, const torch::Device& device) {
  if (!side.ids.defined()) return side;
  return {side.ids.to(device), side.mask.to(device), side.lengths.to(device), side.any_padding};
}

torch::Tensor to_device(const torch::Tensor& tensor, const torch::Device& device) {
  return tensor.defined() ? tensor.to(device) : tensor;
}

}  // namespace

Batch Batch::to(const torch::Device& device) const {
  return {to_device(source, device),
          to_device(target, device),
          to_device(target_rows, device),
          to_device(target_output, device),
          {noise.key, noise.slots, noise.first_position}};
}

Batch make_batch(const std::vector<data::Example>& examples) {
  Batch batch;
  batch.source = make_side(sources_of(examples));
  std::vector<tokenizer::Ids> read(examples.size());  // what the decoder reads: the target shifted by one
  tokenizer::Ids said;
  for (size_t i = 0; i < examples.size(); ++i) {
    const tokenizer::Ids& target = examples[i].target;
    read[i].push_back(tokenizer::kBos);
    read[i].insert(read[i].end(), target.begin(), target.end() - 1);
    said.insert(said.end(), target.begin(), target.end());
  }
  batch.target = make_side({read.begin(), read.end()});
  batch.target_rows = batch.target.mask.flatten().nonzero().squeeze(1);
  batch.target_output = at::empty({static_cast<int64_t>(said.size())}, at::kLong);
  std::copy(said.begin(), said.end(), batch.target_output.mutable_data_ptr<int64_t>());
  batch.noise.slots = at::arange(batch.sentences(), at::kLong);
  return batch;
}

Batch make_source_batch(const std::vector<tokenizer::Ids>& sources) {
  Batch batch;
  batch.source = make_side({sources.begin(), sources.end()});
  batch.noise.slots = at::arange(batch.sentences(), at::kLong);
  return batch;
}

torch::Tensor drop_pads(const torch::Tensor& x, const Batch& batch) {
  const auto rows = x.reshape({-1, x.size(-1)});
  return batch.target.any_padding ? rows.index_select(0, batch.target_rows) : rows;
}

}  // namespace tr::models
