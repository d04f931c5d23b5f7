// Positions, norms, activations, residuals, embeddings and initial values against hand-made figures.
#include <ATen/ops/arange.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <torch/utils.h>

#include <cmath>

#include "libtr/nn/activation.h"
#include "libtr/nn/embedding.h"
#include "libtr/nn/feed_forward.h"
#include "libtr/nn/linear.h"
#include "libtr/nn/norm.h"
#include "libtr/nn/positions.h"
#include "libtr/nn/residual.h"
#include "tests/support.h"

using namespace tr;
using namespace tr::nn;
using tr::test::error_of;

namespace {

double at_(const torch::Tensor& x, int64_t i, int64_t j) { return x[i][j].item<double>(); }

/// A component by its name in a configuration.
template <auto Table, class... Arguments>
auto made(const std::string& json, Arguments... arguments) {
  const config::Sources sources;
  config::Choice<Table> choice;
  choice.read(config::Json::parse(json), config::Place(sources, "/part"));
  return choice.make(arguments...);
}

}  // namespace

TEST_CASE("products of sinusoidal vectors at d_model 128 fall with the distance") {
  for (const auto layout : {SinusoidalLayout::interleaved, SinusoidalLayout::halves}) {
    const auto vectors = sinusoidal_vectors(41, 128, layout);
    const auto product = [&](int64_t i) { return (vectors[10] * vectors[i]).sum().item<double>(); };
    CHECK(product(9) == Approx(62.09).margin(0.005));
    CHECK(product(11) == Approx(62.09).margin(0.005));
    CHECK(product(20) == Approx(42.82).margin(0.005));
    CHECK(product(40) == Approx(36.24).margin(0.005));
  }
}

TEST_CASE("sinusoidal layouts hold the same features in two orders") {
  const auto interleaved = sinusoidal_vectors(8, 6, SinusoidalLayout::interleaved);
  const auto halves = sinusoidal_vectors(8, 6, SinusoidalLayout::halves);
  CHECK(at_(interleaved, 5, 0) == Approx(std::sin(5.0)));
  CHECK(at_(interleaved, 5, 1) == Approx(std::cos(5.0)));
  CHECK(at_(interleaved, 5, 2) == Approx(std::sin(5.0 / std::pow(10000.0, 2.0 / 6))));
  CHECK(at_(halves, 5, 1) == Approx(std::sin(5.0 / std::pow(10000.0, 2.0 / 6))));
  CHECK(at_(halves, 5, 3) == Approx(std::cos(5.0)));
}

TEST_CASE("positions of a step are those of the whole sentence, however far [F13]") {
  const torch::NoGradGuard no_grad;
  for (const std::string json :
       {R"({"type": "sinusoidal"})", R"({"type": "learned", "longest": 6000})", R"({"type": "none"})"}) {
    const auto part = made<positions>(json, int64_t{4});
    for (auto& parameter : part->parameters()) parameter.normal_();
    const auto x = at::rand({1, 6000, 4});
    const auto whole = part->forward(x);
    const auto places = at::tensor({5999, 0, 700}, at::kLong);
    CHECK(part->step(x[0].index_select(0, places), places).allclose(whole[0].index_select(0, places)));
  }
  const auto learned = made<positions>(R"({"type": "learned", "longest": 7})", int64_t{4});
  CHECK(learned->longest() == 7);
  CHECK(error_of([&] {
          learned->step(at::rand({1, 4}), at::tensor({7}, at::kLong));
        }) == "positions: got a sentence of 8 tokens, learned positions end at 7");
}

TEST_CASE("norms equal their formulas") {
  const auto x = at::randn({5, 6});
  const auto layer = made<norms>(R"({"type": "layer_norm", "eps": 0.1})", int64_t{6});
  const auto rms = made<norms>(R"({"type": "rms_norm", "eps": 0.1})", int64_t{6});
  const auto shift = at::arange(6, at::kFloat), scale = shift + 2.0;
  {
    const torch::NoGradGuard no_grad;
    layer->named_parameters()["weight"].copy_(scale);
    layer->named_parameters()["bias"].copy_(shift);
    rms->named_parameters()["weight"].copy_(scale);
  }
  for (int64_t row = 0; row < 5; ++row) {
    double mean = 0, square = 0;
    for (int64_t i = 0; i < 6; ++i) mean += at_(x, row, i) / 6;
    for (int64_t i = 0; i < 6; ++i) square += std::pow(at_(x, row, i), 2) / 6;
    for (int64_t i = 0; i < 6; ++i) {
      const auto j = static_cast<double>(i);
      const double normal = (at_(x, row, i) - mean) / std::sqrt(square - mean * mean + 0.1);
      REQUIRE(at_(layer->forward(x), row, i) == Approx(normal * (j + 2) + j).margin(1e-5));
      REQUIRE(at_(rms->forward(x), row, i) == Approx(at_(x, row, i) / std::sqrt(square + 0.1) * (j + 2)).margin(1e-5));
    }
  }
  CHECK(made<norms>(R"({"type": "none"})", int64_t{6})->forward(x).equal(x));
}

