#include "libtr/nn/norm.h"

#include <ATen/ops/layer_norm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/zeros.h>

#include "libtr/nn/initialization.h"

namespace tr::nn {
namespace {

struct LayerNormOptions {
  double eps = 1e-5;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("eps", self.eps, "added to the variance", config::above(0));
  }
};

/// y = (x - mean) / sqrt(variance + eps) * weight + bias
class LayerNorm : public Norm, public Initializable {
 public:
  LayerNorm(const LayerNormOptions& options, int64_t width)
      : weight_(register_parameter("weight", at::ones({width}))),
        bias_(register_parameter("bias", at::zeros({width}))),
        eps_(options.eps) {}

  torch::Tensor forward(const torch::Tensor& x) override {
    return at::layer_norm(x, weight_.sizes(), weight_, bias_, eps_);
  }
  void initialize(const Initialization&) override {
    weight_.detach().fill_(1.0);
    bias_.detach().zero_();
  }

 private:
  torch::Tensor weight_, bias_;
  double eps_;
};

struct RmsNormOptions {
  double eps = 1e-6;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("eps", self.eps, "added to the mean square", config::above(0));
  }
};

/// y = x / sqrt(mean of x^2 + eps) * weight
class RmsNorm : public Norm, public Initializable {
 public:
  RmsNorm(const RmsNormOptions& options, int64_t width)
      : weight_(register_parameter("weight", at::ones({width}))), eps_(options.eps) {}

  torch::Tensor forward(const torch::Tensor& x) override {
    const auto mean_square = x.square().mean(-1, /*keepdim=*/true);
    return x * at::rsqrt(mean_square + eps_) * weight_;
  }
  void initialize(const Initialization&) override { weight_.detach().fill_(1.0); }

 private:
  torch::Tensor weight_;
  double eps_;
};

class NoNorm : public Norm {
 public:
  torch::Tensor forward(const torch::Tensor& x) override { return x; }
};

Norms make_norms() {
  Norms table("norm");
  table.add<LayerNormOptions>(
      "layer_norm", "mean 0, variance 1 over the features, then scale and shift", "Ba et al. 2016, equation 4",
      [](const LayerNormOptions& options, int64_t width) { return std::make_shared<LayerNorm>(options, width); });
  table.add<RmsNormOptions>(
      "rms_norm", "mean square 1 over the features, then scale", "Zhang and Sennrich 2019, equation 4",
      [](const RmsNormOptions& options, int64_t width) { return std::make_shared<RmsNorm>(options, width); });
  table.add<config::NoOptions>("none", "the input itself", "",
                               [](const config::NoOptions&, int64_t) { return std::make_shared<NoNorm>(); });
  return table;
}

}  // namespace

Norms& norms() {
  static Norms table = make_norms();
  return table;
}

}  // namespace tr::nn
