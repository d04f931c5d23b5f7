#include "libtr/train/loss.h"

#include <ATen/Parallel.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <ATen/record_function.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <optional>

#include "libtr/kernels/softmax_gradient.h"
#include "libtr/nn/fast_paths.h"
#include "libtr/train/output_products.h"

namespace tr::train {
namespace {

using torch::Tensor;

/// What is asked of a pass over the rows.
enum class Need { loss, gradient };

kernels::TargetWeights target_weights(const LossOptions& options, int64_t vocab) {
  const double epsilon = options.label_smoothing;
  const bool all = options.over == SmoothingOver::all || vocab == 1;
  const double other = all ? epsilon / static_cast<double>(vocab) : epsilon / static_cast<double>(vocab - 1);
  const double target = all ? 1 - epsilon + other : 1 - epsilon;
  return {target, other};
}

LossSums add(const LossSums& a, const LossSums& b) {
  if (!a.loss.defined()) return b;
  return {a.loss + b.loss, a.nll + b.nll, a.correct + b.correct};
}

/// Rows by the kernel, several at once; their losses are added up in order. Element: float, or the bits of a bfloat16.
template <class Element>
LossSums rows_by_kernel(Element* logits, const Tensor& target, int64_t vocab, kernels::TargetWeights weights,
                        Need need) {
  RECORD_FUNCTION("tr::softmax_rows", c10::ArrayRef<const c10::IValue>{});
  const int64_t* targets = target.const_data_ptr<int64_t>();
  std::vector<kernels::RowLoss> rows(static_cast<size_t>(target.size(0)));
  at::parallel_for(0, target.size(0), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Element* row = logits + i * vocab;
      rows[static_cast<size_t>(i)] = need == Need::gradient ? kernels::softmax_gradient(row, vocab, targets[i], weights)
                                                            : kernels::softmax_loss(row, vocab, targets[i], weights);
    }
  });
  double loss = 0, nll = 0;
  int64_t correct = 0;
  for (const auto& row : rows) {
    loss += row.loss;
    nll += row.nll;
    correct += row.correct ? 1 : 0;
  }
  return {at::scalar_tensor(loss, at::kDouble), at::scalar_tensor(nll, at::kDouble),
          at::scalar_tensor(correct, at::kLong)};
}

/// Rows by stock operations, for other devices and for float64.
LossSums rows_by_stock_operations(const Tensor& logits, const Tensor& target, kernels::TargetWeights weights,
                                  Need need) {
  const auto column = target.unsqueeze(1);  // [rows, 1]
  const auto exact = logits.scalar_type() == at::kBFloat16 ? logits.to(at::kFloat) : logits;
  const auto log_probability = at::log_softmax(exact, 1);
  const auto own = log_probability.gather(1, column).to(at::kDouble);
  const auto every = log_probability.sum(1, /*keepdim=*/true, at::kDouble);
  LossSums sums;
  sums.loss = -(own * (weights.target - weights.other) + every * weights.other).sum();
  sums.nll = -own.sum();
  sums.correct = at::argmax(exact, 1).eq(target).sum();
  if (need == Need::gradient) {
    const auto gradient = log_probability.exp() - weights.other;
    logits.copy_(
        gradient.scatter_add(1, column, at::zeros_like(column, gradient.options()) + (weights.other - weights.target)));
  }
  return sums;
}

/// Loss of logits [rows, vocab]; for Need::gradient they become the gradient of its sum.
LossSums softmax_rows(const Tensor& logits, const Tensor& target, kernels::TargetWeights weights, Need need) {
  const int64_t vocab = logits.size(1);
  if (logits.is_cpu() && logits.scalar_type() == at::kFloat) {
    return rows_by_kernel(logits.data_ptr<float>(), target, vocab, weights, need);
  }
  if (logits.is_cpu() && logits.scalar_type() == at::kBFloat16) {
    auto* bits = reinterpret_cast<kernels::BFloat16Bits*>(logits.data_ptr<at::BFloat16>());
    return rows_by_kernel(bits, target, vocab, weights, need);
  }
  return rows_by_stock_operations(logits, target, weights, need);
}

