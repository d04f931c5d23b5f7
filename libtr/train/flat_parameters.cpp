#include "libtr/train/flat_parameters.h"

#include <ATen/Parallel.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <ATen/record_function.h>
#include <c10/util/StringUtil.h>

#include <algorithm>
#include <cmath>

#include "libtr/base/error.h"
#include "libtr/base/format.h"

namespace tr::train {
namespace {

using torch::Tensor;

constexpr int64_t kAlignment = 16;  // float32 numbers in 64 bytes

/// Blocks of fixed size, each summed by itself, then in order: the number of threads changes no bit.
double sum_of_squares(const Tensor& flat) {
  RECORD_FUNCTION("tr::gradient_norm", c10::ArrayRef<const c10::IValue>{});
  constexpr int64_t kBlock = 8192;
  const float* values = flat.const_data_ptr<float>();
  const int64_t size = flat.numel(), blocks = (size + kBlock - 1) / kBlock;
  std::vector<double> sums(static_cast<size_t>(blocks));
  at::parallel_for(0, blocks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const int64_t last = std::min(size, (block + 1) * kBlock);
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = block * kBlock; i < last; ++i) sum += static_cast<double>(values[i]) * values[i];
      sums[static_cast<size_t>(block)] = sum;
    }
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

}  // namespace

Tensor FlatParameters::view_of(const Tensor& flat, const Slice& slice) {
  return flat.narrow(0, slice.offset, slice.size).view(slice.shape);
}

FlatParameters::FlatParameters(torch::nn::Module& model, const std::vector<torch::nn::Module*>& copies) {
  const torch::NoGradGuard no_grad;
  const auto parameters = model.named_parameters();
  if (parameters.is_empty()) throw UsageError("optimizer", "the model has no parameters");
  const auto options = parameters.begin()->value().options();
  int64_t size = 0;
  for (const auto& parameter : parameters) {
    const Tensor& value = parameter.value();
    if (value.options().device() != options.device() || value.scalar_type() != options.dtype().toScalarType()) {
      throw UsageError(parameter.key(), "is of another device or type than the parameters before it; all must agree");
    }
    slices_.push_back({parameter.key(), size, value.sizes().vec(), value.numel()});
    size += (value.numel() + kAlignment - 1) / kAlignment * kAlignment;
    count_ += value.numel();
  }
  values_ = at::zeros({size}, options.requires_grad(false));
  gradients_ = at::zeros_like(values_);
  auto slice = slices_.begin();
  for (const auto& parameter : parameters) view_of(values_, *slice++).copy_(parameter.value());
  attach(model, gradients_);
  for (auto* copy : copies) {
    gradients_of_copies_.push_back(at::zeros_like(values_));
    attach(*copy, gradients_of_copies_.back());
  }
}

void FlatParameters::attach(torch::nn::Module& model, const Tensor& gradients) const {
  const auto parameters = model.named_parameters();
  TORCH_CHECK(parameters.size() == slices_.size(), "copies of a model must be built alike");
  auto slice = slices_.begin();
  for (const auto& parameter : parameters) {
    Tensor value = parameter.value();
    TORCH_CHECK(parameter.key() == slice->name && value.sizes() == at::IntArrayRef(slice->shape) &&
                    value.options().type_equal(values_.options()),
                "copies of a model must be built alike: ", parameter.key());
    value.set_data(view_of(values_, *slice));
    value.mutable_grad() = view_of(gradients, *slice++);
  }
}

void FlatParameters::zero_gradients() {
  gradients_.zero_();
  for (auto& gradients : gradients_of_copies_) gradients.zero_();
}

void FlatParameters::add_up_gradients() {
  for (const auto& gradients : gradients_of_copies_) gradients_.add_(gradients);
}

double FlatParameters::gradient_norm() const {
  if (gradients_.is_cpu() && gradients_.scalar_type() == at::kFloat) return std::sqrt(sum_of_squares(gradients_));
  return at::linalg_vector_norm(gradients_, 2, {}, /*keepdim=*/false, at::kDouble).item<double>();
}

void FlatParameters::clip_gradients(double norm, double limit) {
  if (norm > limit) gradients_.mul_(limit / norm);
}

NamedTensors FlatParameters::views(const Tensor& flat, const std::string& prefix) const {
  NamedTensors views;
  for (const auto& slice : slices_) {
    views[prefix + "/" + slice.name] = view_of(flat, slice);
  }
  return views;
}

void FlatParameters::copy_into(const Tensor& flat, const NamedTensors& tensors, const std::string& prefix) const {
  const torch::NoGradGuard no_grad;
  for (auto& [name, view] : views(flat, prefix)) {
    const auto found = tensors.find(name);
    if (found == tensors.end()) throw DataError("optimizer state", "no tensor " + name);
    if (found->second.sizes() != view.sizes()) {
      throw DataError("optimizer state", format("{} has shape {}, expected {}", name, c10::str(found->second.sizes()),
                                                c10::str(view.sizes())));
    }
    view.copy_(found->second);
  }
}

}  // namespace tr::train
