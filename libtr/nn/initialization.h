// Initial values of projections, as a table: Glorot and Bengio 2010, "Understanding the difficulty of training deep
// feedforward neural networks", section 4.2; Saxe et al. 2014, "Exact solutions to the nonlinear dynamics of learning
// in deep linear neural networks".
#pragma once

#include <torch/nn/module.h>

#include <memory>

#include "libtr/config/registry.h"

namespace tr::nn {

/// How one matrix is drawn, from LibTorch's default generator.
class Initialization {
 public:
  virtual ~Initialization() = default;
  /// Fills `matrix` [outputs, inputs] in place; a view into stacked matrices is welcome.
  virtual void draw(torch::Tensor matrix) const = 0;
};

using Initializations = config::Registry<std::shared_ptr<Initialization>>;
/// xavier, uniform, normal, orthogonal; open to more: initializations().add(…).
Initializations& initializations();

/// A module with parameters of its own. It draws each of its matrices by the scheme, one draw a matrix even where
/// several are stacked in one parameter, and sets what is no projection (biases, norms, embeddings) as it sees fit.
class Initializable {
 public:
  virtual ~Initializable() = default;
  virtual void initialize(const Initialization& scheme) = 0;
};

/// Calls initialize of every Initializable below `root`, in the order of registration: the same seed gives the same
/// model. To be called once by each model's constructor.
void initialize(torch::nn::Module& root, const Initialization& scheme);

/// What recurrent cells add to the scheme.
struct RecurrentInitialization {
  bool orthogonal = false;   ///< recurrent matrices, one a gate; else by the scheme
  double forget_bias = 1.0;  ///< Gers et al. 2000; Jozefowicz et al. 2015, section 2.2

  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("orthogonal", self.orthogonal, "draw recurrent matrices orthogonal, gate by gate");
    field("forget_bias", self.forget_bias, "bias of the forget gate of an LSTM at the start");
  }
};

/// Fills `matrix` with orthonormal rows (or columns, if there are fewer of them) times `gain`.
void draw_orthogonal(torch::Tensor matrix, double gain = 1.0);

}  // namespace tr::nn
