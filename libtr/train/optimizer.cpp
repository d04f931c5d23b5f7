#include "libtr/train/optimizer.h"

#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

#include "libtr/base/error.h"

namespace tr::train {
namespace {

using torch::Tensor;

/// Adam: Kingma and Ba 2015, "Adam: a method for stochastic optimization", algorithm 1; weight decay is added to the
/// gradient, or decoupled: Loshchilov and Hutter 2019, "Decoupled weight decay regularization", algorithm 2.
class Adam : public Optimizer {
 public:
  enum class Decay { in_gradient, decoupled };

  Adam(const AdamOptions& options, Decay decay, std::shared_ptr<FlatParameters> parameters)
      : options_(options), decay_(decay), parameters_(std::move(parameters)) {
    mean_ = at::zeros_like(parameters_->values());
    mean_of_squares_ = at::zeros_like(parameters_->values());
    step_ = at::zeros({}, mean_.options().dtype(at::kFloat));
  }

  void step(double learning_rate) override {
    const torch::NoGradGuard no_grad;
    ++taken_;
    if (mean_.is_cpu() && mean_.scalar_type() == at::kFloat) {
      fused_step(learning_rate);
    } else {
      plain_step(learning_rate);
    }
  }

  double learning_rate() const override { return options_.learning_rate; }

  NamedTensors state() const override {
    auto state = parameters_->views(mean_, "mean");
    state.merge(parameters_->views(mean_of_squares_, "mean_of_squares"));
    state["steps"] = at::zeros({1}, at::kLong).fill_(taken_);
    return state;
  }

  void restore(const NamedTensors& state) override {
    const auto steps = state.find("steps");
    if (steps == state.end() || steps->second.numel() != 1) throw DataError("optimizer state", "no tensor steps");
    parameters_->copy_into(mean_, state, "mean");
    parameters_->copy_into(mean_of_squares_, state, "mean_of_squares");
    taken_ = steps->second.item<int64_t>();
  }

 private:
  void fused_step(double learning_rate) {
    step_.fill_(taken_);
    const std::vector<Tensor> values{parameters_->values()}, gradients{parameters_->gradients()}, means{mean_},
        squares{mean_of_squares_}, steps{step_};
    if (decay_ == Decay::decoupled) {
      at::_fused_adamw_(values, gradients, means, squares, {}, steps, learning_rate, options_.beta1, options_.beta2,
                        options_.weight_decay, options_.epsilon, /*amsgrad=*/false, /*maximize=*/false);
    } else {
      at::_fused_adam_(values, gradients, means, squares, {}, steps, learning_rate, options_.beta1, options_.beta2,
                       options_.weight_decay, options_.epsilon, /*amsgrad=*/false, /*maximize=*/false);
    }
  }

  void plain_step(double learning_rate) {
    auto values = parameters_->values();
    auto gradient = parameters_->gradients();
    if (decay_ == Decay::decoupled) values.mul_(1 - learning_rate * options_.weight_decay);
    if (decay_ == Decay::in_gradient && options_.weight_decay > 0)
      gradient = gradient.add(values, options_.weight_decay);
    mean_.lerp_(gradient, 1 - options_.beta1);
    mean_of_squares_.mul_(options_.beta2).addcmul_(gradient, gradient, 1 - options_.beta2);
    const double steps = static_cast<double>(taken_);
    const double correction = 1 - std::pow(options_.beta1, steps);
    const double correction_of_squares = 1 - std::pow(options_.beta2, steps);
    const auto root = (mean_of_squares_.sqrt() / std::sqrt(correction_of_squares)).add_(options_.epsilon);
    values.addcdiv_(mean_, root, -learning_rate / correction);
  }

  AdamOptions options_;
  Decay decay_;
  std::shared_ptr<FlatParameters> parameters_;
  Tensor mean_, mean_of_squares_, step_;
  int64_t taken_ = 0;
};

/// Stochastic gradient descent with momentum: Polyak 1964; Sutskever et al. 2013, "On the importance of initialization
/// and momentum in deep learning", section 2, in the form velocity = momentum * velocity + gradient.
class Sgd : public Optimizer {
 public:
  Sgd(const SgdOptions& options, std::shared_ptr<FlatParameters> parameters)
      : options_(options), parameters_(std::move(parameters)), velocity_(at::zeros_like(parameters_->values())) {}

  void step(double learning_rate) override {
    const torch::NoGradGuard no_grad;
    auto values = parameters_->values();
    velocity_.mul_(options_.momentum).add_(parameters_->gradients());
    if (options_.weight_decay > 0) velocity_.add_(values, options_.weight_decay);
    values.add_(velocity_, -learning_rate);
  }
  double learning_rate() const override { return options_.learning_rate; }
  NamedTensors state() const override { return parameters_->views(velocity_, "velocity"); }
  void restore(const NamedTensors& state) override { parameters_->copy_into(velocity_, state, "velocity"); }

 private:
  SgdOptions options_;
  std::shared_ptr<FlatParameters> parameters_;
  Tensor velocity_;
};

}  // namespace

Optimizers& optimizers() {
  using Parameters = std::shared_ptr<FlatParameters>;
  static Optimizers table = [] {
    Optimizers filled("optimizer");
    filled.add<AdamOptions>("adam", "steps scaled by running moments of the gradient", "Kingma and Ba 2015",
                            [](const AdamOptions& options, const Parameters& parameters) {
                              return std::make_shared<Adam>(options, Adam::Decay::in_gradient, parameters);
                            });
    filled.add<AdamOptions>("adamw", "adam with weight decay apart from the gradient", "Loshchilov and Hutter 2019",
                            [](const AdamOptions& options, const Parameters& parameters) {
                              return std::make_shared<Adam>(options, Adam::Decay::decoupled, parameters);
                            });
    filled.add<SgdOptions>("sgd", "gradient descent with momentum", "Sutskever et al. 2013, section 2",
                           [](const SgdOptions& options, const Parameters& parameters) {
                             return std::make_shared<Sgd>(options, parameters);
                           });
    return filled;
  }();
  return table;
}

}  // namespace tr::train
