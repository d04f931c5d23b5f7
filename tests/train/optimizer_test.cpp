// Optimizers: against torch::optim and the formulas of the papers.
#include "libtr/train/optimizer.h"

#include <torch/nn/modules/linear.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include "tests/support.h"

namespace tr::train {
namespace {

using torch::Tensor;

/// Two layers whose sizes are no multiples of 16, so that slices have gaps.
struct Net : torch::nn::Module {
  explicit Net(torch::ScalarType type = torch::kFloat) {
    torch::manual_seed(1);
    first = register_module("first", torch::nn::Linear(5, 7));
    second = register_module("second", torch::nn::Linear(7, 3));
    to(type);
  }
  Tensor loss(int64_t step) {
    torch::manual_seed(100 + static_cast<uint64_t>(step));
    const auto x = torch::randn({11, 5}, first->weight.options().requires_grad(false));
    return second(torch::tanh(first(x))).pow(2).sum();
  }
  torch::nn::Linear first{nullptr}, second{nullptr};
};

void take_steps(Net& net, FlatParameters& parameters, Optimizer& optimizer, int64_t from, int64_t to) {
  for (int64_t step = from; step < to; ++step) {
    parameters.zero_gradients();
    net.loss(step).backward();
    optimizer.step(0.01);
  }
}

/// Largest difference of any parameter after 20 steps of ours and of LibTorch's.
template <class Stock>
double difference_from(Stock&& make_stock, const config::Choice<optimizers>& choice, torch::ScalarType type) {
  Net ours(type), theirs(type);
  const auto parameters = std::make_shared<FlatParameters>(ours);
  const auto optimizer = choice.make(parameters);
  take_steps(ours, *parameters, *optimizer, 0, 20);
  auto stock = make_stock(theirs.parameters());
  for (int64_t step = 0; step < 20; ++step) {
    stock.zero_grad();
    theirs.loss(step).backward();
    stock.step();
  }
  double difference = 0;
  for (size_t i = 0; i < ours.parameters().size(); ++i) {
    difference = std::max(difference, (ours.parameters()[i] - theirs.parameters()[i]).abs().max().item<double>());
  }
  return difference;
}

TEST_CASE("adam and adamw take the steps of torch::optim, fused in float32 and plain in float64") {
  const AdamOptions options{.beta1 = 0.9, .beta2 = 0.98, .epsilon = 1e-9, .weight_decay = 0.1};
  const auto adam = [](const std::vector<Tensor>& parameters) {
    return torch::optim::Adam(parameters,
                              torch::optim::AdamOptions(0.01).betas({0.9, 0.98}).eps(1e-9).weight_decay(0.1));
  };
  const auto adamw = [](const std::vector<Tensor>& parameters) {
    return torch::optim::AdamW(parameters,
                               torch::optim::AdamWOptions(0.01).betas({0.9, 0.98}).eps(1e-9).weight_decay(0.1));
  };
  for (const auto type : {torch::kFloat, torch::kDouble}) {
    const double tolerance = type == torch::kFloat ? 1e-5 : 1e-12;
    CHECK(difference_from(adam, config::Choice<optimizers>("adam", options), type) < tolerance);
    CHECK(difference_from(adamw, config::Choice<optimizers>("adamw", options), type) < tolerance);
  }
}

TEST_CASE("sgd takes the steps of torch::optim::SGD") {
  const auto sgd = [](const std::vector<Tensor>& parameters) {
    return torch::optim::SGD(parameters, torch::optim::SGDOptions(0.01).momentum(0.9).weight_decay(0.05));
  };
  const SgdOptions options{.momentum = 0.9, .weight_decay = 0.05};
  CHECK(difference_from(sgd, config::Choice<optimizers>("sgd", options), torch::kDouble) < 1e-12);
}

TEST_CASE("the first step of adam is the learning rate in each coordinate") {
  Net net;
  const auto parameters = std::make_shared<FlatParameters>(net);
  const auto before = net.second->bias.detach().clone();
  const auto optimizer = config::Choice<optimizers>("adam").make(parameters);
  take_steps(net, *parameters, *optimizer, 0, 1);
  const auto step = (net.second->bias.detach() - before).abs();
  CHECK((step - 0.01).abs().max().item<double>() < 1e-6);  // m / sqrt(v) = g / |g|
}

TEST_CASE("every optimizer of the table goes on from its saved state with the same bits") {
  for (const auto& name : optimizers().names()) {
    CAPTURE(name);
    const config::Choice<optimizers> choice(name);
    Net whole, begun, resumed;
    const auto of_whole = std::make_shared<FlatParameters>(whole), of_begun = std::make_shared<FlatParameters>(begun),
               of_resumed = std::make_shared<FlatParameters>(resumed);
    const auto first = choice.make(of_whole), second = choice.make(of_begun), third = choice.make(of_resumed);
    take_steps(whole, *of_whole, *first, 0, 9);
    take_steps(begun, *of_begun, *second, 0, 4);
    NamedTensors state;
    for (const auto& [key, tensor] : second->state()) state[key] = tensor.clone();
    const torch::NoGradGuard no_grad;
    of_resumed->values().copy_(of_begun->values());
    third->restore(state);
    {
      const torch::AutoGradMode gradients(true);
      take_steps(resumed, *of_resumed, *third, 4, 9);
    }
    CHECK(torch::equal(of_whole->values(), of_resumed->values()));
  }
}

TEST_CASE("a state that lacks a tensor or has another shape is refused") {
  Net net;
  const auto optimizer = config::Choice<optimizers>("adam").make(std::make_shared<FlatParameters>(net));
  auto state = optimizer->state();
  CHECK(test::error_of([&] { optimizer->restore({}); }) == "optimizer state: no tensor steps");
  state["mean/first.weight"] = torch::zeros({7, 4});
  CHECK(test::error_of([&] { optimizer->restore(state); }) ==
        "optimizer state: mean/first.weight has shape [7, 4], expected [7, 5]");
  state.erase("mean/first.weight");
  CHECK(test::error_of([&] { optimizer->restore(state); }) == "optimizer state: no tensor mean/first.weight");
}

TEST_CASE("parameters are views that start on 64 bytes and keep their values and gradients") {
  Net net, copy;
  FlatParameters parameters(net);
  CHECK(parameters.count() == 5 * 7 + 7 + 7 * 3 + 3);
  net.loss(0).backward();
  copy.loss(0).backward();
  for (size_t i = 0; i < net.parameters().size(); ++i) {
    const Tensor parameter = net.parameters()[i];
    CHECK(reinterpret_cast<uintptr_t>(parameter.data_ptr()) % 64 == 0);
    CHECK(torch::equal(parameter, copy.parameters()[i]));
    CHECK(torch::equal(parameter.grad(), copy.parameters()[i].grad()));
  }
  const auto norm = parameters.gradients().norm().item<double>();
  CHECK(norm > 0);
  CHECK(parameters.gradient_norm() == Approx(norm).epsilon(1e-6));
  parameters.zero_gradients();
  CHECK(net.first->weight.grad().abs().sum().item<double>() == 0);
}

TEST_CASE("clipping scales gradients down to the limit and leaves smaller ones alone") {
  Net net;
  FlatParameters parameters(net);
  net.loss(0).backward();
  const double norm = parameters.gradient_norm();
  const auto before = parameters.gradients().clone();
  parameters.clip_gradients(norm, norm * 2);
  CHECK(torch::equal(parameters.gradients(), before));
  parameters.clip_gradients(norm, norm / 4);
  CHECK(parameters.gradient_norm() == Approx(norm / 4).epsilon(1e-6));
  net.first->bias.mutable_grad()[2] = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(std::isfinite(parameters.gradient_norm()));
}

TEST_CASE("the number of threads changes no bit of the gradient norm") {
  struct Wide : torch::nn::Module {
    Tensor weight = register_parameter("weight", torch::zeros({100003}));
  } wide;
  FlatParameters parameters(wide);
  torch::manual_seed(2);
  const_cast<Tensor&>(parameters.gradients()).copy_(torch::randn_like(parameters.gradients()));
  at::set_num_threads(1);
  const double one = parameters.gradient_norm();
  at::set_num_threads(2);
  CHECK(parameters.gradient_norm() == one);
}

TEST_CASE("parameters of two types are refused") {
  Net net;
  net.second->to(torch::kDouble);
  CHECK(test::error_of([&] { FlatParameters parameters(net); }) ==
        "second.weight: is of another device or type than the parameters before it; all must agree");
}

}  // namespace
}  // namespace tr::train
