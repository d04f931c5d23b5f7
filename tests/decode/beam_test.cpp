// Searches against brute force over all outputs of a toy model.
#include "libtr/decode/beam.h"

#include "libtr/decode/forced.h"
#include "libtr/decode/greedy.h"
#include "tests/decode/toy_model.h"
#include "tests/support.h"

namespace tr::decode {
namespace {

using namespace tr::test;

DecodeOptions options_of(const std::string& json) {
  DecodeOptions options;
  const config::Sources sources;
  config::read_value(config::Json::parse(json), config::Place(sources), {}, options);
  return options;
}

// At most 4 tokens whatever the source.
const std::string kShort = R"("max_length_ratio": 0, "max_length_extra": 4)";

TEST_CASE("a beam that holds everything finds the best outputs of all, for each length penalty", "[F17]") {
  const std::string penalty =
      GENERATE(R"({"type": "none"})", R"({"type": "average"})", R"({"type": "average", "alpha": 2.5})",
               R"({"type": "gnmt", "alpha": 1.5})", R"({"type": "gnmt"})");
  const std::string more = GENERATE("", R"(, "min_length": 2)", R"(, "allow_unknown": false)");
  const int64_t n_best = GENERATE(1, 5);
  auto options = options_of("{" + kShort + R"(, "beam": 400, "n_best": )" + std::to_string(n_best) +
                            R"(, "length_penalty": )" + penalty + more + "}");
  ToyModel model;
  const auto sources = random_sources(6, 5, 7, 1);
  const auto results = translate(model, sources, options);
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto expected = brute_force(model, sources[i], {options.min_length, 4}, options);
    REQUIRE(results[i].size() == size_t(n_best));
    for (int64_t rank = 0; rank < n_best; ++rank) {
      CHECK(results[i][rank].ids == expected[rank].ids);
      CHECK(results[i][rank].score == Approx(expected[rank].score).margin(1e-5));
      CHECK(results[i][rank].log_probability == Approx(expected[rank].log_probability).margin(1e-5));
    }
  }
}

TEST_CASE("a narrow beam keeps the hypotheses that its definition says", "[F17]") {
  const int64_t beam = GENERATE(2, 3, 6);
  const std::string penalty = GENERATE(R"({"type": "none"})", R"({"type": "average"})", R"({"type": "gnmt"})");
  auto options = options_of("{" + kShort + R"(, "length_penalty": )" + penalty + "}");
  options.max_length_extra = 9;
  options.beam = options.n_best = beam;
  options.min_length = GENERATE(0, 3);
  const ToyModel reference(10);
  ToyModel model(10);
  const auto sources = random_sources(12, 5, 10, 12);
  const auto results = translate(model, sources, options);
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto expected = naive_beam(reference, sources[i], {options.min_length, 9}, options);
    REQUIRE(results[i].size() == size_t(beam));
    REQUIRE(expected.size() == size_t(beam));
    for (int64_t rank = 0; rank < beam; ++rank) {
      CHECK(results[i][rank].ids == expected[rank].ids);
      CHECK(results[i][rank].score == Approx(expected[rank].score).margin(1e-5));
    }
  }
}

// Ends at once with high probability, or else nearly never.
class NowOrNever : public ToyModel {
 public:
  std::vector<float> logits(int64_t, int64_t prefix) const override {
    const bool at_start = prefix == extend(0, tokenizer::kBos);
    std::vector<float> row(7, 0);
    row[tokenizer::kEos] = at_start ? 5 : -30;
    return row;
  }
};

TEST_CASE("a search stops as soon as no unfinished hypothesis can win", "[F17]") {
  NowOrNever model;
  const auto steps = [&](const std::string& penalty) {
    model.steps = 0;
    const auto results = translate(
        model, {{4, 2}},
        options_of(R"({"beam": 4, "max_length_ratio": 0, "max_length_extra": 40, "length_penalty": )" + penalty + "}"));
    CHECK(results[0][0].ids.empty());
    return model.steps.load();
  };
  // p(eos) = e^5 / (e^5 + 6), so the empty output has -0.04 and every other first token -5.04: nothing can win.
  CHECK(steps(R"({"type": "none"})") == 1);
  // -5.04 / 41 = -0.12 could still not win, but for 41^2 it could, until log-probabilities have fallen.
  CHECK(steps(R"({"type": "average"})") == 1);
  CHECK(steps(R"({"type": "average", "alpha": 2})") > 1);
}

