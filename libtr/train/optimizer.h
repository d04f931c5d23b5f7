// Optimizers over one flat buffer of parameters, and the table that a configuration chooses from.
#pragma once

#include <torch/nn/module.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "libtr/config/registry.h"

namespace tr::train {

using NamedTensors = std::map<std::string, torch::Tensor>;

/// All parameters of a model in one tensor and their gradients in another: one pass over memory serves clipping, the
/// update and zeroing. Each parameter becomes a view that starts on 64 bytes; its gradient likewise. The model must be
/// on its device already and must not be given other parameters afterwards.
class FlatParameters {
 public:
  /// Throws UsageError if the parameters are not all of one device and one floating type.
  explicit FlatParameters(torch::nn::Module& model);

  const torch::Tensor& values() const { return values_; }        ///< [size]; zeros between the parameters
  const torch::Tensor& gradients() const { return gradients_; }  ///< [size]
  int64_t count() const { return count_; }                       ///< numbers that are trained
  void zero_gradients();

  /// Euclidean norm of all gradients; not finite if one of them is not. Summed in a fixed order, whatever the number of
  /// threads.
  double gradient_norm() const;
  /// Scales the gradients so that their norm, given as `norm`, becomes at most `limit`.
  void clip_gradients(double norm, double limit);

  /// Views of `flat` [size] in the parameters' shapes, by "prefix/name".
  NamedTensors views(const torch::Tensor& flat, const std::string& prefix) const;
  /// Copies into `flat` from `tensors` named as by views(). Throws DataError for a missing name or another shape.
  void copy_into(const torch::Tensor& flat, const NamedTensors& tensors, const std::string& prefix) const;

 private:
  struct Slice {
    std::string name;
    int64_t offset = 0;
    std::vector<int64_t> shape;
    int64_t size = 0;
  };
  std::vector<Slice> slices_;
  torch::Tensor values_, gradients_;
  int64_t count_ = 0;
};

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
