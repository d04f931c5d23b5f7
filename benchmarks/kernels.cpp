// kernels: every kernel beside its plain twin and beside LibTorch's own operation, at the sizes of small models.
// One thread, as each worker of training and decoding is.
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/topk.h>
#include <benchmark/benchmark.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "libtr/kernels/dropout.h"
#include "libtr/kernels/softmax_gradient.h"
#include "libtr/kernels/top_logits.h"
#include "libtr/nn/fused_attention.h"
#include "libtr/nn/product.h"
#include "libtr/nn/slot_attention.h"
#include "libtr/train/loss.h"

namespace {

using benchmark::State;
using torch::Tensor;
using namespace tr;

/// Operations a second, as the other columns are printed.
void count_flop(State& state, double flop) {
  state.counters["FLOP"] =
      benchmark::Counter(flop, benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
}

/// Products in bfloat16 while it lives.
class Bfloat16 {
 public:
  explicit Bfloat16(bool on) {
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
    at::autocast::set_autocast_enabled(at::kCPU, on);
  }
  ~Bfloat16() {
    at::autocast::set_autocast_enabled(at::kCPU, false);
    at::autocast::clear_cache();
  }
};

// ---- linear layers: rows, inputs, outputs; forward and backward

template <class Function>
void linear_layer(State& state, bool bfloat16, const Function& function) {
  const int64_t rows = state.range(0), inputs = state.range(1), outputs = state.range(2);
  const auto x = at::randn({rows, inputs}).requires_grad_(), weight = at::randn({outputs, inputs}).requires_grad_();
  const auto bias = at::randn({outputs}).requires_grad_(), arriving = at::randn({rows, outputs});
  for (auto _ : state) {
    const Bfloat16 precision(bfloat16);
    const auto y = function(x, weight, bias);
    benchmark::DoNotOptimize(torch::autograd::grad({y}, {x, weight, bias}, {arriving.to(y.scalar_type())}));
  }
  count_flop(state, 6.0 * static_cast<double>(rows * inputs * outputs));
}
const auto by_kernel = [](const Tensor& x, const Tensor& w, const Tensor& b) { return nn::linear(x, w, b); };
const auto by_libtorch = [](const Tensor& x, const Tensor& w, const Tensor& b) { return at::linear(x, w, b); };
void linear_kernel(State& state) { linear_layer(state, false, by_kernel); }
void linear_libtorch(State& state) { linear_layer(state, false, by_libtorch); }
void linear_bfloat16_kernel(State& state) { linear_layer(state, true, by_kernel); }
void linear_bfloat16_libtorch(State& state) { linear_layer(state, true, by_libtorch); }
#define TR_LAYERS                         \
  ArgNames({"rows", "inputs", "outputs"}) \
      ->Args({2048, 96, 96})              \
      ->Args({2048, 128, 128})            \
      ->Args({2048, 128, 384})            \
      ->Args({2048, 256, 128})            \
      ->Args({2048, 256, 1024})           \
      ->Args({2048, 1024, 256})           \
      ->Args({2048, 512, 512})            \
      ->Args({20, 128, 128})              \
      ->Unit(benchmark::kMicrosecond)
BENCHMARK(linear_kernel)->TR_LAYERS;
BENCHMARK(linear_libtorch)->TR_LAYERS;
BENCHMARK(linear_bfloat16_kernel)->TR_LAYERS;
BENCHMARK(linear_bfloat16_libtorch)->TR_LAYERS;

// ---- output layer with loss: tokens, width, vocabulary; forward and backward

template <class Function>
void output_layer(State& state, bool bfloat16, const Function& loss) {
  const int64_t tokens = state.range(0), width = state.range(1), vocab = state.range(2);
  const auto hidden = at::randn({tokens, width}).requires_grad_(), weight = at::randn({vocab, width}).requires_grad_();
  const auto target = at::randint(vocab, {tokens}, at::kLong);
  for (auto _ : state) {
    const Bfloat16 precision(bfloat16);
    benchmark::DoNotOptimize(torch::autograd::grad({loss(hidden, weight, target)}, {hidden, weight}));
  }
  count_flop(state, 6.0 * static_cast<double>(tokens * width * vocab));
}
const train::LossOptions smoothed{.label_smoothing = 0.1, .over = train::SmoothingOver::all};
const auto chunks = [](const Tensor& hidden, const Tensor& weight, const Tensor& target) {
  return train::cross_entropy(hidden, {weight, {}}, target, smoothed).loss;
};
const auto plain_loss = [](const Tensor& hidden, const Tensor& weight, const Tensor& target) {
  return train::plain_cross_entropy(hidden, {weight, {}}, target, smoothed).loss;
};
const auto libtorch_loss = [](const Tensor& hidden, const Tensor& weight, const Tensor& target) {
  return at::cross_entropy_loss(at::linear(hidden, weight), target, {}, at::Reduction::Sum, -100, 0.1);
};
void loss_kernel(State& state) { output_layer(state, false, chunks); }
void loss_plain(State& state) { output_layer(state, false, plain_loss); }
void loss_libtorch(State& state) { output_layer(state, false, libtorch_loss); }
void loss_bfloat16_kernel(State& state) { output_layer(state, true, chunks); }
void loss_bfloat16_libtorch(State& state) { output_layer(state, true, libtorch_loss); }
#define TR_VOCABULARIES                  \
  ArgNames({"tokens", "width", "vocab"}) \
      ->Args({2048, 128, 10000})         \
      ->Args({2048, 128, 997})           \
      ->Args({1024, 256, 32000})         \
      ->Args({20, 128, 10000})           \
      ->Unit(benchmark::kMillisecond)
BENCHMARK(loss_kernel)->TR_VOCABULARIES;
BENCHMARK(loss_plain)->TR_VOCABULARIES;
BENCHMARK(loss_libtorch)->TR_VOCABULARIES;
BENCHMARK(loss_bfloat16_kernel)->TR_VOCABULARIES;
BENCHMARK(loss_bfloat16_libtorch)->TR_VOCABULARIES;

// ---- softmax and its gradient: one row of a vocabulary

void softmax_gradient_kernel(State& state) {
  const auto logits = at::randn({state.range(0)});
  auto row = logits.clone();
  for (auto _ : state) {
    row.copy_(logits);
    benchmark::DoNotOptimize(kernels::softmax_gradient(row.data_ptr<float>(), row.numel(), 3, {0.9, 1e-5}));
  }
}
void softmax_gradient_plain(State& state) {
  const auto logits = at::randn({state.range(0)}, at::kDouble);
  std::vector<double> gradient(static_cast<size_t>(logits.numel()));
  for (auto _ : state) {
    benchmark::DoNotOptimize(kernels::softmax_gradient_reference(logits.const_data_ptr<double>(), logits.numel(), 3,
                                                                 {0.9, 1e-5}, gradient.data()));
  }
}
BENCHMARK(softmax_gradient_kernel)->Arg(997)->Arg(10000)->Arg(32000)->Unit(benchmark::kMicrosecond);
BENCHMARK(softmax_gradient_plain)->Arg(997)->Arg(10000)->Arg(32000)->Unit(benchmark::kMicrosecond);

// ---- dropout: rows of a width

void dropout_kernel(State& state) {
  const auto x = at::randn({2048, state.range(0)});
  auto y = at::empty_like(x);
  std::vector<uint64_t> keys(2048);
  std::iota(keys.begin(), keys.end(), uint64_t{0x9e3779b97f4a7c15});
  for (auto _ : state) {
    kernels::dropout(x.const_data_ptr<float>(), y.data_ptr<float>(), {keys.data(), 2048, x.size(1), 0.3});
    benchmark::ClobberMemory();
  }
}
void dropout_plain(State& state) {
  const auto x = at::randn({2048, state.range(0)});
  auto y = at::empty_like(x);
  const float* from = x.const_data_ptr<float>();
  float* to = y.data_ptr<float>();
  for (auto _ : state) {
    for (int64_t row = 0; row < 2048; ++row) {
      for (int64_t i = 0; i < x.size(1); ++i) {
        const bool dropped =
            kernels::mask_bits(static_cast<uint64_t>(row), static_cast<uint32_t>(i)) < kernels::mask_threshold(0.3);
        to[row * x.size(1) + i] = dropped ? 0.0f : from[row * x.size(1) + i] / 0.7f;
      }
    }
    benchmark::ClobberMemory();
  }
}
void dropout_libtorch(State& state) {
  const auto x = at::randn({2048, state.range(0)});
  for (auto _ : state) benchmark::DoNotOptimize(at::dropout(x, 0.3, /*train=*/true));
}
BENCHMARK(dropout_kernel)->Arg(128)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK(dropout_plain)->Arg(128)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK(dropout_libtorch)->Arg(128)->Arg(512)->Unit(benchmark::kMicrosecond);

// ---- attention with dropout of its weights: sentences, time, heads of 32; forward and backward

constexpr int64_t kHeadWidth = 32;

void attention_kernel(State& state) {
  const int64_t batch = state.range(0), time = state.range(1), heads = state.range(2);
  const auto x = at::randn({batch, time, 3 * heads * kHeadWidth}).requires_grad_();
  nn::Dropout dropout(0.1);
  const nn::Noise noise{.key = 1, .slots = at::arange(batch, at::kLong)};
  const nn::Visible visible{at::full({batch}, time, at::kLong), /*causal=*/true};
  for (auto _ : state) {
    const auto y = nn::fused_attention({x, {}, visible, heads}, dropout, noise).output;
    benchmark::DoNotOptimize(torch::autograd::grad({y.sum()}, {x}));
  }
}
template <class Function>
void attention_of_parts(State& state, const Function& function) {
  const int64_t batch = state.range(0), time = state.range(1), heads = state.range(2);
  const auto x = at::randn({batch, time, 3 * heads * kHeadWidth}).requires_grad_();
  const nn::Noise noise{.key = 1, .slots = at::arange(batch, at::kLong)};
  for (auto _ : state) {
    const auto parts = x.view({batch, time, 3, heads, kHeadWidth}).permute({2, 0, 3, 1, 4}).contiguous().unbind(0);
    const auto y = function(parts, noise).transpose(1, 2).flatten(2);
    benchmark::DoNotOptimize(torch::autograd::grad({y.sum()}, {x}));
  }
}
void attention_plain(State& state) {
  nn::Dropout dropout(0.1);
  const auto mask = nn::Visible{{}, /*causal=*/true}.mask(state.range(1), torch::kCPU);
  attention_of_parts(state, [&](const std::vector<Tensor>& parts, const nn::Noise& noise) {
    return nn::scaled_dot_product({parts[0], parts[1], parts[2], mask}, dropout, noise).output;
  });
}
void attention_libtorch(State& state) {
  attention_of_parts(state, [](const std::vector<Tensor>& parts, const nn::Noise&) {
    return at::scaled_dot_product_attention(parts[0], parts[1], parts[2], {}, /*dropout_p=*/0.1, /*is_causal=*/true);
  });
}
#define TR_SENTENCES                   \
  ArgNames({"batch", "time", "heads"}) \
      ->Args({170, 12, 4})             \
      ->Args({100, 20, 4})             \
      ->Args({20, 100, 4})             \
      ->Args({1, 20, 4})               \
      ->Unit(benchmark::kMicrosecond)
BENCHMARK(attention_kernel)->TR_SENTENCES;
BENCHMARK(attention_plain)->TR_SENTENCES;
BENCHMARK(attention_libtorch)->TR_SENTENCES;

// ---- attention of decoding steps: rows, slots that each sees

void slot_attention_of(State& state, nn::Attended (*function)(const Tensor&, const nn::KeyValueSlots&, int64_t)) {
  const int64_t rows = state.range(0), seen = state.range(1), d_model = 4 * kHeadWidth;
  const torch::NoGradGuard no_grad;
  const nn::KeyValueSlots slots{at::randn({rows * seen, 2 * d_model}),
                                at::arange(rows * seen, at::kLong).view({rows, seen}),
                                at::full({rows}, seen, at::kLong)};
  const auto query = at::randn({rows, d_model});
  for (auto _ : state) benchmark::DoNotOptimize(function(query, slots, 4));
}
void slot_attention_kernel(State& state) { slot_attention_of(state, nn::slot_attention); }
void slot_attention_plain(State& state) { slot_attention_of(state, nn::plain_slot_attention); }
BENCHMARK(slot_attention_kernel)->Args({64, 12})->Args({320, 12})->Args({1, 12})->Unit(benchmark::kMicrosecond);
BENCHMARK(slot_attention_plain)->Args({64, 12})->Args({320, 12})->Args({1, 12})->Unit(benchmark::kMicrosecond);

// ---- best tokens of a row of logits: vocabulary, how many

void top_logits_kernel(State& state) {
  const auto logits = at::randn({state.range(0)});
  const float* row = logits.const_data_ptr<float>();
  std::vector<int64_t> ids(static_cast<size_t>(state.range(1)));
  std::vector<float> values(ids.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(kernels::log_sum_exp(row, logits.numel()));
    kernels::top_logits(row, logits.numel(), state.range(1), ids.data(), values.data());
    benchmark::ClobberMemory();
  }
}
void top_logits_plain(State& state) {
  const auto logits = at::randn({state.range(0)});
  const float* row = logits.const_data_ptr<float>();
  std::vector<int64_t> ids(static_cast<size_t>(logits.numel()));
  for (auto _ : state) {
    double sum = 0;
    for (int64_t i = 0; i < logits.numel(); ++i) sum += std::exp(row[i]);
    benchmark::DoNotOptimize(std::log(sum));
    std::iota(ids.begin(), ids.end(), 0);
    std::partial_sort(ids.begin(), ids.begin() + state.range(1), ids.end(),
                      [row](int64_t a, int64_t b) { return row[a] > row[b]; });
    benchmark::ClobberMemory();
  }
}
void top_logits_libtorch(State& state) {
  const auto logits = at::randn({1, state.range(0)});
  for (auto _ : state) {
    benchmark::DoNotOptimize(logits.logsumexp(1));
    benchmark::DoNotOptimize(at::topk(logits, state.range(1)));
  }
}
BENCHMARK(top_logits_kernel)->Args({10000, 1})->Args({10000, 10})->Args({997, 10})->Unit(benchmark::kMicrosecond);
BENCHMARK(top_logits_plain)->Args({10000, 1})->Args({10000, 10})->Args({997, 10})->Unit(benchmark::kMicrosecond);
BENCHMARK(top_logits_libtorch)->Args({10000, 1})->Args({10000, 10})->Args({997, 10})->Unit(benchmark::kMicrosecond);

}  // namespace

int main(int argc, char** argv) {
  at::set_num_threads(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
