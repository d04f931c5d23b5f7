// A model whose scores are random numbers keyed by source, prefix and token: every sequence's probability is known, and
// a row that a search mixes up with another shows at once.
#pragma once

#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "libtr/base/random.h"
#include "libtr/decode/options.h"

namespace tr::test {

using tokenizer::Ids;

class ToyModel : public models::EncoderDecoder {
 public:
  explicit ToyModel(int64_t vocab = 7, double end_logit = 0) : vocab_(vocab), end_logit_(end_logit) {
    weight_ = register_parameter("weight", at::eye(vocab), /*requires_grad=*/false);  // hidden states are logits
  }

  /// Float32 logits after a prefix.
  virtual std::vector<float> logits(int64_t source, int64_t prefix) const {
    std::vector<float> row;
    for (int64_t id = 0; id < vocab_; ++id) {
      const double uniform = Random(stream_seed(uint64_t(source), "toy", {uint64_t(prefix), uint64_t(id)})).uniform();
      row.push_back(float(4 * uniform + (id == tokenizer::kEos ? end_logit_ : 0)));
    }
    return row;
  }
  static int64_t hash(const Ids& ids) {
    int64_t hash = 0;
    for (const int64_t id : ids) hash = extend(hash, id);
    return hash;
  }
  static int64_t extend(int64_t hash, int64_t id) { return int64_t(mix(uint64_t(hash) * 31 + uint64_t(id)) >> 2); }

  torch::Tensor hidden(const models::Batch& batch) override {
    std::vector<float> all;
    for (int64_t i = 0; i < batch.sentences(); ++i) {
      const int64_t source = hash(row_of(batch.source, i));
      int64_t prefix = 0;
      for (const int64_t id : row_of(batch.target, i)) {
        prefix = extend(prefix, id);
        const auto row = logits(source, prefix);
        all.insert(all.end(), row.begin(), row.end());
      }
    }
    return at::tensor(all, torch::kFloat32).view({-1, vocab_});
  }
  nn::OutputLayer output() override { return {weight_, {}}; }
  double multiply_adds(int64_t, int64_t) const override { return 0; }

  models::DecoderState start(const models::Batch& batch, const models::StartOptions& options) override {
    const int64_t sentences = batch.sentences();
    models::DecoderState state;
    std::vector<int64_t> sources, numbers;
    for (int64_t i = 0; i < sentences; ++i) {
      sources.push_back(hash(row_of(batch.source, i)));
      numbers.push_back(i);
    }
    state.sentences["source"] = at::tensor(sources, torch::kInt64);
    state.sentences["lengths"] = batch.source.lengths;
    state.rows["prefix"] = at::zeros({sentences}, torch::kInt64);
    state.sentence_of_row = at::tensor(numbers, torch::kInt64);
    state.position = at::zeros({sentences}, torch::kInt64);
    if (options.attention) state.rows["attention"] = at::zeros({sentences, batch.source.time()});
    for (int64_t most = capacity; most < options.capacity && !capacity.compare_exchange_weak(most, options.capacity);) {
    }
    return state;
  }
  torch::Tensor step(const torch::Tensor& last_ids, models::DecoderState& state) override {
    const int64_t rows = last_ids.size(0);
    auto prefix = state.rows["prefix"].clone();
    auto hidden = at::empty({rows, vocab_});
    const bool attends = state.rows.contains("attention");
    if (attends) state.rows["attention"] = at::zeros_like(state.rows["attention"]);
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t sentence = state.sentence_of_row[row].item<int64_t>(),
                    position = state.position[row].item<int64_t>();
      const int64_t hash = extend(prefix[row].item<int64_t>(), last_ids[row].item<int64_t>());
      prefix[row] = hash;
      hidden[row] = at::tensor(logits(state.sentences["source"][sentence].item<int64_t>(), hash), torch::kFloat32);
      // Looks at the source token of the same position, at the end when there is none.
      const int64_t place = std::min(position, state.sentences["lengths"][sentence].item<int64_t>() - 1);
      if (attends) state.rows["attention"][row][place] = 1;
    }
    state.rows["prefix"] = prefix;
    state.position = state.position + 1;
    row_steps += rows;
    steps += 1;
    return hidden;
  }
  models::AttentionMaps attention(const models::Batch&) override { return {}; }
  int64_t longest_sentence() const override { return longest; }

  int64_t vocab() const { return vocab_; }
  int64_t longest = 0;
  // Several threads search with one model.
  std::atomic<int64_t> row_steps = 0, steps = 0;
  std::atomic<int64_t> capacity = 0;  ///< the largest that was asked for

