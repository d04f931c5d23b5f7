// Sampling: draws follow the distribution that the options describe.
#include "libtr/decode/sampling.h"

#include <set>

#include "tests/decode/toy_model.h"
#include "tests/support.h"

namespace tr::decode {
namespace {

using namespace tr::test;

DecodeOptions options_of(SamplingOptions sampling, int64_t samples) {
  DecodeOptions options;
  options.search = config::Choice<searches>("sampling", sampling);
  options.n_best = samples;
  return options;
}

// Share of each first token (kEos where the output is empty) among 20000 samples of one sentence.
std::vector<double> first_tokens(ToyModel& model, const Ids& source, const SamplingOptions& sampling) {
  auto options = options_of(sampling, 20000);
  options.max_length_ratio = 0;
  options.max_length_extra = 1;
  std::vector<double> share(model.vocab());
  const auto samples = translate(model, {source}, options);
  for (const auto& sample : samples[0]) {
    share[sample.ids.empty() ? tokenizer::kEos : sample.ids[0]] += 1.0 / 20000;
  }
  return share;
}

// The distribution after bos by its definition: cuts keep the most probable ids.
std::vector<double> expected_shares(const ToyModel& model, const Ids& source, const SamplingOptions& sampling) {
  const auto logits = model.logits(ToyModel::hash(source), ToyModel::extend(0, tokenizer::kBos));
  std::vector<std::pair<double, int64_t>> ranked;
  for (int64_t id = tokenizer::kEos; id < model.vocab(); ++id) {
    ranked.emplace_back(std::exp(logits[id] / sampling.temperature), id);
  }
  std::sort(ranked.rbegin(), ranked.rend());
  if (sampling.top_k > 0) ranked.resize(sampling.top_k);
  double total = 0, kept = 0;
  for (const auto& entry : ranked) total += entry.first;
  size_t count = 0;
  while (count < ranked.size() && kept < sampling.top_p * total) kept += ranked[count++].first;
  std::vector<double> shares(model.vocab());
  for (size_t i = 0; i < count; ++i) shares[ranked[i].second] = ranked[i].first / kept;
  return shares;
}

TEST_CASE("samples follow temperature, top_k and top_p") {
  const auto sampling =
      GENERATE(SamplingOptions{}, SamplingOptions{.temperature = 3}, SamplingOptions{.temperature = 0.4},
               SamplingOptions{.top_k = 3}, SamplingOptions{.top_p = 0.7},
               SamplingOptions{.temperature = 2, .top_k = 5, .top_p = 0.8});
  ToyModel model(10);
  const Ids source{5, 6, 2};
  const auto found = first_tokens(model, source, sampling), expected = expected_shares(model, source, sampling);
  for (int64_t id = 0; id < 10; ++id) {
    CHECK(found[id] == Approx(expected[id]).margin(0.015));  // four standard deviations
    if (expected[id] == 0) CHECK(found[id] == 0);            // cut off; what is merely rare may not have come up
  }
}

TEST_CASE("sampling from the most probable token alone is greedy search") {
  ToyModel model(10);
  const auto sources = random_sources(20, 5, 10, 1);
  DecodeOptions greedy;
  greedy.beam = 1;
  const auto expected = ids_of(translate(model, sources, greedy));
  CHECK(ids_of(translate(model, sources, options_of({.top_k = 1}, 1))) == expected);
  CHECK(ids_of(translate(model, sources, options_of({.top_p = 1e-6}, 1))) == expected);
  CHECK(ids_of(translate(model, sources, options_of({.temperature = 1e-4}, 1))) == expected);
}

TEST_CASE("a seed settles the samples, and fewer samples are a prefix of more", "[F41]") {
  ToyModel model(10);
  const auto sources = random_sources(10, 5, 10, 2);
  const auto samples = ids_of(translate(model, sources, options_of({.seed = 3}, 4)));
  CHECK(ids_of(translate(model, sources, options_of({.seed = 3}, 4))) == samples);
  CHECK(ids_of(translate(model, sources, options_of({.seed = 4}, 4))) != samples);
  const auto fewer = ids_of(translate(model, sources, options_of({.seed = 3}, 2)));
  for (size_t i = 0; i < sources.size(); ++i)
    CHECK(fewer[i] == std::vector<Ids>(samples[i].begin(), samples[i].begin() + 2));
  CHECK(std::set<Ids>(samples[0].begin(), samples[0].end()).size() > 1);
}

}  // namespace
}  // namespace tr::decode
