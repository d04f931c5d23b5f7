// Cross-entropy: against stock operations, finite differences and its own laws.
#include "libtr/train/loss.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "libtr/kernels/softmax_gradient.h"
#include "libtr/train/runtime.h"
#include "tests/support.h"

namespace tr::train {
namespace {

using torch::Tensor;

constexpr int64_t kTokens = 37, kWidth = 12, kVocab = 91;  // no multiples of a vector or of a chunk

struct Case {
  Tensor hidden, weight, bias, target;
  nn::OutputLayer output() const { return {weight, bias}; }
};

Case make_case(torch::ScalarType type, bool with_bias) {
  torch::manual_seed(7);
  const auto options = torch::dtype(type);
  Case c;
  c.hidden = torch::randn({kTokens, kWidth}, options).requires_grad_(true);
  c.weight = torch::randn({kVocab, kWidth}, options).requires_grad_(true);
  if (with_bias) c.bias = torch::randn({kVocab}, options).requires_grad_(true);
  c.target = torch::randint(0, kVocab, {kTokens}, torch::kLong);
  return c;
}

double largest_difference(const Tensor& a, const Tensor& b) {
  return (a.to(torch::kDouble) - b.to(torch::kDouble)).abs().max().item<double>();
}

std::vector<Tensor> gradients(const Case& c, const Tensor& loss) {
  std::vector<Tensor> inputs{c.hidden, c.weight};
  if (c.bias.defined()) inputs.push_back(c.bias);
  return torch::autograd::grad({loss}, inputs, {}, /*retain_graph=*/true);
}

LossOptions options_of(double smoothing, SmoothingOver over) {
  return {.label_smoothing = smoothing, .over = over, .chunk_rows = 8};
}

TEST_CASE("loss and gradients agree with at::cross_entropy_loss, smoothing over all classes") {
  for (const auto type : {torch::kFloat, torch::kDouble}) {
    for (const bool with_bias : {false, true}) {
      for (const double smoothing : {0.0, 0.1}) {
        const Case c = make_case(type, with_bias);
        const double tolerance = type == torch::kDouble ? 1e-10 : 2e-4;
        const auto ours = cross_entropy(c.hidden, c.output(), c.target, options_of(smoothing, SmoothingOver::all));
        const auto stock =
            at::cross_entropy_loss(c.output().logits(c.hidden), c.target, {}, at::Reduction::Sum, -100, smoothing);
        CHECK(ours.loss.item<double>() == Approx(stock.item<double>()).epsilon(1e-6));
        const auto a = gradients(c, ours.loss), b = gradients(c, stock);
        for (size_t i = 0; i < a.size(); ++i) CHECK(largest_difference(a[i], b[i]) < tolerance);
      }
    }
  }
}

TEST_CASE("the chunked loss agrees with its plain twin, smoothing over the other classes") {
  for (const auto type : {torch::kFloat, torch::kDouble}) {
    const Case c = make_case(type, /*with_bias=*/true);
    const auto options = options_of(0.2, SmoothingOver::others);
    const auto ours = cross_entropy(c.hidden, c.output(), c.target, options);
    const auto plain = plain_cross_entropy(c.hidden, c.output(), c.target, options);
    CHECK(ours.loss.item<double>() == Approx(plain.loss.item<double>()).epsilon(1e-6));
    CHECK(ours.nll.item<double>() == Approx(plain.nll.item<double>()).epsilon(1e-6));
    CHECK(ours.correct.item<int64_t>() == plain.correct.item<int64_t>());
    const auto a = gradients(c, ours.loss), b = gradients(c, plain.loss);
    for (size_t i = 0; i < a.size(); ++i)
      CHECK(largest_difference(a[i], b[i]) < (type == torch::kDouble ? 1e-10 : 2e-4));
  }
}

TEST_CASE("smoothing over the others is eps / (V - 1): the formula by hand") {
  const auto logits = torch::tensor({{1.0, 2.0, 4.0}}, torch::kDouble);
  const auto identity = torch::eye(3, torch::kDouble);
  const auto target = torch::tensor({1}, torch::kLong);
  const auto log_probability = torch::log_softmax(logits, 1)[0];
  const double p[] = {log_probability[0].item<double>(), log_probability[1].item<double>(),
                      log_probability[2].item<double>()};
  const auto others = cross_entropy(logits, {identity, {}}, target, options_of(0.3, SmoothingOver::others));
  CHECK(others.loss.item<double>() == Approx(-(0.7 * p[1] + 0.15 * (p[0] + p[2]))).epsilon(1e-12));
  const auto all = cross_entropy(logits, {identity, {}}, target, options_of(0.3, SmoothingOver::all));
  CHECK(all.loss.item<double>() == Approx(-(0.8 * p[1] + 0.1 * (p[0] + p[2]))).epsilon(1e-12));
  CHECK(all.nll.item<double>() == Approx(-p[1]).epsilon(1e-12));
}

TEST_CASE("gradients agree with finite differences in double") {
  const Case c = make_case(torch::kDouble, /*with_bias=*/true);
  const auto options = options_of(0.1, SmoothingOver::others);
  const auto analytic = gradients(c, cross_entropy(c.hidden, c.output(), c.target, options).loss);
  const torch::NoGradGuard no_grad;
  const std::vector<Tensor> inputs{c.hidden, c.weight, c.bias};
  for (size_t input = 0; input < inputs.size(); ++input) {
    auto values = inputs[input].detach().view(-1);
    for (const int64_t i : {int64_t{0}, values.numel() / 2, values.numel() - 1}) {
      const double before = values[i].item<double>(), step = 1e-6;
      const auto loss_at = [&](double value) {
        values[i] = value;
        return cross_entropy(c.hidden, c.output(), c.target, options).loss.item<double>();
      };
      const double slope = (loss_at(before + step) - loss_at(before - step)) / (2 * step);
      values[i] = before;
      CHECK(analytic[input].view(-1)[i].item<double>() == Approx(slope).epsilon(1e-6).margin(1e-7));
    }
  }
}

TEST_CASE("a scaled loss has scaled gradients, and backward can run twice") {
  const Case c = make_case(torch::kFloat, /*with_bias=*/true);
  const auto loss = cross_entropy(c.hidden, c.output(), c.target, options_of(0.1, SmoothingOver::others)).loss;
  const auto once = gradients(c, loss), third = gradients(c, loss / 3), again = gradients(c, loss);
  for (size_t i = 0; i < once.size(); ++i) {
    CHECK(largest_difference(once[i] / 3, third[i]) < 1e-5);
    CHECK(torch::equal(once[i], again[i]));
  }
}

TEST_CASE("one matrix for embedding and output gets both gradients") {
  const Case c = make_case(torch::kDouble, /*with_bias=*/false);
  const auto loss_of = [&](auto loss_function) {
    const auto hidden = c.weight.index_select(0, c.target).tanh();
    return torch::autograd::grad(
        {loss_function(hidden, c.output(), c.target, options_of(0.1, SmoothingOver::all)).loss}, {c.weight})[0];
  };
  CHECK(largest_difference(loss_of(cross_entropy), loss_of(plain_cross_entropy)) < 1e-10);
}

TEST_CASE("the size of chunks and missing gradients change no value beyond rounding") {
  const Case c = make_case(torch::kFloat, /*with_bias=*/true);
  auto options = options_of(0.1, SmoothingOver::others);
  const auto small = cross_entropy(c.hidden, c.output(), c.target, options);
  options.chunk_rows = 1000;
  const auto whole = cross_entropy(c.hidden, c.output(), c.target, options);
  CHECK(small.loss.item<double>() == Approx(whole.loss.item<double>()).epsilon(1e-6));
  const torch::NoGradGuard no_grad;
  const auto quiet = cross_entropy(c.hidden, c.output(), c.target, options);
  CHECK_FALSE(quiet.loss.requires_grad());
  CHECK(quiet.loss.item<double>() == whole.loss.item<double>());
  CHECK(quiet.correct.item<int64_t>() == whole.correct.item<int64_t>());
}

TEST_CASE("nll and the count of right tokens do not know label smoothing", "[F24]") {
  const Case c = make_case(torch::kFloat, /*with_bias=*/true);
  const auto none = cross_entropy(c.hidden, c.output(), c.target, options_of(0.0, SmoothingOver::others));
  const auto much = cross_entropy(c.hidden, c.output(), c.target, options_of(0.5, SmoothingOver::others));
  CHECK(none.nll.item<double>() == much.nll.item<double>());
  CHECK(none.correct.item<int64_t>() == much.correct.item<int64_t>());
  CHECK(none.loss.item<double>() == Approx(none.nll.item<double>()).epsilon(1e-12));
  CHECK(none.loss.item<double>() != much.loss.item<double>());
}

TEST_CASE("of equal logits the first counts as the most probable") {
  const auto target = torch::tensor({0, 1, 2}, torch::kLong);
  const auto sums = cross_entropy(torch::zeros({3, 4}), {torch::zeros({5, 4}), {}}, target, {});
  CHECK(sums.correct.item<int64_t>() == 1);
}

TEST_CASE("a logit that is not finite gives a loss that is not finite", "[F42]") {
  for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    auto hidden = torch::ones({1, 1});
    auto weight = torch::ones({20, 1});
    weight[11] = bad;
    const auto sums = cross_entropy(hidden, {weight, {}}, torch::tensor({3}, torch::kLong), {});
    CHECK_FALSE(std::isfinite(sums.loss.item<double>()));
  }
}

TEST_CASE("under bfloat16 the loss stays near that of float32 and gradients keep their types") {
  const Case c = make_case(torch::kFloat, /*with_bias=*/true);
  const auto options = options_of(0.1, SmoothingOver::others);
  const auto exact = cross_entropy(c.hidden, c.output(), c.target, options);
  const auto exact_gradients = gradients(c, exact.loss);
  const PrecisionGuard guard(Precision::bfloat16, torch::kCPU);
  const auto rough = cross_entropy(c.hidden, c.output(), c.target, options);
  CHECK(rough.loss.scalar_type() == torch::kDouble);
  CHECK(rough.loss.item<double>() == Approx(exact.loss.item<double>()).epsilon(0.01));
  CHECK(rough.loss.item<double>() != exact.loss.item<double>());
  const auto rough_gradients = gradients(c, rough.loss);
  for (size_t i = 0; i < rough_gradients.size(); ++i) {
    CHECK(rough_gradients[i].scalar_type() == torch::kFloat);
    CHECK((rough_gradients[i] - exact_gradients[i]).norm().item<double>() <
          0.03 * exact_gradients[i].norm().item<double>());
  }
}

TEST_CASE("kernels of a row agree with the reference in double") {
  torch::manual_seed(3);
  for (const int64_t vocab : {1, 2, 15, 16, 17, 1003}) {
    auto row = torch::randn({vocab}) * 8;
    const auto exact = row.to(torch::kDouble);
    auto gradient = torch::empty_like(exact);
    const kernels::TargetWeights weights{0.8, vocab > 1 ? 0.2 / static_cast<double>(vocab - 1) : 0.2};
    const auto wanted = kernels::softmax_gradient_reference(exact.data_ptr<double>(), vocab, vocab / 2, weights,
                                                            gradient.data_ptr<double>());
    const auto loss = kernels::softmax_loss(row.const_data_ptr<float>(), vocab, vocab / 2, weights);
    const auto both = kernels::softmax_gradient(row.data_ptr<float>(), vocab, vocab / 2, weights);
    CHECK(loss.loss == Approx(wanted.loss).epsilon(1e-5).margin(1e-6));
    CHECK(both.loss == loss.loss);
    CHECK(both.nll == Approx(wanted.nll).epsilon(1e-5).margin(1e-6));
    CHECK(both.correct == wanted.correct);
    CHECK(largest_difference(row, gradient) < 1e-6);
  }
}

}  // namespace
}  // namespace tr::train
