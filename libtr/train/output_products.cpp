#include "libtr/train/output_products.h"

#include <ATen/autocast_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros_like.h>
#include <ATen/record_function.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <optional>

#include "libtr/nn/product.h"

namespace tr::train {
namespace {

using kernels::PackedMatrix;
using torch::Tensor;

/// Weights are packed once for all rows; everything stays float32 outside of the products.
class ByKernels : public OutputProducts {
 public:
  ByKernels(const Tensor& hidden, const nn::OutputLayer& output, int64_t rows, bool gradient,
            kernels::ProductPrecision precision)
      : hidden_(hidden.contiguous()),
        weight_(output.weight.contiguous()),
        bias_(output.bias),
        precision_(precision),
        projection_(nn::view_of(weight_).transposed(), weight_.size(1), weight_.size(0), precision),
        buffer_(at::empty({rows, weight_.size(0)}, hidden.options().requires_grad(false))) {
    if (!gradient) return;
    back_.emplace(nn::view_of(weight_), weight_.size(0), weight_.size(1), precision);
    hidden_gradient = at::empty_like(hidden_);
    weight_gradient = at::zeros_like(weight_);
    if (bias_.defined()) bias_gradient = at::zeros_like(bias_);
  }

  Tensor logits(int64_t begin, int64_t rows) override {
    RECORD_FUNCTION("tr::output_layer", c10::ArrayRef<const c10::IValue>{});
    auto result = buffer_.narrow(0, 0, rows);
    nn::shared_product(rows, nn::view_of(hidden_.narrow(0, begin, rows)), projection_,
                       {.data = result.mutable_data_ptr<float>(),
                        .row = weight_.size(0),
                        .bias = bias_.defined() ? bias_.const_data_ptr<float>() : nullptr});
    return result;
  }

  void add_gradient(int64_t begin, const Tensor& of_logits) override {
    RECORD_FUNCTION("tr::output_layer_gradient", c10::ArrayRef<const c10::IValue>{});
    const int64_t rows = of_logits.size(0), width = hidden_.size(1);
    const auto gradient = nn::view_of(of_logits);
    nn::shared_product(rows, gradient, *back_,
                       {.data = hidden_gradient.mutable_data_ptr<float>() + begin * width, .row = width});
    const PackedMatrix hidden(nn::view_of(hidden_.narrow(0, begin, rows)), rows, width, precision_);
    nn::shared_product(of_logits.size(1), gradient.transposed(), hidden,
                       {.data = weight_gradient.mutable_data_ptr<float>(), .row = width, .add = true});
    if (bias_gradient.defined()) bias_gradient.add_(of_logits.sum(0));
  }

 private:
  Tensor hidden_, weight_, bias_;
  kernels::ProductPrecision precision_;
  PackedMatrix projection_;
  std::optional<PackedMatrix> back_;
  Tensor buffer_;
};

/// Under autocast all operands are copied to its type.
class ByLibTorch : public OutputProducts {
 public:
  ByLibTorch(const Tensor& hidden, const nn::OutputLayer& output, int64_t rows, bool gradient) {
    const auto device = hidden.device().type();
    const auto type = at::autocast::is_autocast_enabled(device) ? at::autocast::get_autocast_dtype(device)
                                                                : output.weight.scalar_type();
    hidden_ = hidden.to(type).contiguous();
    weight_ = output.weight.to(type).contiguous();
    if (output.bias.defined()) bias_ = output.bias.to(type);
    buffer_ = at::empty({rows, output.vocab()}, hidden_.options().requires_grad(false));
    if (!gradient) return;
    hidden_gradient = at::empty_like(hidden);
    weight_gradient = at::zeros_like(output.weight);
    if (bias_.defined()) bias_gradient = at::zeros_like(output.bias);
  }

  Tensor logits(int64_t begin, int64_t rows) override {
    const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
    auto result = buffer_.narrow(0, 0, rows);
    const auto chunk = hidden_.narrow(0, begin, rows);
    bias_.defined() ? at::addmm_out(result, bias_, chunk, weight_.t()) : at::mm_out(result, chunk, weight_.t());
    return result;
  }

  void add_gradient(int64_t begin, const Tensor& of_logits) override {
    const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
    const auto chunk = hidden_.narrow(0, begin, of_logits.size(0));
    hidden_gradient.narrow(0, begin, of_logits.size(0)).copy_(at::mm(of_logits, weight_));
    if (weight_gradient.scalar_type() == of_logits.scalar_type()) {
      weight_gradient.addmm_(of_logits.t(), chunk);
    } else {
      weight_gradient.add_(at::mm(of_logits.t(), chunk));  // bfloat16 product, float32 sum
    }
    if (bias_gradient.defined()) {
      bias_gradient.add_(of_logits.sum(0, /*keepdim=*/false, bias_gradient.scalar_type()));
    }
  }

 private:
  Tensor hidden_, weight_, bias_, buffer_;
};

}  // namespace

std::unique_ptr<OutputProducts> output_products(const Tensor& hidden, const nn::OutputLayer& output, int64_t rows,
                                                bool gradient) {
  const auto precision = nn::product_precision(hidden);
  const bool packing_pays = hidden.size(0) >= nn::kFewestRowsToPack;
  if (precision && packing_pays && output.weight.scalar_type() == at::kFloat) {
    return std::make_unique<ByKernels>(hidden, output, rows, gradient, *precision);
  }
  return std::make_unique<ByLibTorch>(hidden, output, rows, gradient);
}

}  // namespace tr::train
