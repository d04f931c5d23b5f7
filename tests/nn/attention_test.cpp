// Attention against loops that a student would write, in double.
#include "libtr/nn/attention.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <torch/utils.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "libtr/nn/multi_head_attention.h"

using namespace tr;
using namespace tr::nn;

namespace {

/// One query after the other; mask [batch, query_time, key_time].
torch::Tensor naive_attention(const AttentionInputs& inputs, const torch::Tensor& mask) {
  const auto q = inputs.query.to(at::kDouble), k = inputs.key.to(at::kDouble), v = inputs.value.to(at::kDouble);
  auto output = torch::zeros_like(q);
  for (int64_t b = 0; b < q.size(0); ++b) {
    for (int64_t h = 0; h < q.size(1); ++h) {
      for (int64_t t = 0; t < q.size(2); ++t) {
        double sum = 0;
        auto average = torch::zeros_like(v[b][h][0]);
        for (int64_t s = 0; s < k.size(2); ++s) {
          if (!mask[b][t][s].item<bool>()) continue;
          const double score =
              (q[b][h][t] * k[b][h][s]).sum().item<double>() / std::sqrt(static_cast<double>(q.size(3)));
          sum += std::exp(score);
          average += std::exp(score) * v[b][h][s];
        }
        if (sum > 0) output[b][h][t] = average / sum;
      }
    }
  }
  return output;
}

/// x W^T + b of rows [first, first + d_model) of a stacked projection.
torch::Tensor project(const torch::nn::Module& module, const std::string& name, int64_t part, const torch::Tensor& x) {
  const auto parameters = module.named_parameters();
  const int64_t d_model = x.size(-1);
  const auto weight = parameters[name + ".weight"].narrow(0, part * d_model, d_model).to(at::kDouble);
  const auto bias = parameters[name + ".bias"].narrow(0, part * d_model, d_model).to(at::kDouble);
  return at::matmul(x.to(at::kDouble), weight.t()) + bias;
}

torch::Tensor heads_of(const torch::Tensor& x, int64_t heads) {
  return x.unflatten(-1, std::vector<int64_t>{heads, -1}).transpose(1, 2);
}

template <class Module>
void randomise(Module& module) {
  const torch::NoGradGuard no_grad;
  torch::manual_seed(3);
  for (auto& parameter : module->parameters()) parameter.normal_(0.0, 0.4);
}

double largest_difference(const torch::Tensor& a, const torch::Tensor& b) {
  return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

}  // namespace

TEST_CASE("scaled dot-product attention equals its formula under a mask [F15]") {
  torch::manual_seed(1);
  const AttentionInputs inputs{at::randn({2, 3, 4, 5}), at::randn({2, 3, 6, 5}), at::randn({2, 3, 6, 5}),
                               at::rand({2, 1, 4, 6}) > 0.4};
  Dropout none;
  const auto attended = scaled_dot_product(inputs, none, Noise{});
  CHECK(largest_difference(attended.output, naive_attention(inputs, inputs.mask.squeeze(1))) < 1e-6);
  CHECK(attended.weights.masked_select(inputs.mask.logical_not()).abs().max().item<double>() == 0.0);
  const AttentionInputs unmasked{inputs.query, inputs.key, inputs.value, {}};
  CHECK(largest_difference(scaled_dot_product(unmasked, none, Noise{}).output,
                           naive_attention(inputs, at::ones({2, 4, 6}, at::kBool))) < 1e-6);
}

TEST_CASE("a query that may attend to nothing gets zeros, and so does its gradient") {
  auto scores = at::randn({1, 2, 3, 4}).requires_grad_();
  auto mask = at::ones({1, 1, 3, 4}, at::kBool);
  mask.select(2, 1).fill_(false);
  const auto weights = attention_weights(scores, mask);
  CHECK(weights.select(2, 1).abs().max().item<double>() == 0.0);
  (weights * at::randn({1, 2, 3, 4})).sum().backward();
  CHECK(scores.grad().select(2, 1).abs().max().item<double>() == 0.0);
  CHECK(scores.grad().select(2, 0).abs().max().item<double>() > 0.0);
}

TEST_CASE("attention weights have the gradient of finite differences") {
  torch::manual_seed(5);
  const auto mask = at::rand({2, 1, 3, 4}) > 0.3;
  const auto factors = at::randn({2, 2, 3, 4}, at::kDouble);
  auto scores = at::randn({2, 2, 3, 4}, at::kDouble).requires_grad_();
  const auto value = [&](const torch::Tensor& x) { return (attention_weights(x, mask) * factors).sum(); };
  value(scores).backward();
  const torch::NoGradGuard no_grad;
  for (int64_t i = 0; i < scores.numel(); ++i) {
    const auto above = scores.detach().clone(), below = scores.detach().clone();
    above.flatten()[i] += 1e-5;
    below.flatten()[i] -= 1e-5;
    const double difference = (value(above) - value(below)).item<double>() / 2e-5;
    REQUIRE(difference == Approx(scores.grad().flatten()[i].item<double>()).margin(1e-8));
  }
}

TEST_CASE("scores in bfloat16 are normalised in float32") {
  const auto weights = attention_weights(at::randn({2, 2, 3, 50}).to(at::kBFloat16), {});
  CHECK(weights.scalar_type() == at::kFloat);
  CHECK((weights.sum(-1) - 1).abs().max().item<double>() < 1e-5);
}

TEST_CASE("multi-head self-attention equals its formula head by head") {
  SelfAttention attention(MultiHeadAttentionOptions{.d_model = 12, .heads = 3});
  randomise(attention);
  const auto x = at::randn({2, 5, 12});
  const auto causal = at::ones({1, 5, 5}, at::kBool).tril();
  const auto part = [&](int64_t i) { return heads_of(project(*attention, "query_key_value", i, x), 3); };
  const auto context = naive_attention({part(0), part(1), part(2), {}}, causal.expand({2, 5, 5}));
  const auto expected = project(*attention, "output", 0, context.transpose(1, 2).flatten(2));
  CHECK(largest_difference(attention(x, Visible{{}, /*causal=*/true}, Noise{}), expected) < 1e-5);
}

TEST_CASE("multi-head attention over a source equals its formula head by head") {
  CrossAttention attention(MultiHeadAttentionOptions{.d_model = 12, .heads = 3});
  randomise(attention);
  const auto x = at::randn({2, 4, 12}), source = at::randn({2, 6, 12});
  const auto lengths = torch::tensor({6, 2}, at::kLong);
  const auto keys = heads_of(project(*attention, "key_value", 0, source), 3);
  const auto values = heads_of(project(*attention, "key_value", 1, source), 3);
  const auto context = naive_attention({heads_of(project(*attention, "query", 0, x), 3), keys, values, {}},
                                       (at::arange(6) < lengths.unsqueeze(1)).unsqueeze(1).expand({2, 4, 6}));
  const auto attended = attention(x, attention->memory(source, lengths), Noise{});
  CHECK(largest_difference(attended.output, project(*attention, "output", 0, context.transpose(1, 2).flatten(2))) <
        1e-5);
  CHECK(attended.weights[1].narrow(-1, 2, 4).abs().max().item<double>() == 0.0);
}

TEST_CASE("multi-head attention at d_model 512 with 8 heads has 1,050,624 parameters") {
  const auto count = [](const torch::nn::Module& module) {
    int64_t sum = 0;
    for (const auto& parameter : module.parameters()) sum += parameter.numel();
    return sum;
  };
  CHECK(count(*SelfAttention(MultiHeadAttentionOptions{512, 8})) == 1050624);
  CHECK(count(*CrossAttention(MultiHeadAttentionOptions{512, 8})) == 1050624);
}

TEST_CASE("self-attention step by step, rows at different positions, equals self-attention at once") {
  const torch::NoGradGuard no_grad;
  SelfAttention attention(MultiHeadAttentionOptions{.d_model = 12, .heads = 3});
  randomise(attention);
  const auto x = at::randn({2, 5, 12});
  const auto expected = attention(x, Visible{{}, /*causal=*/true}, Noise{});
  const auto slots = torch::zeros({10, 24});
  auto places = torch::zeros({2, 8}, at::kLong);
  int64_t first_slot = 0;
  // Row 0 repeats its first position twice, so that row 1 is ahead from then on.
  for (const auto& [first, second] : {std::pair{0, 0}, {0, 1}, {0, 2}, {1, 3}, {2, 4}}) {
    places[0][first] = first_slot;
    places[1][second] = first_slot + 1;
    const KeyValueSlots seen{slots, places, torch::tensor({first + 1, second + 1}, at::kLong)};
    const auto y = attention->step(torch::stack({x[0][first], x[1][second]}), seen, first_slot);
    first_slot += 2;
    CHECK(largest_difference(y[0], expected[0][first]) < 1e-5);
    CHECK(largest_difference(y[1], expected[1][second]) < 1e-5);
  }
}
