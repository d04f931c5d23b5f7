#include "libtr/decode/greedy.h"

#include <algorithm>

#include "libtr/decode/candidates.h"

namespace tr::decode {
namespace {

struct GreedyRow {
  int64_t sentence;
  int64_t node = History::kRoot;
  double log_probability = 0;
};

// The token that follows: the best one, eos where nothing else may follow, anything but eos while too short.
struct BestToken {
  int64_t id;
  double log_probability;
};
BestToken next_of(const Candidates& best, int64_t row, int64_t length, const SearchBatch& batch, int64_t sentence) {
  if (length == batch.max_length[sentence]) return {tokenizer::kEos, best.end_log_probability(row)};
  const bool skip = best.id(row, 0) == tokenizer::kEos && length < batch.min_length[sentence];
  return {best.id(row, skip), best.log_probability(row, skip)};
}

}  // namespace

GreedySearch::GreedySearch(const DecodeOptions& options) : options_(options), penalty_(options.length_penalty.make()) {}

std::vector<Hypotheses> GreedySearch::run(Scorer& scorer, const SearchBatch& batch) {
  std::vector<Hypotheses> finished(batch.sources.size());
  std::vector<GreedyRow> rows;
  for (int64_t sentence = 0; sentence < std::ssize(batch.sources); ++sentence) rows.push_back({sentence});
  std::vector<int64_t> last_ids(rows.size(), tokenizer::kBos);
  const bool minimum = std::any_of(batch.min_length.begin(), batch.min_length.end(), [](int64_t n) { return n > 0; });
  History history;
  for (int64_t length = 0; !rows.empty(); ++length) {
    const Candidates best(scorer.step(last_ids), minimum ? 2 : 1, options_.allow_unknown);
    history.start_step(scorer.attention());
    std::vector<int64_t> kept;
    std::vector<GreedyRow> going_on;
    last_ids.clear();
    for (int64_t i = 0; i < std::ssize(rows); ++i) {
      GreedyRow row = rows[i];
      const auto [id, log_probability] = next_of(best, i, length, batch, row.sentence);
      row.node = history.add(row.node, id, i);
      row.log_probability += log_probability;
      if (id == tokenizer::kEos) {
        Hypothesis hypothesis = history.hypothesis(row.node, std::ssize(batch.sources[row.sentence]));
        hypothesis.log_probability = row.log_probability;
        hypothesis.score = penalty_->score(row.log_probability, length + 1);
        finished[row.sentence].push_back(std::move(hypothesis));
      } else {
        kept.push_back(i);
        going_on.push_back(row);
        last_ids.push_back(id);
      }
    }
    rows = std::move(going_on);
    if (!rows.empty()) scorer.gather(kept);
  }
  return finished;
}

}  // namespace tr::decode