TEST_CASE("a beam of 1 is greedy search, token for token and score for score", "[F16]") {
  const std::string penalty = GENERATE(R"({"type": "none"})", R"({"type": "average"})", R"({"type": "gnmt"})");
  const std::string more = GENERATE("", R"(, "min_length": 6)", R"(, "allow_unknown": false, "max_length_extra": 3)");
  const auto options = options_of(R"({"beam": 1, "length_penalty": )" + penalty + more + "}");
  ToyModel model(12);
  const auto sources = random_sources(20, 6, 12, 2);
  ModelScorer scorer(model);
  SearchBatch batch{.sources = sources, .min_length = {}, .max_length = {}};
  for (const auto& source : sources) {
    batch.max_length.push_back(2 * int64_t(source.size() - 1) + options.max_length_extra);
    batch.min_length.push_back(std::min(options.min_length, batch.max_length.back()));
  }
  scorer.start(sources, {});
  const auto beam = BeamSearch(options).run(scorer, batch);
  scorer.start(sources, {});
  const auto greedy = GreedySearch(options).run(scorer, batch);
  CHECK(ids_of(beam) == ids_of(greedy));
  CHECK(ids_of(translate(model, sources, options)) == ids_of(greedy));
  for (size_t i = 0; i < sources.size(); ++i) {
    CHECK(beam[i][0].score == Approx(greedy[i][0].score).epsilon(1e-12));
    CHECK(beam[i][0].log_probability == Approx(greedy[i][0].log_probability).epsilon(1e-12));
  }
}

TEST_CASE("an n-best list is a prefix of every longer one", "[F17]") {
  ToyModel model(9);
  const auto sources = random_sources(20, 6, 9, 3);
  auto options = options_of(R"({"beam": 8, "n_best": 8})");
  const auto longest = translate(model, sources, options);
  const auto longest_ids = ids_of(longest);
  for (const int64_t n : {1, 3, 5}) {
    options.n_best = n;
    const auto shorter = ids_of(translate(model, sources, options));
    for (size_t i = 0; i < sources.size(); ++i) {
      REQUIRE(longest[i].size() == 8);
      CHECK(shorter[i] == std::vector<Ids>(longest_ids[i].begin(), longest_ids[i].begin() + n));
      for (int64_t rank = 1; rank < 8; ++rank) CHECK(longest[i][rank - 1].score >= longest[i][rank].score);
    }
  }
}

TEST_CASE("batch size and order never change an output, and outputs come in input order", "[F14][F19]") {
  const std::string search = GENERATE(R"("beam": 1)", R"("beam": 5, "n_best": 3)",
                                      R"("search": {"type": "sampling", "seed": 7}, "n_best": 2)");
  auto options = options_of("{" + search + "}");
  ToyModel model(11);
  const auto sources = random_sources(70, 9, 11, 4);
  options.batch_sentences = 1;
  const auto alone = ids_of(translate(model, sources, options));
  for (const int64_t batch : {7, 64}) {
    options.batch_sentences = batch;
    CHECK(ids_of(translate(model, sources, options)) == alone);
  }
  options.batch_tokens = 20;
  CHECK(ids_of(translate(model, sources, options)) == alone);
  std::vector<int64_t> order;
  for (int64_t i = 0; i < 70; ++i) order.push_back(i);
  Random(5).shuffle(order);
  std::vector<Ids> shuffled;
  for (const int64_t i : order) shuffled.push_back(sources[i]);
  const auto results = ids_of(translate(model, shuffled, options));
  for (int64_t i = 0; i < 70; ++i) CHECK(results[i] == alone[order[i]]);
}

TEST_CASE("lengths are settled by each sentence alone", "[F14]") {
  ToyModel model(11, -50);  // never ends by itself
  for (const char* search : {R"("beam": 1)", R"("beam": 4)", R"("search": {"type": "sampling"})"}) {
    const auto results =
        translate(model, {{5, 2}, {4, 5, 6, 7, 8, 2}, {4, 6, 2}},
                  options_of(std::string("{") + search + R"(, "max_length_ratio": 1.5, "max_length_extra": 2})"));
    CHECK(results[0][0].ids.size() == 3);
    CHECK(results[1][0].ids.size() == 9);
    CHECK(results[2][0].ids.size() == 5);
  }
  CHECK(model.capacity == 10);
  model.longest = 5;  // eos counted
  const auto cut = translate(model, {{4, 5, 6, 7, 8, 9, 10, 2}}, options_of(R"({"beam": 2})"));
  CHECK(cut[0][0].ids.size() == 4);
  CHECK(cut[0][0].ids == translate(model, {{4, 5, 6, 7, 2}}, options_of(R"({"beam": 2})"))[0][0].ids);
}

