#include "libtr/decode/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <set>

#include "libtr/data/batcher.h"
#include "libtr/data/dataset.h"
#include "libtr/decode/beam.h"
#include "libtr/decode/evaluation_mode.h"
#include "libtr/decode/greedy.h"
#include "libtr/decode/sampling.h"
#include "libtr/models/workers.h"
#include "libtr/nn/constant_weights.h"

namespace tr::decode {
namespace {

struct BeamOptions : config::NoOptions {};

std::shared_ptr<Search> make_beam(const BeamOptions&, const DecodeOptions& options) {
  if (options.beam == 1) return std::make_shared<GreedySearch>(options);
  return std::make_shared<BeamSearch>(options);
}

std::shared_ptr<Search> make_sampling(const SamplingOptions& sampling, const DecodeOptions& options) {
  return std::make_shared<Sampling>(sampling, options);
}

bool is_empty(const tokenizer::Ids& source) { return source.empty() || source == tokenizer::Ids{tokenizer::kEos}; }

// Lengths depend on the sentence alone, never on its batch.
int64_t longest_output(const tokenizer::Ids& source, int64_t longest_sentence, const DecodeOptions& options) {
  const double tokens = static_cast<double>(source.size() - 1);
  const double most = std::floor(options.max_length_ratio * tokens) + static_cast<double>(options.max_length_extra);
  const int64_t limit = longest_sentence == 0 ? std::numeric_limits<int32_t>::max() : longest_sentence - 1;
  return most < static_cast<double>(limit) ? static_cast<int64_t>(most) : limit;
}

SearchBatch make_search_batch(std::vector<tokenizer::Ids> sources, int64_t longest_sentence,
                              const DecodeOptions& options) {
  SearchBatch batch{.sources = std::move(sources), .min_length = {}, .max_length = {}};
  for (auto& source : batch.sources) {
    batch.max_length.push_back(longest_output(source, longest_sentence, options));
    batch.min_length.push_back(std::min(options.min_length, batch.max_length.back()));
    source = data::cut(std::move(source), longest_sentence);
  }
  return batch;
}

// Groups of places in `sources`, longest first, enough for each worker if there are sentences enough; empty sentences
// are in none.
std::vector<std::vector<int64_t>> groups_of(const std::vector<tokenizer::Ids>& sources, const DecodeOptions& options,
                                            int64_t workers) {
  std::vector<int64_t> places;
  std::vector<data::Lengths> lengths;
  for (int64_t place = 0; place < std::ssize(sources); ++place) {
    if (is_empty(sources[place])) continue;
    places.push_back(place);
    lengths.push_back({.source = std::ssize(sources[place])});
  }
  const int64_t share = std::max<int64_t>(1, (std::ssize(places) + workers - 1) / workers);
  auto groups = data::evaluation_batches(
      lengths, {.batch_tokens = options.batch_tokens, .batch_sentences = std::min(options.batch_sentences, share)});
  for (auto& group : groups) {
    for (auto& index : group) index = places[index];
  }
  return groups;
}

// Keeps the first of each text, at most n.
Hypotheses distinct(const Hypotheses& all, int64_t n, const TranslateExtras& extras) {
  Hypotheses kept;
  std::set<std::string> texts;
  for (const auto& hypothesis : all) {
    if (std::ssize(kept) == n) break;
    if (texts.insert(extras.text(hypothesis.ids)).second) kept.push_back(hypothesis);
  }
  return kept;
}

}  // namespace

Searches& searches() {
  static Searches table = [] {
    Searches searches("search");
    searches.add<BeamOptions>("beam", "the best of `beam` hypotheses; greedy for a beam of 1",
                              "Graves 2012, section 2.5; Sutskever et al. 2014, section 3.2", make_beam);
    searches.add<SamplingOptions>("sampling", "draws from the model's distribution, n_best times",
                                  "Fan et al. 2018, section 5.4; Holtzman et al. 2020, section 3.1", make_sampling);
    return searches;
  }();
  return table;
}

std::vector<Hypotheses> translate(const std::vector<Scorer*>& scorers, const std::vector<tokenizer::Ids>& sources,
                                  const DecodeOptions& options, const TranslateExtras& extras) {
  const at::NoGradGuard no_grad;
  const bool choose = !options.keep_duplicates && extras.text;
  DecodeOptions wider = options;
  if (choose && options.search.type() == "beam") wider.n_best = options.beam;  // some may fall away
  std::vector<Hypotheses> results(sources.size(), Hypotheses(1));
  const auto groups = groups_of(sources, options, std::ssize(scorers));
  int64_t done = std::count_if(sources.begin(), sources.end(), is_empty);
  std::mutex progress;
  models::share_out(std::ssize(scorers), std::ssize(groups), [&](int64_t worker, int64_t item) {
    Scorer& scorer = *scorers[worker];
    const auto& group = groups[item];
    std::vector<tokenizer::Ids> chosen;
    for (const int64_t place : group) chosen.push_back(sources[place]);
    SearchBatch batch = make_search_batch(std::move(chosen), scorer.longest_sentence(), options);
    batch.attention = extras.attention;
    const int64_t capacity = *std::max_element(batch.max_length.begin(), batch.max_length.end()) + 1;
    scorer.start(batch.sources, {.capacity = capacity, .attention = extras.attention});
    auto found = options.search.make(wider)->run(scorer, batch);
    for (size_t i = 0; i < group.size(); ++i) {
      results[group[i]] = choose ? distinct(found[i], options.n_best, extras) : std::move(found[i]);
    }
    const std::lock_guard one_call_at_a_time(progress);
    done += std::ssize(group);
    if (extras.progress) extras.progress(done);
  });
  return results;
}

std::vector<Hypotheses> translate(Scorer& scorer, const std::vector<tokenizer::Ids>& sources,
                                  const DecodeOptions& options, const TranslateExtras& extras) {
  return translate(std::vector<Scorer*>{&scorer}, sources, options, extras);
}

std::vector<Hypotheses> translate(models::EncoderDecoder& model, const std::vector<tokenizer::Ids>& sources,
                                  const DecodeOptions& options, const TranslateExtras& extras) {
  const EvaluationMode evaluation(model);
  const nn::ConstantWeights constant;
  std::vector<std::unique_ptr<ModelScorer>> owned;
  std::vector<Scorer*> scorers;
  for (int64_t i = 0; i < models::workers_on(model.output().weight.device()); ++i) {
    scorers.push_back(owned.emplace_back(std::make_unique<ModelScorer>(model)).get());
  }
  return translate(scorers, sources, options, extras);
}

}  // namespace tr::decode
