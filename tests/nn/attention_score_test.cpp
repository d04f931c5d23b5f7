#include "libtr/nn/attention_score.h"

#include <cmath>

#include "libtr/nn/attention.h"
#include "libtr/nn/initialization.h"
#include "tests/support.h"

using namespace tr;
using namespace tr::nn;

namespace {

std::shared_ptr<AttentionScore> make_score(const std::string& type, const ScoreWidths& widths) {
  const auto score = config::Choice<attention_scores>(type).make(widths);
  initialize(*score, *config::Choice<initializations>("xavier").make());
  return score;
}

double difference(const torch::Tensor& a, const torch::Tensor& b) { return (a - b).abs().max().item<double>(); }

const auto kMemory = [] { return torch::tensor({1., 0., 1., 0., 1., 0., 1., 1., 0., 0., 0., 2.}).view({1, 4, 3}); };
const auto kQuery = [] { return torch::tensor({0.5, 0., 1.}).view({1, 1, 3}); };

}  // namespace

TEST_CASE("dot attention of a worked example") {
  const auto score = make_score("dot", {.d_query = 3, .d_memory = 3});
  const auto scores = score->scores(kQuery(), score->keys(kMemory()));
  const auto weights = attention_weights(scores, {});
  const auto context = at::bmm(weights, kMemory());
  CHECK(at::equal(scores.flatten(), torch::tensor({1.5, 0., 0.5, 2.})));
  CHECK(difference(weights.flatten(), torch::tensor({0.3087, 0.0689, 0.1136, 0.5089})) < 5.1e-5);
  CHECK(difference(context.flatten(), torch::tensor({0.4222, 0.1824, 1.3265})) < 5.1e-5);
}

TEST_CASE("scaled dot attention divides by the root of the width") {
  const auto score = make_score("scaled_dot", {.d_query = 3, .d_memory = 3});
  const auto scores = score->scores(kQuery(), score->keys(kMemory()));
  CHECK(difference(scores.flatten(), torch::tensor({1.5, 0., 0.5, 2.}) / std::sqrt(3.0)) < 1e-6);
}

TEST_CASE("general and additive scores equal their formulas, pair by pair") {
  const auto type = GENERATE(as<std::string>(), "general", "additive");
  torch::manual_seed(1);
  const auto score = make_score(type, {.d_query = 4, .d_memory = 6});
  const auto query = torch::randn({2, 3, 4}), memory = torch::randn({2, 5, 6});
  const auto scores = score->scores(query, score->keys(memory));
  REQUIRE(scores.sizes().vec() == std::vector<int64_t>{2, 3, 5});
  const auto weights = score->named_parameters();
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t q = 0; q < 3; ++q) {
      for (int64_t k = 0; k < 5; ++k) {
        const auto s = query[i][q], key = at::mv(weights["key.weight"], memory[i][k]);
        const auto expected = type == "general" ? at::dot(s, key)
                                                : at::dot(weights["energy.weight"][0],
                                                          at::tanh(at::mv(weights["query.weight"], s) + key));
        CHECK(difference(scores[i][q][k], expected) < 1e-5);
      }
    }
  }
}

TEST_CASE("weights of every score are exactly zero on padding and sum to one", "[F15]") {
  const auto type = GENERATE(from_range(attention_scores().names()));
  CAPTURE(type);
  torch::manual_seed(2);
  const auto score = make_score(type, {.d_query = 4, .d_memory = 4});
  const auto mask = torch::arange(5).unsqueeze(0) < torch::tensor({5, 2}).unsqueeze(1);  // [batch, source_time]
  const auto memory = torch::where(mask.unsqueeze(-1), torch::randn({2, 5, 4}), torch::full({}, 90.0f));
  const auto weights =
      attention_weights(score->scores(torch::randn({2, 3, 4}), score->keys(memory)), mask.unsqueeze(1));
  CHECK(weights[1].narrow(-1, 2, 3).abs().max().item<double>() == 0.0);
  CHECK(weights[1].narrow(-1, 0, 2).min().item<double>() > 0.0);
  CHECK(difference(weights.sum(-1), torch::ones({2, 3})) < 1e-6);
}

TEST_CASE("a dot score refuses states and positions of different widths") {
  CHECK(test::error_of([] { make_score("dot", {.d_query = 4, .d_memory = 6}); }) ==
        "attention score dot: decoder states have width 4 and encoded positions 6, expected the same width");
  CHECK(test::error_of([] { make_score("scaled_dot", {.d_query = 4, .d_memory = 6}); }) ==
        "attention score scaled_dot: decoder states have width 4 and encoded positions 6, expected the same width");
}
