#include "libtr/nn/constant_weights.h"

#include <map>
#include <mutex>
#include <utility>

#include "libtr/nn/product.h"

namespace tr::nn {
namespace {

struct Kept {
  torch::Tensor weight;  ///< holds the memory, so that no other tensor gets its address
  std::shared_ptr<const kernels::PackedMatrix> packed;
};

struct KeptWeights {
  std::mutex mutex;
  int64_t users = 0;
  std::map<std::pair<const float*, kernels::ProductPrecision>, Kept> all;
};
KeptWeights& kept_weights() {
  static KeptWeights kept;
  return kept;
}

std::shared_ptr<const kernels::PackedMatrix> pack(const torch::Tensor& weight, kernels::ProductPrecision precision) {
  return std::make_shared<kernels::PackedMatrix>(view_of(weight).transposed(), weight.size(1), weight.size(0),
                                                 precision);
}

}  // namespace

ConstantWeights::ConstantWeights() {
  const std::lock_guard lock(kept_weights().mutex);
  ++kept_weights().users;
}

ConstantWeights::~ConstantWeights() {
  const std::lock_guard lock(kept_weights().mutex);
  if (--kept_weights().users == 0) kept_weights().all.clear();
}

bool is_constant(const torch::Tensor& weight) {
  if (!weight.requires_grad() || !weight.is_leaf()) return false;
  const std::lock_guard lock(kept_weights().mutex);
  return kept_weights().users > 0;
}

std::shared_ptr<const kernels::PackedMatrix> packed_weight(const torch::Tensor& weight,
                                                           kernels::ProductPrecision precision) {
  if (!is_constant(weight)) return pack(weight, precision);
  const std::lock_guard lock(kept_weights().mutex);
  auto& kept = kept_weights().all[{weight.const_data_ptr<float>(), precision}];
  if (!kept.packed) kept = {weight, pack(weight, precision)};
  return kept.packed;
}

}  // namespace tr::nn
