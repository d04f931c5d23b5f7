#include "libtr/decode/sampling.h"

#include <ATen/ops/logsumexp.h>
#include <ATen/ops/topk.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "libtr/base/random.h"
#include "libtr/decode/candidates.h"

namespace tr::decode {
namespace {

struct SampleRow {
  int64_t sentence, sample;
  Random random;
  int64_t node = History::kRoot;
  double log_probability = 0;
};

struct DrawnToken {
  int64_t id;
  double log_probability;
};

// What a step of all rows needs beside them.
struct Step {
  const SearchBatch& batch;
  const SamplingOptions& sampling;
  bool allow_unknown;
};

uint64_t hash_of(const tokenizer::Ids& ids) {
  uint64_t hash = 0;
  for (const int64_t id : ids) hash = mix(hash ^ static_cast<uint64_t>(id));
  return hash;
}

// Index into `logits`, drawn with probability exp(logit / temperature) among those that top_p leaves.
int64_t draw(const float* logits, int64_t width, const SamplingOptions& options, double uniform) {
  const float largest = *std::max_element(logits, logits + width);
  std::vector<double> sums(width);
  double sum = 0;
  for (int64_t i = 0; i < width; ++i) sums[i] = sum += std::exp((double(logits[i]) - largest) / options.temperature);
  if (options.top_p < 1) sum = *std::lower_bound(sums.begin(), sums.end(), options.top_p * sum);
  // uniform * sum may round up to sum itself, behind which there is nothing.
  const auto drawn = std::upper_bound(sums.begin(), sums.end(), uniform * sum) - sums.begin();
  return std::min<int64_t>(drawn, std::lower_bound(sums.begin(), sums.end(), sum) - sums.begin());
}

// The next token of each row. Changes `logits` [rows, vocab], which lie on the CPU.
class Drawing {
 public:
  Drawing(torch::Tensor logits, const SamplingOptions& options) : options_(options) {
    const int64_t vocab = logits.size(1);
    const bool cut = options.top_k > 0 || options.top_p < 1;
    width_ = cut && options.top_k > 0 ? std::min(options.top_k, vocab) : vocab;
    if (cut) std::tie(logits, ids_) = at::topk(logits, width_, 1);  // sorted, as top_p needs them
    logits_ = logits.contiguous();
  }
  int64_t id(int64_t row, Random& random) const {
    const float* logits = logits_.const_data_ptr<float>() + row * width_;
    const int64_t drawn = draw(logits, width_, options_, random.uniform());
    return ids_.defined() ? ids_.const_data_ptr<int64_t>()[row * width_ + drawn] : drawn;
  }

 private:
  const SamplingOptions& options_;
  int64_t width_;
  torch::Tensor logits_, ids_;  // [rows, width]; without ids the place is the id
};

std::vector<SampleRow> first_rows(const SearchBatch& batch, int64_t samples, int64_t seed) {
  std::vector<SampleRow> rows;
  for (int64_t sentence = 0; sentence < std::ssize(batch.sources); ++sentence) {
    const uint64_t source = hash_of(batch.sources[sentence]);
    for (int64_t sample = 0; sample < samples; ++sample) {
      const uint64_t stream =
          stream_seed(static_cast<uint64_t>(seed), "sampling", {source, static_cast<uint64_t>(sample)});
      rows.push_back({sentence, sample, Random(stream)});
    }
  }
  return rows;
}

// One step of all rows.
std::vector<DrawnToken> next_of(torch::Tensor logits, std::vector<SampleRow>& rows, int64_t length, const Step& step) {
  const auto sums = at::logsumexp(logits, 1);
  require_finite(sums);
  const int64_t vocab = logits.size(1);
  const auto raw = logits.clone();
  forbid_specials(logits, step.allow_unknown);
  float* data = logits.mutable_data_ptr<float>();
  for (int64_t row = 0; row < std::ssize(rows); ++row) {
    const bool too_short = length < step.batch.min_length[rows[row].sentence];
    if (too_short) data[row * vocab + tokenizer::kEos] = -std::numeric_limits<float>::infinity();
  }
  const Drawing drawing(logits, step.sampling);
  std::vector<DrawnToken> next;
  for (int64_t row = 0; row < std::ssize(rows); ++row) {
    const bool full = length == step.batch.max_length[rows[row].sentence];
    const int64_t id = full ? tokenizer::kEos : drawing.id(row, rows[row].random);
    const double logit = raw.const_data_ptr<float>()[row * vocab + id];
    next.push_back({id, std::min(0.0, logit - sums.const_data_ptr<float>()[row])});
  }
  return next;
}

}  // namespace

Sampling::Sampling(const SamplingOptions& sampling, const DecodeOptions& options)
    : sampling_(sampling), options_(options), penalty_(options.length_penalty.make()) {}

std::vector<Hypotheses> Sampling::run(Scorer& scorer, const SearchBatch& batch) {
  std::vector<Hypotheses> samples(batch.sources.size(), Hypotheses(options_.n_best));
  auto rows = first_rows(batch, options_.n_best, sampling_.seed);
  std::vector<int64_t> kept;
  for (const auto& row : rows) kept.push_back(row.sentence);
  scorer.gather(kept);
  std::vector<int64_t> last_ids(rows.size(), tokenizer::kBos);
  const Step step{batch, sampling_, options_.allow_unknown};
  History history;
  for (int64_t length = 0; !rows.empty(); ++length) {
    const auto next = next_of(scorer.step(last_ids).cpu().contiguous(), rows, length, step);
    history.start_step(scorer.attention());
    kept.clear();
    last_ids.clear();
    std::vector<SampleRow> going_on;
    for (int64_t i = 0; i < std::ssize(rows); ++i) {
      SampleRow row = rows[i];
      row.node = history.add(row.node, next[i].id, i);
      row.log_probability += next[i].log_probability;
      if (next[i].id == tokenizer::kEos) {
        auto& sample = samples[row.sentence][row.sample];
        sample = history.hypothesis(row.node, std::ssize(batch.sources[row.sentence]));
        sample.log_probability = row.log_probability;
        sample.score = penalty_->score(row.log_probability, length + 1);
        continue;
      }
      kept.push_back(i);
      last_ids.push_back(next[i].id);
      going_on.push_back(row);
    }
    rows = std::move(going_on);
    if (!rows.empty()) scorer.gather(kept);
  }
  return samples;
}

}  // namespace tr::decode
