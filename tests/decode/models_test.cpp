// Laws of decoding for every model of the table and its variants, with random weights.
#include <ATen/Parallel.h>
#include <ATen/ops/ones.h>

#include <algorithm>

#include "libtr/decode/beam.h"
#include "libtr/decode/evaluation_mode.h"
#include "libtr/decode/forced.h"
#include "libtr/decode/options.h"
#include "tests/models/small_models.h"
#include "tests/support.h"

namespace tr::decode {
namespace {

using namespace tr::test;
using tokenizer::Ids;

// Scores of random weights lie close together; larger ones pull them apart, so that rounding decides nothing.
std::shared_ptr<models::EncoderDecoder> sharp_model(const Variant& variant) {
  auto model = make_model(variant);
  const at::NoGradGuard no_grad;
  model->output().weight.mul_(6);
  return model;
}

std::vector<Ids> sources_of(int64_t count) {
  std::vector<Ids> sources;
  for (const auto& example : random_examples(count, 9)) sources.push_back(example.source);
  return sources;
}

DecodeOptions options_of(int64_t beam, int64_t n_best) {
  DecodeOptions options;
  options.beam = beam;
  options.n_best = n_best;
  options.max_length_ratio = 1;
  options.max_length_extra = 4;
  return options;
}

// Places whose best hypotheses differ.
int64_t differences(const std::vector<Hypotheses>& a, const std::vector<Hypotheses>& b) {
  REQUIRE(a.size() == b.size());
  int64_t count = 0;
  for (size_t i = 0; i < a.size(); ++i) count += a[i][0].ids != b[i][0].ids;
  return count;
}

TEST_CASE("for every model a beam of 1 is greedy search", "[F16]") {
  const auto sources = sources_of(16);
  for (const auto& variant : every_variant()) {
    INFO(variant.name);
    const auto model = sharp_model(variant);
    const auto options = options_of(1, 1);
    const auto greedy = translate(*model, sources, options);
    const EvaluationMode evaluation(*model);
    ModelScorer scorer(*model);
    for (size_t i = 0; i < sources.size(); ++i) {
      if (sources[i].size() == 1) continue;
      SearchBatch batch{.sources = {sources[i]}, .min_length = {0}, .max_length = {std::ssize(sources[i]) + 3}};
      scorer.start(batch.sources, {.capacity = batch.max_length[0] + 1});
      const auto found = BeamSearch(options).run(scorer, batch);
      CHECK(found[0][0].ids == greedy[i][0].ids);
      CHECK(found[0][0].score == Approx(greedy[i][0].score).margin(1e-5));
    }
  }
}

TEST_CASE("for every model batch size and order do not change an output", "[F5][F14]") {
  const auto sources = sources_of(33);
  std::vector<int64_t> order;
  for (int64_t i = 0; i < std::ssize(sources); ++i) order.push_back(i);
  Random(2).shuffle(order);
  std::vector<Ids> shuffled;
  for (const int64_t i : order) shuffled.push_back(sources[i]);
  for (const auto& variant : every_variant()) {
    INFO(variant.name);
    const auto model = sharp_model(variant);
    for (const int64_t beam : {1, 4}) {
      auto options = options_of(beam, 1);
      options.batch_sentences = 1;
      const auto alone = translate(*model, sources, options);
      int64_t different = 0;
      for (const int64_t batch : {7, 64}) {
        options.batch_sentences = batch;
        different += differences(translate(*model, sources, options), alone);
      }
      const auto results = translate(*model, shuffled, options);
      for (size_t i = 0; i < order.size(); ++i) different += results[i][0].ids != alone[order[i]][0].ids;
      CHECK(different <= 1);  // of 99: two scores may lie closer than rounding
    }
  }
}

TEST_CASE("for every model several threads find what one finds, and tell of every sentence") {
  const auto sources = sources_of(40);
  const int threads = at::get_num_threads();
  for (const auto& variant : every_variant()) {
    INFO(variant.name);
    const auto model = sharp_model(variant);
    auto options = options_of(3, 1);
    options.batch_sentences = 4;
    at::set_num_threads(1);
    const auto alone = translate(*model, sources, options);
    at::set_num_threads(3);
    std::vector<int64_t> told;
    const auto together =
        translate(*model, sources, options, {.progress = [&](int64_t done) { told.push_back(done); }});
    CHECK(differences(together, alone) <= 1);  // two scores may lie closer than rounding
    CHECK(std::is_sorted(told.begin(), told.end()));
    CHECK(told.back() == std::ssize(sources));
  }
  at::set_num_threads(threads);
}

TEST_CASE("for every model the n-best list of n is a prefix of a longer one, and forced scoring agrees", "[F16][F17]") {
  const auto sources = sources_of(12);
  for (const auto& variant : every_variant()) {
    INFO(variant.name);
    const auto model = sharp_model(variant);
    const auto all = translate(*model, sources, options_of(5, 5));
    const auto best = translate(*model, sources, options_of(5, 2));
    std::vector<data::Example> examples;
    std::vector<double> reported;
    for (size_t i = 0; i < sources.size(); ++i) {
      if (sources[i].size() == 1) continue;
      REQUIRE(best[i].size() == 2);
      for (size_t rank = 0; rank < all[i].size(); ++rank) {
        if (rank < 2) CHECK(best[i][rank].ids == all[i][rank].ids);
        examples.push_back({sources[i], all[i][rank].ids});
        examples.back().target.push_back(tokenizer::kEos);
        reported.push_back(all[i][rank].log_probability);
        CHECK(std::ssize(all[i][rank].ids) <= std::ssize(sources[i]) + 3);
      }
    }
    const auto scores = score_targets(*model, examples, 60);
    for (size_t i = 0; i < scores.size(); ++i) CHECK(scores[i].log_probability == Approx(reported[i]).margin(1e-4));
  }
}

TEST_CASE("for every model attention covers the source and sums to 1", "[F15][F40]") {
  const auto sources = sources_of(12);
  for (const auto& variant : every_model()) {
    INFO(variant.name);
    const auto model = sharp_model(variant);
    const auto results = translate(*model, sources, options_of(3, 1), {.attention = true, .progress = {}, .text = {}});
    for (size_t i = 0; i < sources.size(); ++i) {
      const auto& attention = results[i][0].attention;
      if (!attention.defined()) continue;
      REQUIRE(attention.sizes().vec() ==
              std::vector<int64_t>{std::ssize(results[i][0].ids) + 1, std::ssize(sources[i])});
      CHECK(largest_difference(attention.sum(1), at::ones({attention.size(0)})) < 1e-5);
    }
    CHECK(results[1][0].attention.defined() == (variant.name != "seq2seq"));
  }
}

TEST_CASE("a source longer than learned positions is cut, not an error", "[F10]") {
  const auto variant =
      variants_of("transformer", R"({"learned": {"positions": {"type": "learned", "longest": 8}}})")[0];
  const auto model = sharp_model(variant);
  Ids longer(20, 7);
  longer.push_back(tokenizer::kEos);
  auto options = options_of(3, 1);
  const auto results = translate(*model, {longer}, options);
  CHECK(std::ssize(results[0][0].ids) <= 7);
}

}  // namespace
}  // namespace tr::decode