TEST_CASE("activations have the values of their papers") {
  const auto x = at::tensor({-1.0, 0.5}, at::kDouble);
  const auto values = [&](const char* name) {
    const auto y = made<activations>(std::string(R"({"type": ")") + name + "\"}")->forward(x);
    return std::pair{y[0].item<double>(), y[1].item<double>()};
  };
  const auto check = [&](const char* name, double first, double second) {
    INFO(name);
    CHECK(values(name).first == Approx(first).margin(1e-4));
    CHECK(values(name).second == Approx(second).margin(1e-4));
  };
  check("relu", 0, 0.5);
  check("gelu", -0.158655, 0.345731);
  check("gelu_tanh", -0.158808, 0.345714);
  check("swish", -0.268941, 0.311230);
  check("tanh", -0.761594, 0.462117);
}

TEST_CASE("users add activations to the table") {
  activations().add<config::NoOptions>("squared_relu", "relu squared", "So et al. 2021", [](const config::NoOptions&) {
    return std::make_shared<ElementwiseActivation>([](const torch::Tensor& x) { return x.relu().square(); });
  });
  FeedForwardOptions options{.d_model = 4, .d_hidden = 8};
  options.activation = config::Choice<activations>("squared_relu");
  CHECK(options.activation.make()->forward(at::tensor({-2.0, 3.0})).equal(at::tensor({0.0, 9.0})));
  CHECK(FeedForward(options)(at::rand({2, 3, 4}), Noise{}).sizes() == at::IntArrayRef{2, 3, 4});
  CHECK(error_of([] { made<activations>(R"({"type": "rellu"})"); }).find("did you mean relu?") != std::string::npos);
}

TEST_CASE("a residual block has its norm before or after") {
  const auto x = at::randn({2, 3, 4});
  const auto twice = [](const torch::Tensor& y) { return y * 2; };
  const auto norm = made<norms>(R"({"type": "layer_norm"})", int64_t{4});
  Residual pre(ResidualOptions{.d_model = 4, .norm_placement = NormPlacement::pre});
  Residual post(ResidualOptions{.d_model = 4, .norm_placement = NormPlacement::post});
  CHECK(pre(x, Noise{}, twice).allclose(x + norm->forward(x) * 2));
  CHECK(post(x, Noise{}, twice).allclose(norm->forward(x * 3)));
}

TEST_CASE("embeddings of repeated ids add up their gradients") {
  Embedding embedding(5, 3);
  embedding->initialize(*made<initializations>(R"({"type": "xavier"})"));
  embedding(at::tensor({4, 1, 4, 4}, at::kLong).view({2, 2})).sum().backward();
  const auto sums = embedding->weight.grad().select(1, 0);
  CHECK(sums.equal(at::tensor({0.0f, 1.0f, 0.0f, 0.0f, 3.0f})));
}

TEST_CASE("vocabulary layers tie, scale and start as asked") {
  VocabularyLayersOptions options{.source_vocab = 6, .target_vocab = 6, .width = 4, .output_width = 4};
  options.tying = Tying::all;
  options.scale = true;
  options.zero_id = 1;
  VocabularyLayers layers(options);
  nn::initialize(*layers, *made<initializations>(R"({"type": "xavier"})"));
  const auto ids = at::tensor({1, 3}, at::kLong).unsqueeze(0);
  const auto weight = layers->output().weight;
  CHECK(layers->source(ids)[0][0].allclose(weight[1] * 2));
  CHECK(layers->target(ids)[0][0].equal(at::zeros({4})));
  CHECK(layers->target(ids)[0][1].allclose(weight[3] * 2));
  CHECK(layers->parameters().size() == 2);
  CHECK(layers->output().logits(at::rand({7, 4})).sizes() == at::IntArrayRef{7, 6});
}

TEST_CASE("initial values have the limits and deviations asked for, part by part") {
  torch::manual_seed(2);
  Linear stacked(LinearOptions{.inputs = 100, .outputs = 300, .parts = 3});
  nn::initialize(*stacked, *made<initializations>(R"({"type": "xavier"})"));
  const double limit = std::sqrt(6.0 / 200);  // of 100 x 100, not of 300 x 100
  CHECK(stacked->weight.abs().max().item<double>() == Approx(limit).epsilon(0.01));
  CHECK(stacked->weight.std().item<double>() == Approx(limit / std::sqrt(3.0)).epsilon(0.02));
  CHECK(stacked->bias.abs().max().item<double>() == 0.0);
  nn::initialize(*stacked, *made<initializations>(R"({"type": "normal", "deviation": 0.02})"));
  CHECK(stacked->weight.std().item<double>() == Approx(0.02).epsilon(0.03));
  nn::initialize(*stacked, *made<initializations>(R"({"type": "uniform", "limit": 0.08})"));
  CHECK(stacked->weight.abs().max().item<double>() == Approx(0.08).epsilon(0.01));
  Embedding embedding(500, 64);
  nn::initialize(*embedding, *made<initializations>(R"({"type": "xavier"})"));
  CHECK(embedding->weight.std().item<double>() == Approx(0.125).epsilon(0.03));
}

TEST_CASE("orthogonal matrices have orthonormal rows or columns") {
  for (const auto& [rows, columns] : {std::pair{6, 6}, {4, 9}, {9, 4}}) {
    auto matrix = at::zeros({rows, columns});
    draw_orthogonal(matrix, 2.0);
    const auto product = rows <= columns ? at::matmul(matrix, matrix.t()) : at::matmul(matrix.t(), matrix);
    CHECK(product.allclose(4.0 * at::eye(std::min(rows, columns)), 1e-4, 1e-4));
  }
}