TEST_CASE("a minimum length holds back the end", "[F14]") {
  ToyModel model(11, 50);  // ends at once
  for (const char* search : {R"("beam": 1)", R"("beam": 4)", R"("search": {"type": "sampling"})"}) {
    const auto options = options_of(std::string("{") + search + R"(, "min_length": 3})");
    CHECK(translate(model, {{5, 2}}, options)[0][0].ids.size() == 3);
  }
  CHECK(translate(model, {{5, 2}}, options_of(R"({"beam": 4})"))[0][0].ids.empty());
}

TEST_CASE("pad and bos are never produced, unk only if allowed", "[F36]") {
  ToyModel model(5);  // one ordinary token
  for (const char* search :
       {R"("beam": 1)", R"("beam": 6, "n_best": 6)", R"("search": {"type": "sampling"}, "n_best": 9)"}) {
    for (const bool allowed : {true, false}) {
      auto options = options_of(std::string("{") + search + R"(, "min_length": 4})");
      options.allow_unknown = allowed;
      int64_t unknown = 0;
      for (const auto& list : translate(model, random_sources(10, 4, 5, 6), options)) {
        for (const auto& hypothesis : list) {
          for (const int64_t id : hypothesis.ids) {
            CHECK(id >= tokenizer::kUnk);
            unknown += id == tokenizer::kUnk;
          }
        }
      }
      CHECK((unknown > 0) == allowed);
    }
  }
}

TEST_CASE("an empty source is never decoded and gives one empty hypothesis at its place", "[F1][F2][F3]") {
  ToyModel model;
  for (const char* search : {R"({"beam": 1})", R"({"beam": 4, "n_best": 2})", R"({"search": {"type": "sampling"}})"}) {
    const auto options = options_of(search);
    const auto results = translate(model, {{2}, {4, 5, 2}, {}, {6, 2}, {2}}, options);
    REQUIRE(results.size() == 5);
    for (const int64_t place : {0, 2, 4}) {
      REQUIRE(results[place].size() == 1);
      CHECK(results[place][0].ids.empty());
      CHECK(results[place][0].log_probability == 0);
    }
    CHECK(ids_of(translate(model, {{4, 5, 2}}, options))[0] == ids_of(results)[1]);
  }
  model.steps = 0;
  CHECK(translate(model, {{2}}, {}).size() == 1);
  CHECK(translate(model, {}, {}).empty());
  CHECK(model.steps == 0);
}

TEST_CASE("forced scoring finds the log-probability that a search reports", "[F16]") {
  const std::string search = GENERATE(R"("beam": 1)", R"("beam": 5, "n_best": 5, "allow_unknown": false)",
                                      R"("search": {"type": "sampling", "temperature": 2, "top_k": 5}, "n_best": 3)");
  ToyModel model(11);
  const auto sources = random_sources(20, 6, 11, 8);
  std::vector<data::Example> examples;
  std::vector<double> reported;
  const auto results =
      translate(model, sources, options_of("{" + search + R"(, "max_length_extra": 5, "min_length": 1})"));
  for (size_t i = 0; i < sources.size(); ++i) {
    for (const auto& hypothesis : results[i]) {
      examples.push_back({sources[i], hypothesis.ids});
      examples.back().target.push_back(tokenizer::kEos);
      reported.push_back(hypothesis.log_probability);
    }
  }
  const auto scores = score_targets(model, examples, 40);
  for (size_t i = 0; i < examples.size(); ++i) {
    CHECK(scores[i].log_probability == Approx(reported[i]).margin(1e-4));
    CHECK(scores[i].tokens == std::ssize(examples[i].target));
  }
}

TEST_CASE("finished sentences leave the batch") {
  ToyModel model(11, 3);
  const auto sources = random_sources(30, 6, 11, 9);
  int64_t alone = 0;
  for (const auto& source : sources) {
    model.row_steps = 0;
    translate(model, {source}, {});
    alone += model.row_steps;
  }
  model.row_steps = 0;
  translate(model, sources, {});
  CHECK(model.row_steps == alone);
}

TEST_CASE("attention comes with each hypothesis: a row for each token and eos, a column for each source token") {
  const char* search = GENERATE(R"({"beam": 1})", R"({"beam": 4, "n_best": 3})", R"({"search": {"type": "sampling"}})");
  ToyModel model(11);
  const auto sources = random_sources(8, 6, 11, 10);
  const auto results = translate(model, sources, options_of(search), {.attention = true, .progress = {}, .text = {}});
  for (size_t i = 0; i < sources.size(); ++i) {
    for (const auto& hypothesis : results[i]) {
      REQUIRE(hypothesis.attention.sizes().vec() ==
              std::vector<int64_t>{std::ssize(hypothesis.ids) + 1, std::ssize(sources[i])});
      for (int64_t row = 0; row < hypothesis.attention.size(0); ++row) {
        CHECK(hypothesis.attention[row].argmax().item<int64_t>() == std::min(row, std::ssize(sources[i]) - 1));
      }
    }
  }
  CHECK_FALSE(translate(model, sources, options_of(search))[0][0].attention.defined());
}

