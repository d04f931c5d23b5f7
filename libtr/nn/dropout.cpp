#include "libtr/nn/dropout.h"

#include <ATen/Parallel.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ones_like.h>
#include <ATen/record_function.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "libtr/base/random.h"
#include "libtr/kernels/dropout.h"

namespace tr::nn {
namespace {

constexpr uint64_t kAllPositions = uint64_t{1} << 63;  // no position of a sentence

template <class Element>
void drop_rows(const torch::Tensor& x, torch::Tensor& y, const torch::Tensor& keys, double rate) {
  const auto* from = static_cast<const Element*>(x.const_data_ptr());
  auto* to = static_cast<Element*>(y.mutable_data_ptr());
  const auto* key = reinterpret_cast<const uint64_t*>(keys.const_data_ptr<int64_t>());
  const int64_t rows = keys.numel(), features = x.numel() / std::max<int64_t>(rows, 1);
  const int64_t grain = std::max<int64_t>(1, 32768 / std::max<int64_t>(features, 1));
  at::parallel_for(0, rows, grain, [=](int64_t begin, int64_t end) {
    kernels::dropout(from + begin * features, to + begin * features, {key + begin, end - begin, features, rate});
  });
}

/// keys [rows]; x has as many elements for each of them.
torch::Tensor dropped(const torch::Tensor& x, const torch::Tensor& keys, double rate) {
  RECORD_FUNCTION("tr::dropout", c10::ArrayRef<const c10::IValue>{});
  const auto dense = x.contiguous();
  auto y = at::empty_like(dense);
  switch (x.scalar_type()) {
    case at::kFloat:
      drop_rows<float>(dense, y, keys, rate);
      break;
    case at::kDouble:
      drop_rows<double>(dense, y, keys, rate);
      break;
    case at::kBFloat16:
      drop_rows<kernels::BFloat16>(dense, y, keys, rate);
      break;
    default:
      TORCH_CHECK(false, "dropout: no kernel for ", x.scalar_type());
  }
  return y;
}

/// The mask is linear: the gradient takes the same way as the value, with the mask made anew from the keys.
struct DropoutFunction : torch::autograd::Function<DropoutFunction> {
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& keys, double rate) {
    context->save_for_backward({keys});
    context->saved_data["rate"] = rate;
    return dropped(x, keys, rate);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto keys = context->get_saved_variables().front();
    return {dropped(gradients.front(), keys, context->saved_data["rate"].toDouble()), {}, {}};
  }
};

/// A key for each sentence, position and head: [batch * heads * positions], in this order.
torch::Tensor row_keys(const Noise& noise, uint64_t site, int64_t positions, int64_t heads) {
  const uint64_t site_key = mix(noise.key ^ mix(site));
  const int64_t batch = noise.slots.size(0);
  auto keys = at::empty({batch * heads * positions}, at::kLong);
  auto* key = reinterpret_cast<uint64_t*>(keys.mutable_data_ptr<int64_t>());
  const auto* slots = noise.slots.const_data_ptr<int64_t>();
  for (int64_t sentence = 0; sentence < batch; ++sentence) {
    const uint64_t sentence_key = mix(site_key ^ mix(static_cast<uint64_t>(slots[sentence])));
    for (int64_t head = 0; head < heads; ++head) {
      const uint64_t head_key = mix(sentence_key + static_cast<uint64_t>(head));
      for (int64_t i = 0; i < positions; ++i) *key++ = mix(head_key ^ static_cast<uint64_t>(noise.first_position + i));
    }
  }
  return keys;
}

}  // namespace

DropoutImpl::DropoutImpl(double rate) : rate_(rate) {}

torch::Tensor DropoutImpl::forward(const torch::Tensor& x, const Noise& noise) {
  if (!is_training() || rate_ == 0.0) return x;
  if (!x.is_cpu()) return at::dropout(x, rate_, /*train=*/true);
  return DropoutFunction::apply(x, row_keys(noise, site_, x.size(1), /*heads=*/1), rate_);
}

torch::Tensor DropoutImpl::attention(const torch::Tensor& weights, const Noise& noise) {
  if (!is_training() || rate_ == 0.0) return weights;
  if (!weights.is_cpu()) return at::dropout(weights, rate_, /*train=*/true);
  return DropoutFunction::apply(weights, row_keys(noise, site_, weights.size(2), weights.size(1)), rate_);
}

torch::Tensor DropoutImpl::attention_keys(const Noise& noise, int64_t query_time, int64_t heads) const {
  if (!is_training() || rate_ == 0.0) return {};
  return row_keys(noise, site_, query_time, heads);
}

torch::Tensor DropoutImpl::same_for_all_positions(const torch::Tensor& x, const Noise& noise) {
  if (!is_training() || rate_ == 0.0) return x;
  if (!x.is_cpu()) {
    const auto mask = at::dropout(at::ones_like(x.dim() == 3 ? x.narrow(1, 0, 1) : x), rate_, /*train=*/true);
    return x * mask;
  }
  const Noise everywhere = noise.at(static_cast<int64_t>(kAllPositions));
  auto keys = row_keys(everywhere, site_, /*positions=*/1, /*heads=*/1);  // [batch]
  if (x.dim() == 3) keys = keys.unsqueeze(1).expand({-1, x.size(1)}).flatten();
  return DropoutFunction::apply(x, keys, rate_);
}

void number_dropout_sites(torch::nn::Module& root) {
  for (const auto& module : root.named_modules("", false)) {
    if (auto* dropout = module.value()->as<DropoutImpl>()) dropout->set_site(stream_seed(0, module.key()));
  }
}

}  // namespace tr::nn
