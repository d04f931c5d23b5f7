// Optimizers over one flat buffer of parameters, and the table that a configuration chooses from.
#pragma once

#include <memory>

#include "libtr/config/registry.h"
#include "libtr/train/flat_parameters.h"

namespace tr::train {

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// One update of the parameters from their gradients.
  virtual void step(double learning_rate) = 0;
  /// The rate that the schedule scales.
  virtual double learning_rate() const = 0;
  /// What a resumed run needs; views, not copies.
  virtual NamedTensors state() const = 0;
  /// Throws DataError if a tensor is missing or has another shape.
  virtual void restore(const NamedTensors& state) = 0;
};

using Optimizers = config::Registry<std::shared_ptr<Optimizer>, const std::shared_ptr<FlatParameters>&>;
/// adam, adamw, sgd; open to more.
Optimizers& optimizers();

struct AdamOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-9;
  double weight_decay = 0.0;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("learning_rate", self.learning_rate, "rate that the schedule scales", config::at_least(0));
    field("beta1", self.beta1, "decay of the mean of gradients", config::below_one());
    field("beta2", self.beta2, "decay of the mean of squared gradients", config::below_one());
    field("epsilon", self.epsilon, "added to the root of the mean of squares", config::above(0));
    field("weight_decay", self.weight_decay, "pull of the parameters towards zero", config::at_least(0));
  }
};

struct SgdOptions {
  double learning_rate = 0.1;
  double momentum = 0.0;
  double weight_decay = 0.0;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("learning_rate", self.learning_rate, "rate that the schedule scales", config::at_least(0));
    field("momentum", self.momentum, "share of the last step that is taken again", config::below_one());
    field("weight_decay", self.weight_decay, "added to the gradient, times the parameter", config::at_least(0));
  }
};

}  // namespace tr::train