TEST_CASE("equal texts can be left out of an n-best list", "[F17]") {
  ToyModel model(9);
  const auto sources = random_sources(10, 5, 9, 11);
  // Tokens 7 and 8 spell the same.
  const auto text = [](const Ids& ids) {
    std::string spelt;
    for (const int64_t id : ids) spelt += std::to_string(std::min<int64_t>(id, 7));
    return spelt;
  };
  auto options = options_of(R"({"beam": 12, "n_best": 4, "keep_duplicates": false, "min_length": 2})");
  const auto results = translate(model, sources, options, {.attention = false, .progress = {}, .text = text});
  options.n_best = 12;
  options.keep_duplicates = true;
  const auto all = translate(model, sources, options);
  for (size_t i = 0; i < sources.size(); ++i) {
    std::vector<Ids> expected;
    std::vector<std::string> texts;
    for (const auto& hypothesis : all[i]) {
      if (std::count(texts.begin(), texts.end(), text(hypothesis.ids)) > 0 || expected.size() == 4) continue;
      texts.push_back(text(hypothesis.ids));
      expected.push_back(hypothesis.ids);
    }
    CHECK(ids_of(results)[i] == expected);
  }
}

TEST_CASE("progress counts sentences, empty ones too") {
  ToyModel model;
  std::vector<int64_t> told;
  DecodeOptions options;
  options.batch_sentences = 2;
  ModelScorer scorer(model);
  translate(scorer, {{2}, {4, 2}, {5, 2}, {6, 2}}, options,
            {.attention = false, .progress = [&](int64_t done) { told.push_back(done); }, .text = {}});
  CHECK(told == std::vector<int64_t>{3, 4});
}

TEST_CASE("the model is in evaluation mode while it translates, and as before afterwards") {
  struct Watching : ToyModel {
    torch::Tensor step(const torch::Tensor& ids, models::DecoderState& state) override {
      CHECK_FALSE(is_training());
      CHECK_FALSE(at::GradMode::is_enabled());
      return ToyModel::step(ids, state);
    }
  } model;
  model.train();
  translate(model, {{4, 2}}, {});
  CHECK(model.is_training());
  CHECK(at::GradMode::is_enabled());
}

TEST_CASE("scores that are not finite are an error", "[F42]") {
  ToyModel model(7, std::numeric_limits<double>::quiet_NaN());
  for (const char* search : {R"({"beam": 1})", R"({"beam": 4})", R"({"search": {"type": "sampling"}})"}) {
    CHECK(error_of([&] {
            translate(model, {{4, 2}}, options_of(search));
          }) == "decoding: the model's scores are not finite: its training diverged");
  }
}

TEST_CASE("options that contradict each other are refused") {
  const auto check = [](const std::string& json) { config::validate(options_of(json), "/decode"); };
  CHECK(error_of([&] { check(R"({"beam": 2, "n_best": 3})"); }) ==
        "/decode/n_best: got 3, expected at most beam, which is 2");
  check(R"({"beam": 2, "n_best": 3, "search": {"type": "sampling"}})");
  CHECK(error_of([&] { check(R"({"length_penalty": {"type": "averag"}})"); }).find("did you mean average?") !=
        std::string::npos);
  CHECK(error_of([&] {
          check(R"({"length_penalty": {"type": "gnmt", "alpha": -1}})");
        }).find("/length_penalty/alpha") != std::string::npos);
}

TEST_CASE("length penalties are those of the papers", "[F18]") {
  const auto score = [](const std::string& json) {
    return options_of(R"({"length_penalty": )" + json + "}").length_penalty.make()->score(-6, 4);
  };
  CHECK(score(R"({"type": "none"})") == -6);
  CHECK(score(R"({"type": "average"})") == -1.5);
  CHECK(score(R"({"type": "average", "alpha": 0.5})") == -3);
  CHECK(score(R"({"type": "gnmt", "alpha": 1})") == Approx(-4));  // (5 + 4) / 6 = 1.5
  CHECK(score(R"({"type": "gnmt", "alpha": 2})") == Approx(-6 / 2.25));
}

}  // namespace
}  // namespace tr::decode
