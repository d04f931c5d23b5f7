// Dropout as a module: what its masks depend on, and what not.
#include "libtr/nn/dropout.h"

#include <ATen/Context.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/tensor.h>

#include <catch2/catch.hpp>

using namespace tr;
using nn::Dropout;
using nn::Noise;

namespace {

Noise noise_of(int64_t batch, uint64_t key = 17) { return {key, at::arange(batch, at::kLong)}; }

double share_of_equal(const torch::Tensor& a, const torch::Tensor& b) {
  return a.eq(b).to(at::kDouble).mean().item<double>();
}

}  // namespace

TEST_CASE("dropout is the identity in evaluation and at rate 0") {
  const auto x = at::rand({2, 3, 4});
  Dropout dropout(0.5), none(0.0);
  dropout->eval();
  CHECK(dropout(x, noise_of(2)).equal(x));
  CHECK(none(x, noise_of(2)).equal(x));
  CHECK(dropout->attention(x, {}).equal(x));
  CHECK(dropout->same_for_all_positions(x, {}).equal(x));
}

TEST_CASE("dropout zeroes the rate and keeps the mean") {
  Dropout dropout(0.3);
  const auto y = dropout(at::ones({16, 50, 128}), noise_of(16));
  CHECK(y.eq(0).to(at::kDouble).mean().item<double>() == Approx(0.3).margin(0.01));
  CHECK(y.mean().item<double>() == Approx(1.0).margin(0.01));
}

TEST_CASE("a mask follows the sentence's slot and position, not its place in a tensor") {
  Dropout dropout(0.4);
  const auto x = at::rand({4, 10, 32});
  const auto whole = dropout(x, noise_of(4));
  const auto slots = at::tensor({2, 0}, at::kLong);
  CHECK(dropout(x.index_select(0, slots), Noise{17, slots}).equal(whole.index_select(0, slots)));
  CHECK(dropout(x.narrow(1, 0, 6), noise_of(4)).equal(whole.narrow(1, 0, 6)));  // less padding
  CHECK(dropout(x.narrow(1, 7, 1), noise_of(4).at(7)).equal(whole.narrow(1, 7, 1)));
  Dropout attention(0.4);
  const auto weights = at::rand({4, 2, 10, 12});
  const auto all = attention->attention(weights, noise_of(4));
  CHECK(attention->attention(weights.index_select(0, slots).narrow(3, 0, 9), Noise{17, slots})
            .equal(all.index_select(0, slots).narrow(3, 0, 9)));
  CHECK(attention->attention(weights.narrow(2, 5, 1), noise_of(4).at(5)).equal(all.narrow(2, 5, 1)));
}

TEST_CASE("masks differ between updates, sites, sentences, positions and heads") {
  Dropout dropout(0.5), elsewhere(0.5);
  elsewhere->set_site(1);
  const auto x = at::ones({4, 64, 64});
  const auto y = dropout(x, noise_of(4));
  CHECK(share_of_equal(y, dropout(x, noise_of(4))) == 1.0);
  CHECK(share_of_equal(y, dropout(x, noise_of(4, 18))) == Approx(0.5).margin(0.02));
  CHECK(share_of_equal(y, elsewhere(x, noise_of(4))) == Approx(0.5).margin(0.02));
  CHECK(share_of_equal(y[0], y[1]) == Approx(0.5).margin(0.04));
  CHECK(share_of_equal(y.narrow(1, 0, 32), y.narrow(1, 32, 32)) == Approx(0.5).margin(0.04));
  const auto weights = dropout->attention(at::ones({1, 2, 64, 64}), noise_of(1));
  CHECK(share_of_equal(weights[0][0], weights[0][1]) == Approx(0.5).margin(0.04));
}

TEST_CASE("variational dropout has one mask for all positions of a sentence") {
  Dropout dropout(0.5);
  const auto x = at::ones({3, 8, 64});
  const auto y = dropout->same_for_all_positions(x, noise_of(3));
  for (int64_t time = 1; time < 8; ++time) CHECK(y.select(1, time).equal(y.select(1, 0)));
  CHECK(dropout->same_for_all_positions(x.select(1, 0), noise_of(3).at(5)).equal(y.select(1, 0)));
  CHECK(share_of_equal(y[0], y[1]) == Approx(0.5).margin(0.2));
}

TEST_CASE("the gradient of dropout agrees with finite differences in double") {
  Dropout dropout(0.4);
  const auto x = at::rand({2, 3, 5}, at::kDouble).requires_grad_();
  const auto factors = at::rand({2, 3, 5}, at::kDouble);
  const auto value = [&](const torch::Tensor& input) { return (dropout(input, noise_of(2)) * factors).sum(); };
  value(x).backward();
  const torch::NoGradGuard no_grad;
  const double step = 1e-4;
  auto flat = x.detach().clone().flatten();
  const auto gradient = x.grad().flatten();
  CHECK(gradient.eq(0).any().item<bool>());
  for (int64_t i = 0; i < flat.numel(); ++i) {
    const auto above = flat.clone(), below = flat.clone();
    above[i] += step;
    below[i] -= step;
    const auto difference = (value(above.view({2, 3, 5})) - value(below.view({2, 3, 5}))).item<double>() / (2 * step);
    REQUIRE(difference == Approx(gradient[i].item<double>()).margin(1e-6));
  }
}

TEST_CASE("threads, strides and precision leave the mask alone") {
  Dropout dropout(0.3);
  const auto x = at::rand({64, 20, 128}) + 1.0;
  at::set_num_threads(1);
  const auto one = dropout(x, noise_of(64));
  at::set_num_threads(2);
  CHECK(dropout(x, noise_of(64)).equal(one));
  const auto strided = x.transpose(0, 1).contiguous().transpose(0, 1);
  CHECK(dropout(strided, noise_of(64)).equal(one));
  const auto narrow = dropout(x.to(at::kBFloat16), noise_of(64));
  CHECK(narrow.scalar_type() == at::kBFloat16);
  CHECK(narrow.eq(0).equal(one.eq(0)));
  CHECK(narrow.to(at::kFloat).allclose(one, 0.01));
}

TEST_CASE("each dropout of a model gets a site from its name") {
  struct Parts : torch::nn::Module {
    Dropout first = register_module("first", Dropout(0.5)), second = register_module("second", Dropout(0.5));
  } one, two;
  const auto x = at::ones({2, 32, 32});
  CHECK(one.first(x, noise_of(2)).equal(one.second(x, noise_of(2))));
  nn::number_dropout_sites(one);
  nn::number_dropout_sites(two);
  CHECK_FALSE(one.first(x, noise_of(2)).equal(one.second(x, noise_of(2))));
  CHECK(one.first(x, noise_of(2)).equal(two.first(x, noise_of(2))));
}
