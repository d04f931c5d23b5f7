#include "libtr/kernels/attention.h"

#include "libtr/kernels/attention_loops.h"

namespace tr::kernels {

#if defined(TR_KERNELS_X86_LEVELS)
extern const AttentionLoops attention_v4, attention_v3;
#endif
extern const AttentionLoops attention_base;

const std::vector<const AttentionLoops*>& attention_levels() {
  static const auto levels = [] {
    std::vector<const AttentionLoops*> found;
#if defined(TR_KERNELS_X86_LEVELS)
    if (__builtin_cpu_supports("x86-64-v4")) found.push_back(&attention_v4);
    if (__builtin_cpu_supports("x86-64-v3")) found.push_back(&attention_v3);
#endif
    found.push_back(&attention_base);
    return found;
  }();
  return levels;
}

bool attention_serves(int64_t d_head) { return d_head == 16 || d_head == 32 || d_head == 64; }

void attention(const AttentionShape& shape, const AttentionForward& heads, int64_t first, int64_t last) {
  std::vector<float> workspace(attention_workspace(shape));
  attention_levels().front()->forward(shape, heads, first, last, workspace.data());
}

void attention_gradient(const AttentionShape& shape, const AttentionBackward& heads, int64_t first, int64_t last) {
  std::vector<float> workspace(attention_workspace(shape));
  attention_levels().front()->backward(shape, heads, first, last, workspace.data());
}

}  // namespace tr::kernels
