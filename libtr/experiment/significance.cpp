#include "libtr/experiment/significance.h"

#include "libtr/base/files.h"
#include "libtr/data/text.h"
#include "libtr/metrics/significance.h"

namespace tr::experiment {
namespace fs = std::filesystem;
using config::Json;
using metrics::SentenceCounts;
namespace {

/// Counts of one model, by seed; empty where a run has no hypotheses because it diverged before its first checkpoint.
using CountsBySeed = std::vector<std::optional<SentenceCounts>>;

/// One metric's way to count and to score.
struct Metric {
  std::string name;
  std::function<SentenceCounts(const std::vector<std::string>& hypotheses, const metrics::References&)> count;
  metrics::ScoreOfSum score;
};

std::vector<Metric> metrics_of(const train::EvaluateOptions& options) {
  const metrics::BleuOptions bleu = options.bleu.bleu;
  const metrics::ChrfOptions chrf = options.chrf.chrf;
  return {{"bleu",
           [bleu](const auto& hypotheses, const auto& references) {
             return metrics::bleu_counts(hypotheses, references, bleu);
           },
           metrics::bleu_score(bleu)},
          {"chrf",
           [chrf](const auto& hypotheses, const auto& references) {
             return metrics::chrf_counts(hypotheses, references, chrf);
           },
           metrics::chrf_score(chrf)}};
}

CountsBySeed counts_by_seed(const Experiment& experiment, const std::string& model, const fs::path& folder,
                            const Metric& metric, const std::vector<std::string>& references) {
  const std::string test = experiment.models.front().options.data.test.front().first;
  CountsBySeed counts;
  for (const int64_t seed : experiment.seeds) {
    const fs::path file = folder / model / ("seed-" + std::to_string(seed)) / "hypotheses" / (test + ".txt");
    counts.emplace_back();
    if (fs::exists(file)) counts.back() = metric.count(data::split_lines(read_file(file), file.string()), references);
  }
  return counts;
}

Json comparison(const std::string& a_name, const std::string& b_name, const Metric& metric, const Json& seed,
                const SentenceCounts& a, const SentenceCounts& b) {
  const metrics::BootstrapTest bootstrap = metrics::paired_bootstrap(a, b, metric.score);
  const metrics::RandomizationTest randomization = metrics::approximate_randomization(a, b, metric.score);
  return {{"a", a_name},
          {"b", b_name},
          {"metric", metric.name},
          {"seed", seed},
          {"difference", bootstrap.difference},
          {"difference_low", bootstrap.difference_interval.low},
          {"difference_high", bootstrap.difference_interval.high},
          {"bootstrap_p", bootstrap.p_value},
          {"randomisation_p", randomization.p_value}};
}

/// Of each seed, and with several seeds of all their sentences, one seed's behind the other's.
void add_comparisons(Json& pairs, const std::string& a_name, const std::string& b_name, const Metric& metric,
                     const std::vector<int64_t>& seeds, const CountsBySeed& a, const CountsBySeed& b) {
  std::optional<SentenceCounts> all_a, all_b;
  for (size_t i = 0; i < seeds.size(); ++i) {
    if (!a[i] || !b[i]) continue;
    pairs.push_back(comparison(a_name, b_name, metric, seeds[i], *a[i], *b[i]));
    if (all_a) {
      all_a->append(*a[i]);
      all_b->append(*b[i]);
    } else {
      all_a = a[i];
      all_b = b[i];
    }
  }
  if (all_a && seeds.size() > 1) pairs.push_back(comparison(a_name, b_name, metric, "all", *all_a, *all_b));
}

Json compare_pairs(const Experiment& experiment, const fs::path& folder) {
  Json pairs = Json::array();
  const RunOptions& options = experiment.models.front().options;
  if (options.data.test.empty()) return pairs;
  const auto references = options.data.test.front().second.make("/data/test").target;
  for (const Metric& metric : metrics_of(options.evaluate)) {
    std::vector<CountsBySeed> counts;
    for (const auto& model : experiment.models) {
      counts.push_back(counts_by_seed(experiment, model.name, folder, metric, references));
    }
    for (size_t a = 0; a < counts.size(); ++a) {
      for (size_t b = a + 1; b < counts.size(); ++b) {
        add_comparisons(pairs, experiment.models[a].name, experiment.models[b].name, metric, experiment.seeds,
                        counts[a], counts[b]);
      }
    }
  }
  return pairs;
}

}  // namespace

Json significance(const Experiment& experiment, const fs::path& folder) {
  const bool one_seed = experiment.seeds.size() == 1;
  return {{"note", one_seed ? "one seed: the tests cover the choice of test sentences only, not that of the seed"
                            : "each seed's test covers the choice of test sentences; \"all\" puts the sentences of all "
                              "seeds one behind the other"},
          {"pairs", compare_pairs(experiment, folder)}};
}

}  // namespace tr::experiment
