#include "libtr/decode/beam.h"

#include <algorithm>
#include <limits>

#include "libtr/decode/candidates.h"

namespace tr::decode {
namespace {

// An unfinished hypothesis; `row` is its row in the last step.
struct Live {
  int64_t row;
  int64_t node = History::kRoot;
  double log_probability = 0;
  int64_t last_id = tokenizer::kBos;
};

struct Finished {
  int64_t node;
  double log_probability;
  double score;
};

struct Beam {
  int64_t sentence;
  std::vector<Live> live;          // best first
  std::vector<Finished> finished;  // best first; of equal ones the earlier first
};

struct Extension {
  const Live* from;
  int64_t id;
  double log_probability;
};

// One step of one beam after the other; the scorer has done the work for all of them.
class BeamStep {
 public:
  BeamStep(const DecodeOptions& options, const LengthPenalty& penalty, const SearchBatch& batch, History& history)
      : options_(options), penalty_(penalty), batch_(batch), history_(history) {}

  // `length`: tokens of the live hypotheses so far.
  void extend(Beam& beam, const Candidates& best, int64_t length) const;
  bool is_done(const Beam& beam) const;
  Hypotheses best_of(const Beam& beam) const;

 private:
  std::vector<Extension> extensions(const Beam& beam, const Candidates& best, int64_t length) const;
  void finish(Beam& beam, const Extension& extension, int64_t length) const;

  const DecodeOptions& options_;
  const LengthPenalty& penalty_;
  const SearchBatch& batch_;
  History& history_;
};

std::vector<Extension> BeamStep::extensions(const Beam& beam, const Candidates& best, int64_t length) const {
  std::vector<Extension> all;
  for (const auto& live : beam.live) {
    if (length == batch_.max_length[beam.sentence]) {
      all.push_back({&live, tokenizer::kEos, live.log_probability + best.end_log_probability(live.row)});
      continue;
    }
    for (int64_t rank = 0; rank < best.width(); ++rank) {
      const int64_t id = best.id(live.row, rank);
      if (id == tokenizer::kEos && length < batch_.min_length[beam.sentence]) continue;
      const double log_probability = best.log_probability(live.row, rank);
      if (log_probability == -std::numeric_limits<double>::infinity()) break;  // only what is never produced is left
      all.push_back({&live, id, live.log_probability + log_probability});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Extension& a, const Extension& b) { return a.log_probability > b.log_probability; });
  return all;
}

void BeamStep::finish(Beam& beam, const Extension& extension, int64_t length) const {
  const int64_t node = history_.add(extension.from->node, tokenizer::kEos, extension.from->row);
  const double score = penalty_.score(extension.log_probability, length + 1);
  const auto place = std::upper_bound(beam.finished.begin(), beam.finished.end(), score,
                                      [](double value, const Finished& other) { return value > other.score; });
  beam.finished.insert(place, {node, extension.log_probability, score});
}

void BeamStep::extend(Beam& beam, const Candidates& best, int64_t length) const {
  auto all = extensions(beam, best, length);
  const int64_t places = options_.beam - std::ssize(beam.finished);
  all.resize(std::min<size_t>(all.size(), places));
  std::vector<Live> live;
  for (const auto& extension : all) {
    if (extension.id == tokenizer::kEos) {
      finish(beam, extension, length);
    } else {
      const int64_t row = extension.from->row;
      live.push_back(
          {row, history_.add(extension.from->node, extension.id, row), extension.log_probability, extension.id});
    }
  }
  beam.live = std::move(live);
}

bool BeamStep::is_done(const Beam& beam) const {
  if (beam.live.empty()) return true;
  if (std::ssize(beam.finished) < options_.n_best) return false;
  const int64_t longest = batch_.max_length[beam.sentence] + 1;
  return beam.finished[options_.n_best - 1].score >= penalty_.bound(beam.live.front().log_probability, longest);
}

Hypotheses BeamStep::best_of(const Beam& beam) const {
  Hypotheses best;
  for (const auto& [node, log_probability, score] : beam.finished) {
    if (std::ssize(best) == options_.n_best) break;
    best.push_back(history_.hypothesis(node, std::ssize(batch_.sources[beam.sentence])));
    best.back().log_probability = log_probability;
    best.back().score = score;
  }
  return best;
}

}  // namespace

BeamSearch::BeamSearch(const DecodeOptions& options) : options_(options), penalty_(options.length_penalty.make()) {}

std::vector<Hypotheses> BeamSearch::run(Scorer& scorer, const SearchBatch& batch) {
  std::vector<Hypotheses> results(batch.sources.size());
  std::vector<Beam> beams;
  for (int64_t sentence = 0; sentence < std::ssize(batch.sources); ++sentence) {
    beams.push_back({sentence, {{.row = sentence}}, {}});
  }
  std::vector<int64_t> last_ids(beams.size(), tokenizer::kBos);
  History history;
  const BeamStep step(options_, *penalty_, batch, history);
  for (int64_t length = 0; !beams.empty(); ++length) {
    // One more than the beam: where the end of the sentence may not follow yet, it takes a rank for nothing.
    const Candidates best(scorer.step(last_ids), options_.beam + 1, options_.allow_unknown);
    history.start_step(scorer.attention());
    std::vector<int64_t> kept;
    last_ids.clear();
    std::vector<Beam> going_on;
    for (auto& beam : beams) {
      step.extend(beam, best, length);
      if (step.is_done(beam)) {
        results[beam.sentence] = step.best_of(beam);
        continue;
      }
      for (auto& live : beam.live) {
        kept.push_back(live.row);
        last_ids.push_back(live.last_id);
        live.row = std::ssize(kept) - 1;
      }
      going_on.push_back(std::move(beam));
    }
    beams = std::move(going_on);
    if (!beams.empty()) scorer.gather(kept);
  }
  return results;
}

}  // namespace tr::decode
