#include "libtr/nn/product.h"

#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/record_function.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "libtr/nn/constant_weights.h"
#include "libtr/nn/fast_paths.h"

namespace tr::nn {
namespace {

using kernels::PackedMatrix;
using kernels::ProductPrecision;
using torch::Tensor;

float* numbers(Tensor& matrix) { return matrix.mutable_data_ptr<float>(); }

Tensor forward_of(const Tensor& x, const Tensor& weight, const Tensor& bias, ProductPrecision precision) {
  RECORD_FUNCTION("tr::linear", c10::ArrayRef<const c10::IValue>{});
  const int64_t rows = x.size(0), outputs = weight.size(0);
  auto y = at::empty({rows, outputs}, x.options());
  const auto packed = packed_weight(weight, precision);
  const float* shift = bias.defined() ? bias.const_data_ptr<float>() : nullptr;
  shared_product(rows, view_of(x), *packed, {.data = numbers(y), .row = outputs, .bias = shift});
  return y;
}

Tensor input_gradient(const Tensor& arriving, const Tensor& weight, ProductPrecision precision) {
  auto gradient = at::empty({arriving.size(0), weight.size(1)}, arriving.options());
  const PackedMatrix packed(view_of(weight), weight.size(0), weight.size(1), precision);
  shared_product(arriving.size(0), view_of(arriving), packed, {.data = numbers(gradient), .row = weight.size(1)});
  return gradient;
}

Tensor weight_gradient(const Tensor& arriving, const Tensor& x, ProductPrecision precision) {
  auto gradient = at::empty({arriving.size(1), x.size(1)}, arriving.options());
  const PackedMatrix packed(view_of(x), x.size(0), x.size(1), precision);
  shared_product(arriving.size(1), view_of(arriving).transposed(), packed,
                 {.data = numbers(gradient), .row = x.size(1)});
  return gradient;
}

struct LinearFunction : torch::autograd::Function<LinearFunction> {
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& x, const Tensor& weight,
                        const std::optional<Tensor>& bias, ProductPrecision precision) {
    context->save_for_backward({x, weight});
    context->saved_data["bfloat16"] = precision == ProductPrecision::bfloat16;
    context->saved_data["bias"] = bias.has_value();
    return forward_of(x, weight, bias.value_or(Tensor()), precision);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    RECORD_FUNCTION("tr::linear_gradient", c10::ArrayRef<const c10::IValue>{});
    const auto saved = context->get_saved_variables();
    const auto& x = saved[0];
    const auto& weight = saved[1];
    const auto precision =
        context->saved_data["bfloat16"].toBool() ? ProductPrecision::bfloat16 : ProductPrecision::float32;
    const auto arriving = gradients.front().contiguous();
    Tensor of_x, of_weight, of_bias;
    if (context->needs_input_grad(0)) of_x = input_gradient(arriving, weight, precision);
    if (context->needs_input_grad(1)) of_weight = weight_gradient(arriving, x, precision);
    if (context->saved_data["bias"].toBool() && context->needs_input_grad(2)) of_bias = arriving.sum(0);
    return {of_x, of_weight, of_bias, Tensor()};
  }
};

bool is_trained(const Tensor& tensor) { return tensor.defined() && tensor.requires_grad(); }

Tensor linear_rows(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const bool trained = at::GradMode::is_enabled() && (is_trained(x) || is_trained(weight) || is_trained(bias));
  const bool packing_pays = x.size(0) >= kFewestRowsToPack || (!trained && is_constant(weight));
  const auto precision = packing_pays ? product_precision(x) : std::nullopt;
  if (!precision || weight.scalar_type() != at::kFloat) return at::linear(x, weight, bias);
  if (!trained) return forward_of(x, weight, bias, *precision);
  const auto shift = bias.defined() ? std::optional(bias) : std::nullopt;  // undefined ones are refused
  return LinearFunction::apply(x, weight, shift, *precision);
}

}  // namespace

std::optional<ProductPrecision> product_precision(const Tensor& x) {
  if (!fast_paths() || !x.is_cpu() || x.scalar_type() != at::kFloat) return std::nullopt;
  auto precision = ProductPrecision::float32;
  if (at::autocast::is_autocast_enabled(at::kCPU)) {
    if (at::autocast::get_autocast_dtype(at::kCPU) != at::kBFloat16) return std::nullopt;
    precision = ProductPrecision::bfloat16;
  }
  return kernels::products_serve(precision) ? std::optional(precision) : std::nullopt;
}

void shared_product(int64_t rows, const kernels::MatrixView& left, const PackedMatrix& right,
                    const kernels::ProductResult& result) {
  constexpr int64_t kWorthSharing = int64_t{1} << 20;  // multiply-adds
  const int64_t grain = std::max<int64_t>(1, kWorthSharing / std::max<int64_t>(1, right.depth() * right.columns()));
  at::parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
    auto part = result;
    part.data += begin * result.row;
    kernels::product(end - begin, {left.data + begin * left.row, left.row, left.column}, right, part);
  });
}

kernels::MatrixView view_of(const Tensor& matrix) {
  const bool contiguous_rows = matrix.dim() == 2 && (matrix.size(1) == 1 || matrix.stride(1) == 1);
  TORCH_CHECK(contiguous_rows && matrix.scalar_type() == at::kFloat, "expected a float32 matrix with contiguous rows");
  return {matrix.const_data_ptr<float>(), matrix.stride(0), 1};
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const auto rows = x.dim() == 2 ? x : x.reshape({-1, x.size(-1)});
  const auto y = linear_rows(rows.contiguous(), weight.contiguous(), bias);
  if (x.dim() == 2) return y;
  auto shape = x.sizes().vec();
  shape.back() = weight.size(0);
  return y.view(shape);
}

}  // namespace tr::nn
