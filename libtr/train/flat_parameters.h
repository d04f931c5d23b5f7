// All parameters of a model in one buffer.
#pragma once

#include <torch/nn/module.h>

#include <map>
#include <string>
#include <vector>

namespace tr::train {

using NamedTensors = std::map<std::string, torch::Tensor>;

/// All parameters of a model in one tensor and their gradients in another: one pass over memory serves clipping, the
/// update and zeroing. Each parameter becomes a view that starts on 64 bytes; its gradient likewise. The model must be
/// on its device already and must not be given other parameters afterwards.
class FlatParameters {
 public:
  /// `copies`: models built alike; they come to share the parameters, each with gradients of its own. Throws UsageError
  /// if the parameters are not all of one device and one floating type.
  explicit FlatParameters(torch::nn::Module& model, const std::vector<torch::nn::Module*>& copies = {});

  const torch::Tensor& values() const { return values_; }        ///< [size]; zeros between the parameters
  const torch::Tensor& gradients() const { return gradients_; }  ///< [size]
  int64_t count() const { return count_; }                       ///< numbers that are trained
  void zero_gradients();                                         ///< those of the copies too
  void add_up_gradients();                                       ///< adds those of the copies to gradients(), in order

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
  static torch::Tensor view_of(const torch::Tensor& flat, const Slice& slice);
  /// Makes parameters and gradients of `model` views of values_ and `gradients`.
  void attach(torch::nn::Module& model, const torch::Tensor& gradients) const;

  std::vector<Slice> slices_;
  torch::Tensor values_, gradients_;
  std::vector<torch::Tensor> gradients_of_copies_;
  int64_t count_ = 0;
};

}  // namespace tr::train