/// What one pass over all chunks leaves.
struct Pass {
  LossSums sums;
  Tensor hidden, weight, bias;  ///< gradients of sums.loss, where asked for
};

Pass pass_over_chunks(const Tensor& hidden, const nn::OutputLayer& output, const Tensor& target,
                      const LossOptions& options, Need need) {
  const auto weights = target_weights(options, output.vocab());
  const int64_t tokens = hidden.size(0);
  const auto products = output_products(hidden, output, std::min(options.chunk_rows, tokens), need == Need::gradient);
  Pass pass;
  pass.sums = {at::zeros({}, hidden.options().dtype(at::kDouble)), at::zeros({}, hidden.options().dtype(at::kDouble)),
               at::zeros({}, target.options())};
  for (int64_t begin = 0; begin < tokens; begin += options.chunk_rows) {
    const int64_t rows = std::min(options.chunk_rows, tokens - begin);
    const auto logits = products->logits(begin, rows);  // [rows, vocab]
    pass.sums = add(pass.sums, softmax_rows(logits, target.narrow(0, begin, rows), weights, need));
    if (need == Need::gradient) products->add_gradient(begin, logits);
  }
  pass.hidden = products->hidden_gradient;
  pass.weight = products->weight_gradient;
  pass.bias = products->bias_gradient;
  return pass;
}

/// The gradients are there when forward() ends: backward() multiplies them with what arrives.
struct CrossEntropyFunction : torch::autograd::Function<CrossEntropyFunction> {
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context, const Tensor& hidden,
                                                const Tensor& weight, const std::optional<Tensor>& bias,
                                                const Tensor& target, const LossOptions& options) {
    const auto pass = pass_over_chunks(hidden, {weight, bias.value_or(Tensor())}, target, options, Need::gradient);
    context->save_for_backward({pass.hidden, pass.weight, pass.bias});
    context->mark_non_differentiable({pass.sums.nll, pass.sums.correct});
    return {pass.sums.loss, pass.sums.nll, pass.sums.correct};
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& arriving) {
    torch::autograd::variable_list gradients;
    for (const auto& unscaled : context->get_saved_variables()) {
      gradients.push_back(unscaled.defined() ? unscaled * arriving[0] : Tensor());
    }
    gradients.resize(5);  // none for target and options
    return gradients;
  }
};

}  // namespace

LossSums cross_entropy(const Tensor& hidden, const nn::OutputLayer& output, const Tensor& target,
                       const LossOptions& options) {
  if (!nn::fast_paths()) return plain_cross_entropy(hidden, output, target, options);
  const bool trained = hidden.requires_grad() || output.weight.requires_grad();
  if (!trained || !at::GradMode::is_enabled()) {
    return pass_over_chunks(hidden, output, target, options, Need::loss).sums;
  }
  const auto bias = output.bias.defined() ? std::optional(output.bias) : std::nullopt;  // undefined ones are refused
  const auto sums = CrossEntropyFunction::apply(hidden, output.weight, bias, target, options);
  return {sums[0], sums[1], sums[2]};
}

LossSums plain_cross_entropy(const Tensor& hidden, const nn::OutputLayer& output, const Tensor& target,
                             const LossOptions& options) {
  const auto log_probability = at::log_softmax(output.logits(hidden), 1, at::kDouble);  // [target_tokens, vocab]
  const auto own = log_probability.gather(1, target.unsqueeze(1)).sum();
  const auto weights = target_weights(options, output.vocab());
  LossSums sums;
  sums.loss = -(own * (weights.target - weights.other) + log_probability.sum() * weights.other);
  sums.nll = -own.detach();
  sums.correct = log_probability.detach().argmax(1).eq(target).sum();
  return sums;
}

}  // namespace tr::train