 private:
  static Ids row_of(const models::Side& side, int64_t sentence) {
    const auto row = side.ids[sentence].slice(0, 0, side.lengths[sentence].item<int64_t>()).contiguous();
    const auto* data = row.const_data_ptr<int64_t>();
    return {data, data + row.size(0)};
  }

  int64_t vocab_;
  double end_logit_;
  torch::Tensor weight_;
};

/// Log-probability of `ids` and eos, straight from the definition.
inline double log_probability_of(const ToyModel& model, const Ids& source, Ids ids) {
  ids.push_back(tokenizer::kEos);
  const int64_t key = ToyModel::hash(source);
  int64_t prefix = ToyModel::extend(0, tokenizer::kBos);
  double sum = 0;
  for (const int64_t id : ids) {
    const auto logits = model.logits(key, prefix);
    double total = 0;
    for (const float logit : logits) total += std::exp(double(logit));
    sum += logits[id] - std::log(total);
    prefix = ToyModel::extend(prefix, id);
  }
  return sum;
}

struct Lengths {
  int64_t least, most;
};

/// All outputs within the lengths, best score first.
inline decode::Hypotheses brute_force(const ToyModel& model, const Ids& source, Lengths lengths,
                                      const decode::DecodeOptions& options) {
  const auto penalty = options.length_penalty.make();
  decode::Hypotheses all;
  std::vector<Ids> prefixes{{}};
  for (int64_t length = 0; length <= lengths.most; ++length) {
    std::vector<Ids> longer;
    for (const auto& prefix : prefixes) {
      const double log_probability = log_probability_of(model, source, prefix);
      if (length >= lengths.least) {
        all.push_back({prefix, log_probability, penalty->score(log_probability, length + 1), {}});
      }
      for (int64_t id = options.allow_unknown ? tokenizer::kUnk : tokenizer::kUnk + 1; id < model.vocab(); ++id) {
        longer.push_back(prefix);
        longer.back().push_back(id);
      }
    }
    prefixes = longer;
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  return all;
}

/// Beam search as its definition says, one sentence, every token tried, never stopping before all places are taken.
inline decode::Hypotheses naive_beam(const ToyModel& model, const Ids& source, Lengths lengths,
                                     const decode::DecodeOptions& options) {
  const auto penalty = options.length_penalty.make();
  decode::Hypotheses live(1), finished;
  for (int64_t length = 0; length <= lengths.most; ++length) {
    decode::Hypotheses longer;
    for (const auto& hypothesis : live) {
      int64_t prefix = ToyModel::extend(0, tokenizer::kBos);
      for (const int64_t id : hypothesis.ids) prefix = ToyModel::extend(prefix, id);
      const auto logits = model.logits(ToyModel::hash(source), prefix);
      double total = 0;
      for (const float logit : logits) total += std::exp(double(logit));
      for (int64_t id = tokenizer::kEos; id < model.vocab(); ++id) {
        if (id == tokenizer::kEos ? length < lengths.least : length == lengths.most) continue;
        longer.push_back(hypothesis);
        longer.back().ids.push_back(id);
        longer.back().log_probability += logits[id] - std::log(total);
      }
    }
    std::stable_sort(longer.begin(), longer.end(),
                     [](const auto& a, const auto& b) { return a.log_probability > b.log_probability; });
    longer.resize(std::min<size_t>(longer.size(), options.beam - finished.size()));
    live.clear();
    for (auto& hypothesis : longer) {
      const bool ended = hypothesis.ids.back() == tokenizer::kEos;
      if (ended) hypothesis.ids.pop_back();
      hypothesis.score = penalty->score(hypothesis.log_probability, length + 1);
      (ended ? finished : live).push_back(hypothesis);
    }
  }
  std::stable_sort(finished.begin(), finished.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  return finished;
}

/// Sources of 1 to `longest` tokens and eos.
inline std::vector<Ids> random_sources(int64_t count, int64_t longest, int64_t vocab, uint64_t seed) {
  Random random(seed);
  std::vector<Ids> sources;
  for (int64_t i = 0; i < count; ++i) {
    Ids source;
    const int64_t length = 1 + int64_t(random.below(uint64_t(longest)));
    for (int64_t j = 0; j < length; ++j) source.push_back(4 + int64_t(random.below(uint64_t(vocab - 4))));
    source.push_back(tokenizer::kEos);
    sources.push_back(source);
  }
  return sources;
}

inline std::vector<std::vector<Ids>> ids_of(const std::vector<decode::Hypotheses>& results) {
  std::vector<std::vector<Ids>> all;
  for (const auto& list : results) {
    all.emplace_back();
    for (const auto& hypothesis : list) all.back().push_back(hypothesis.ids);
  }
  return all;
}

}  // namespace tr::test
