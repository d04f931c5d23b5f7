// A model without dropout and gradients for as long as an object lives.
#pragma once

#include <ATen/core/grad_mode.h>
#include <torch/nn/module.h>

namespace tr::decode {

class EvaluationMode {
 public:
  explicit EvaluationMode(torch::nn::Module& module) : module_(module), was_training_(module.is_training()) {
    module_.eval();
  }
  ~EvaluationMode() { module_.train(was_training_); }
  EvaluationMode(const EvaluationMode&) = delete;
  EvaluationMode& operator=(const EvaluationMode&) = delete;

 private:
  torch::nn::Module& module_;
  bool was_training_;
  at::NoGradGuard no_grad_;
};

}  // namespace tr::decode
