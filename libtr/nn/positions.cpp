#include "libtr/nn/positions.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/pow.h>

#include <cmath>
#include <mutex>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/nn/initialization.h"

namespace tr::nn {
namespace {

/// Vectors are computed as far as they are needed, so no sentence is too long.
class SinusoidalPositions : public Positions {
 public:
  SinusoidalPositions(const SinusoidalOptions& options, int64_t d_model)
      : layout_(options.layout), vectors_(sinusoidal_vectors(256, d_model, layout_)) {}

  torch::Tensor forward(const torch::Tensor& x) override {
    return x + vectors(x.size(1), x.device()).narrow(0, 0, x.size(1));
  }
  torch::Tensor step(const torch::Tensor& x, const torch::Tensor& position) override {
    return x + vectors(position.max().item<int64_t>() + 1, x.device()).index_select(0, position);
  }

 private:
  /// At least `count` rows. Several threads may decode with one model, hence the lock.
  torch::Tensor vectors(int64_t count, torch::Device device) {
    const std::lock_guard lock(mutex_);
    if (vectors_.size(0) < count) vectors_ = sinusoidal_vectors(2 * count, vectors_.size(1), layout_);
    if (vectors_.device() != device) vectors_ = vectors_.to(device);
    return vectors_;
  }

  SinusoidalLayout layout_;
  std::mutex mutex_;
  torch::Tensor vectors_;  // [count, d_model]; no part of the model's state
};

class LearnedPositions : public Positions, public Initializable {
 public:
  LearnedPositions(const LearnedPositionsOptions& options, int64_t d_model)
      : weight_(register_parameter("weight", at::empty({options.longest, d_model}))) {}

  torch::Tensor forward(const torch::Tensor& x) override {
    check(x.size(1));
    return x + weight_.narrow(0, 0, x.size(1));
  }
  torch::Tensor step(const torch::Tensor& x, const torch::Tensor& position) override {
    check(position.max().item<int64_t>() + 1);
    return x + at::embedding(weight_, position);
  }
  int64_t longest() const override { return weight_.size(0); }
  void initialize(const Initialization&) override {
    weight_.detach().normal_(0.0, std::pow(static_cast<double>(weight_.size(1)), -0.5));
  }

 private:
  void check(int64_t tokens) const {
    if (tokens <= longest()) return;
    throw DataError("positions", format("got a sentence of {} tokens, learned positions end at {}", tokens, longest()));
  }

  torch::Tensor weight_;  // [longest, d_model]
};

class NoPositions : public Positions {
 public:
  torch::Tensor forward(const torch::Tensor& x) override { return x; }
  torch::Tensor step(const torch::Tensor& x, const torch::Tensor&) override { return x; }
};

PositionsTable make_positions() {
  PositionsTable table("kind of positions");
  table.add<SinusoidalOptions>("sinusoidal", "sines and cosines of falling frequency; no longest sentence",
                               "Vaswani et al. 2017, section 3.5",
                               [](const SinusoidalOptions& options, int64_t d_model) {
                                 return std::make_shared<SinusoidalPositions>(options, d_model);
                               });
  table.add<LearnedPositionsOptions>("learned", "a trained vector for each position",
                                     "Gehring et al. 2017, section 3.1",
                                     [](const LearnedPositionsOptions& options, int64_t d_model) {
                                       return std::make_shared<LearnedPositions>(options, d_model);
                                     });
  table.add<config::NoOptions>("none", "the order of tokens is left out", "",
                               [](const config::NoOptions&, int64_t) { return std::make_shared<NoPositions>(); });
  return table;
}

}  // namespace

PositionsTable& positions() {
  static PositionsTable table = make_positions();
  return table;
}

torch::Tensor sinusoidal_vectors(int64_t count, int64_t d_model, SinusoidalLayout layout) {
  const int64_t cosines = d_model / 2, sines = d_model - cosines;
  const auto feature = at::arange(sines, at::kDouble);
  const auto frequency = at::pow(10000.0, -2.0 * feature / static_cast<double>(d_model));
  const auto angle = at::outer(at::arange(count, at::kDouble), frequency);  // [count, sines]
  const auto sine = angle.sin(), cosine = angle.narrow(1, 0, cosines).cos();
  if (layout == SinusoidalLayout::halves) return at::cat({sine, cosine}, 1).to(at::kFloat);
  auto vectors = at::empty({count, d_model}, at::kFloat);
  vectors.slice(1, 0, d_model, 2).copy_(sine);
  vectors.slice(1, 1, d_model, 2).copy_(cosine);
  return vectors;
}

}  // namespace tr::nn
