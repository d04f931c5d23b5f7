#include "libtr/io/parameters.h"

#include <ATen/core/grad_mode.h>
#include <c10/util/StringUtil.h>

#include <set>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/base/nearest.h"

namespace tr::io {
namespace {

constexpr size_t kShown = 10;

// "; missing (12): a, b, … and 2 more"
std::string listed(const std::string& what, std::vector<std::string> names) {
  if (names.empty()) return "";
  const size_t count = names.size();
  names.resize(std::min(count, kShown));
  const std::string more = count > kShown ? format(" and {} more", count - kShown) : "";
  return format("; {} ({}): {}{}", what, count, join(names), more);
}

using ByName = std::map<std::string, torch::Tensor>;

void check_match(const NamedTensors& wanted, const ByName& given, const std::string& where) {
  std::vector<std::string> missing, unexpected, misshapen;
  std::set<std::string> known;
  for (const auto& [name, tensor] : wanted) {
    known.insert(name);
    const auto found = given.find(name);
    if (found == given.end()) {
      missing.push_back(name);
    } else if (found->second.sizes() != tensor.sizes()) {
      misshapen.push_back(
          format("{} {} instead of {}", name, c10::str(found->second.sizes()), c10::str(tensor.sizes())));
    }
  }
  for (const auto& [name, tensor] : given) {
    if (!known.contains(name)) unexpected.push_back(name);
  }
  if (missing.empty() && unexpected.empty() && misshapen.empty()) return;
  throw DataError(where, "does not fit the model" + listed("missing", missing) + listed("unexpected", unexpected) +
                             listed("of another shape", misshapen));
}

}  // namespace

NamedTensors parameters_of(const torch::nn::Module& module) {
  NamedTensors tensors;
  std::set<const void*> seen;
  const auto add = [&](const std::string& name, const torch::Tensor& tensor) {
    if (tensor.defined() && seen.insert(tensor.unsafeGetTensorImpl()).second) tensors.push_back({name, tensor});
  };
  for (const auto& item : module.named_parameters()) add(item.key(), item.value());
  for (const auto& item : module.named_buffers()) add(item.key(), item.value());
  return tensors;
}

void load_parameters(torch::nn::Module& module, const NamedTensors& tensors, const std::string& where) {
  ByName given;
  for (const auto& [name, tensor] : tensors) given.emplace(name, tensor);
  const auto wanted = parameters_of(module);
  check_match(wanted, given, where);
  const at::NoGradGuard no_grad;
  for (const auto& [name, tensor] : wanted) tensor.detach().copy_(given.at(name));
}

}  // namespace tr::io
