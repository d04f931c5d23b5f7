// The fast path of attention against its plain twin.
#include "libtr/nn/fused_attention.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <catch2/catch.hpp>

#include "libtr/nn/fast_paths.h"
#include "libtr/nn/multi_head_attention.h"

using namespace tr;
using namespace tr::nn;

namespace {

/// Plain paths while it lives.
struct PlainPaths {
  PlainPaths() { set_fast_paths(false); }
  ~PlainPaths() { set_fast_paths(true); }
};

/// Of what is as large as 1 or larger, in parts of the largest.
double widest_gap(const torch::Tensor& a, const torch::Tensor& b) {
  return ((a - b).abs().max() / b.abs().max().clamp_min(1.0)).item<double>();
}

void draw_weights(torch::nn::Module& module) {
  const torch::NoGradGuard no_grad;
  torch::manual_seed(3);
  for (auto& parameter : module.parameters()) parameter.normal_(0.0, 0.3);
}

/// True at real places, [batch, time, 1].
torch::Tensor real_places(const torch::Tensor& lengths, int64_t time) {
  return (at::arange(time) < lengths.unsqueeze(1)).unsqueeze(-1);
}

Noise some_noise(int64_t batch) { return {.key = 77, .slots = at::arange(batch)}; }

/// What a module gives and what its parameters and inputs get back.
struct Passed {
  torch::Tensor output, input_gradient, parameter_gradient;
};
template <class Forward>
Passed pass(torch::nn::Module& module, const torch::Tensor& input, const torch::Tensor& real, const Forward& forward) {
  module.zero_grad();
  auto x = input.detach().clone().requires_grad_();
  const auto output = forward(x) * real;
  torch::manual_seed(9);
  (output * at::randn(output.sizes())).sum().backward();
  std::vector<torch::Tensor> flat;
  for (const auto& parameter : module.parameters()) flat.push_back(parameter.grad().flatten().clone());
  return {output.detach(), x.grad(), at::cat(flat)};
}

}  // namespace

TEST_CASE("fused self-attention is the plain one, gradients and dropout included [F15][F29]") {
  for (const int64_t d_head : {16, 32, 64}) {
    for (const int64_t time : {1, 7, 19, 40}) {
      for (const bool causal : {false, true}) {
        for (const double dropout : {0.0, 0.4}) {
          CAPTURE(d_head, time, causal, dropout);
          SelfAttention attention(MultiHeadAttentionOptions{.d_model = 2 * d_head, .heads = 2, .dropout = dropout});
          draw_weights(*attention);
          const auto lengths = at::tensor({time, (time + 1) / 2, int64_t{1}});
          const auto x = at::randn({3, time, 2 * d_head});
          const auto real = real_places(lengths, time);
          const auto forward = [&](const torch::Tensor& input) {
            return attention(input, Visible{lengths, causal}, some_noise(3));
          };
          const auto fused = pass(*attention, x, real, forward);
          const PlainPaths plain_paths;
          const auto plain = pass(*attention, x, real, forward);
          CHECK(widest_gap(fused.output, plain.output) < 5e-6);
          CHECK(widest_gap(fused.input_gradient, plain.input_gradient) < 5e-6);
          CHECK(widest_gap(fused.parameter_gradient, plain.parameter_gradient) < 5e-6);
        }
      }
    }
  }
}

TEST_CASE("fused attention over a source is the plain one, weights included") {
  for (const double dropout : {0.0, 0.4}) {
    CAPTURE(dropout);
    CrossAttention attention(MultiHeadAttentionOptions{.d_model = 64, .heads = 4, .dropout = dropout});
    draw_weights(*attention);
    const auto lengths = at::tensor({int64_t{9}, int64_t{4}});
    const auto x = at::randn({2, 6, 64}), source = at::randn({2, 9, 64});
    const auto of_queries = [&](const torch::Tensor& input) {
      return attention(input, attention->memory(source, lengths), some_noise(2)).output;
    };
    const auto of_source = [&](const torch::Tensor& input) {
      return attention(x, attention->memory(input, lengths), some_noise(2)).output;
    };
    const auto all = at::ones({1});
    const auto fused = pass(*attention, x, all, of_queries), fused_source = pass(*attention, source, all, of_source);
    const auto fused_weights = attention(x, attention->memory(source, lengths), some_noise(2)).weights;
    const PlainPaths plain_paths;
    const auto plain = pass(*attention, x, all, of_queries), plain_source = pass(*attention, source, all, of_source);
    CHECK(widest_gap(fused.output, plain.output) < 5e-6);
    CHECK(widest_gap(fused.input_gradient, plain.input_gradient) < 5e-6);
    CHECK(widest_gap(fused.parameter_gradient, plain.parameter_gradient) < 5e-6);
    CHECK(widest_gap(fused_source.input_gradient, plain_source.input_gradient) < 5e-6);
    CHECK(fused_source.input_gradient[1].narrow(0, 4, 5).abs().max().item<double>() == 0.0);
    attention->eval();
    const auto weights = attention(x, attention->memory(source, lengths), some_noise(2)).weights;
    CHECK(widest_gap(fused_weights, weights) < 1e-6);  // before dropout
    CHECK(fused_weights[1].narrow(-1, 4, 5).abs().max().item<double>() == 0.0);
  }
}

TEST_CASE("fused attention gives the same bits for one thread and for two") {
  torch::manual_seed(3);
  const auto projected = at::randn({5, 11, 192}).requires_grad_();
  const auto lengths = at::tensor({int64_t{11}, int64_t{3}, int64_t{7}, int64_t{1}, int64_t{10}});
  Dropout dropout(0.3);
  const auto both = [&] {
    projected.mutable_grad() = torch::Tensor();
    const auto output = fused_attention({projected, {}, Visible{lengths, true}, 4}, dropout, some_noise(5)).output;
    output.square().sum().backward();
    return at::cat({output.detach().flatten(), projected.grad().flatten()});
  };
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  const auto one = both();
  at::set_num_threads(2);
  CHECK(one.equal(both()));
  at::set_num_threads(threads);
}

TEST_CASE("fused attention is left to the shapes and types that it serves") {
  CHECK(fused_attention_serves(at::zeros({1, 2, 48}), 16));
  CHECK(fused_attention_serves(at::zeros({1, 2, 48}, at::kBFloat16), 32));
  CHECK_FALSE(fused_attention_serves(at::zeros({1, 2, 48}, at::kDouble), 16));
  CHECK_FALSE(fused_attention_serves(at::zeros({1, 2, 36}), 12));
  const PlainPaths plain_paths;
  CHECK_FALSE(fused_attention_serves(at::zeros({1, 2, 48}), 16));
}
