#include "libtr/tokenizer/sampling.h"

#include <cmath>
#include <map>

#include "libtr/base/random.h"
#include "tests/tokenizer/training.h"

using namespace tr;
using namespace tr::test;
using tokenizer::Ids;

namespace {

const config::Json kOptions = {
    {"type", "unigram"}, {"vocab_size", 400}, {"sampling", {{"type", "n_best"}, {"n", 5}, {"alpha", 0.5}}}};

}  // namespace

TEST_CASE("a draw depends on its seed alone", "[F41]") {
  const auto first = train_tokenizers(kOptions), second = train_tokenizers(kOptions);
  const std::string line = "Tom learned to dive when he was thirteen.";
  std::map<Ids, int> seen;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Ids drawn = first.sampling->draw(*first.source, line, seed);
    CHECK(drawn == second.sampling->draw(*second.source, line, seed));
    CHECK(first.source->decode(drawn) == line);
    ++seen[drawn];
  }
  CHECK(seen.size() > 1);
  CHECK(seen.size() <= 5);
}

TEST_CASE("segmentations are drawn with the probabilities of the paper") {
  const auto trained = train_tokenizers(kOptions);
  const std::string line = "Tom learned to dive.";
  const auto candidates = trained.source->n_best(line, 5);
  REQUIRE(candidates.size() == 5);
  CHECK(candidates.front().ids == trained.source->encode(line));
  double total = 0;
  for (const auto& candidate : candidates) total += std::exp(0.5 * candidate.log_probability);
  constexpr int kDraws = 20000;
  std::map<Ids, int> seen;
  for (uint64_t i = 0; i < kDraws; ++i) {
    ++seen[trained.sampling->draw(*trained.source, line, stream_seed(7, "test", {i}))];
  }
  for (const auto& candidate : candidates) {
    const double expected = std::exp(0.5 * candidate.log_probability) / total;
    const double tolerance = 4 * std::sqrt(expected * (1 - expected) / kDraws);  // four standard deviations
    CHECK(seen[candidate.ids] / double(kDraws) == Approx(expected).margin(tolerance));
  }
}

TEST_CASE("a large alpha takes the best, none takes it always, an empty line has nothing to draw") {
  config::Json sharp = kOptions;
  sharp["sampling"]["alpha"] = 1000;
  const auto trained = train_tokenizers(sharp);
  const auto none = config::Choice<tokenizer::samplings>("none").make();
  CHECK(!none->varies());
  CHECK(trained.sampling->varies());
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Ids best = trained.source->encode("Do you hear me?");
    CHECK(trained.sampling->draw(*trained.source, "Do you hear me?", seed) == best);
    CHECK(none->draw(*trained.source, "Do you hear me?", seed) == best);
  }
  CHECK(trained.sampling->draw(*trained.source, "", 1).empty());
}

TEST_CASE("types with one segmentation refuse sampling") {
  CHECK(error_of([] {
          tokenizer_choice({{"type", "bpe"}, {"sampling", {{"type", "n_best"}}}});
        }) == "/tokenizer/sampling: got \"n_best\", but bpe has one segmentation of a line; use unigram");
  ScratchFolder folder;
  train_on({{"type", "bpe"}, {"vocab_size", 30}}, {"abc abd"})->save(folder / "bpe.model");
  CHECK(error_of([&] {
          train_tokenizers({{"type", "load"}, {"from", folder / "bpe.model"}, {"sampling", {{"type", "n_best"}}}});
        }) == "/tokenizer/sampling: this tokenizer has one segmentation of a line; only unigram has several");
}
