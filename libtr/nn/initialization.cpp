#include "libtr/nn/initialization.h"

#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/randn.h>

#include <cmath>

namespace tr::nn {
namespace {

struct XavierOptions {
  double gain = 1.0;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("gain", self.gain, "factor of the limit sqrt(6 / (inputs + outputs))", config::above(0));
  }
};
struct UniformOptions {
  double limit = 0.08;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("limit", self.limit, "values lie between -limit and limit", config::above(0));
  }
};
struct NormalOptions {
  double deviation = 0.02;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("deviation", self.deviation, "standard deviation", config::above(0));
  }
};
struct OrthogonalOptions {
  double gain = 1.0;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("gain", self.gain, "length of each row or column", config::above(0));
  }
};

/// A scheme that is one formula.
class Formula : public Initialization {
 public:
  explicit Formula(std::function<void(torch::Tensor)> draw) : draw_(std::move(draw)) {}
  void draw(torch::Tensor matrix) const override {
    const torch::NoGradGuard no_grad;
    draw_(matrix);
  }

 private:
  std::function<void(torch::Tensor)> draw_;
};

Initializations make_initializations() {
  Initializations table("initialization");
  table.add<XavierOptions>("xavier", "uniform, variance 2 / (inputs + outputs)", "Glorot and Bengio 2010, equation 16",
                           [](const XavierOptions& options) {
                             return std::make_shared<Formula>([options](torch::Tensor matrix) {
                               const auto both = static_cast<double>(matrix.size(0) + matrix.size(1));
                               const double limit = options.gain * std::sqrt(6.0 / both);
                               matrix.uniform_(-limit, limit);
                             });
                           });
  table.add<UniformOptions>("uniform", "uniform between fixed limits", "Sutskever et al. 2014, section 3.4",
                            [](const UniformOptions& options) {
                              return std::make_shared<Formula>(
                                  [options](torch::Tensor matrix) { matrix.uniform_(-options.limit, options.limit); });
                            });
  table.add<NormalOptions>(
      "normal", "normal with fixed deviation", "Radford et al. 2018, section 4.1", [](const NormalOptions& options) {
        return std::make_shared<Formula>([options](torch::Tensor matrix) { matrix.normal_(0.0, options.deviation); });
      });
  table.add<OrthogonalOptions>(
      "orthogonal", "orthonormal rows or columns", "Saxe et al. 2014, section 3", [](const OrthogonalOptions& options) {
        return std::make_shared<Formula>([options](torch::Tensor matrix) { draw_orthogonal(matrix, options.gain); });
      });
  return table;
}

}  // namespace

Initializations& initializations() {
  static Initializations table = make_initializations();
  return table;
}

void initialize(torch::nn::Module& root, const Initialization& scheme) {
  const torch::NoGradGuard no_grad;
  const auto initialize_one = [&](torch::nn::Module& module) {
    if (auto* own = dynamic_cast<Initializable*>(&module)) own->initialize(scheme);
  };
  initialize_one(root);
  // Without the root: in its constructor no pointer owns it yet.
  for (const auto& module : root.modules(/*include_self=*/false)) initialize_one(*module);
}

void draw_orthogonal(torch::Tensor matrix, double gain) {
  const torch::NoGradGuard no_grad;
  const bool wide = matrix.size(0) < matrix.size(1);
  const auto normal = at::randn({matrix.size(0), matrix.size(1)}, at::kFloat);
  const auto [q, r] = at::linalg_qr(wide ? normal.t() : normal);
  // The signs of r's diagonal make the result uniform over orthogonal matrices (Mezzadri 2007, section 5).
  const auto uniform = q * r.diagonal().sign() * gain;
  matrix.copy_(wide ? uniform.t() : uniform);
}

}  // namespace tr::nn
