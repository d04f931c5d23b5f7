// Attention scores: Luong et al. 2015, section 3.1; Bahdanau et al. 2015, appendix A.1.2.
#include "libtr/nn/attention_score.h"

#include <cmath>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/nn/linear.h"

namespace tr::nn {
namespace {

/// s · h, times a factor.
class DotScore : public AttentionScore {
 public:
  DotScore(const ScoreWidths& widths, const char* name, double factor) : width_(widths.d_query), factor_(factor) {
    if (widths.d_query == widths.d_memory) return;
    throw UsageError(std::string("attention score ") + name,
                     format("decoder states have width {} and encoded positions {}, expected the same width",
                            widths.d_query, widths.d_memory));
  }
  torch::Tensor keys(const torch::Tensor& memory) override { return memory; }
  torch::Tensor scores(const torch::Tensor& query, const torch::Tensor& keys) override {
    return at::bmm(factor_ == 1.0 ? query : query * factor_, keys.transpose(1, 2));
  }
  Cost multiply_adds() const override { return {.pair = static_cast<double>(width_)}; }

 private:
  int64_t width_;
  double factor_;
};

/// s^T W h; W h are the keys.
class GeneralScore : public AttentionScore {
 public:
  explicit GeneralScore(const ScoreWidths& widths)
      : key_(register_module(
            "key", Linear(LinearOptions{.inputs = widths.d_memory, .outputs = widths.d_query, .bias = false}))) {}
  torch::Tensor keys(const torch::Tensor& memory) override { return key_(memory); }
  torch::Tensor scores(const torch::Tensor& query, const torch::Tensor& keys) override {
    return at::bmm(query, keys.transpose(1, 2));
  }
  Cost multiply_adds() const override {
    return {.key = key_->multiply_adds(), .pair = static_cast<double>(key_->weight.size(0))};
  }

 private:
  Linear key_;
};

/// v · tanh(W s + U h); U h are the keys.
class AdditiveScore : public AttentionScore {
 public:
  explicit AdditiveScore(const ScoreWidths& widths)
      : query_(register_module(
            "query", Linear(LinearOptions{.inputs = widths.d_query, .outputs = widths.d_query, .bias = false}))),
        key_(register_module(
            "key", Linear(LinearOptions{.inputs = widths.d_memory, .outputs = widths.d_query, .bias = false}))),
        energy_(
            register_module("energy", Linear(LinearOptions{.inputs = widths.d_query, .outputs = 1, .bias = false}))) {}
  torch::Tensor keys(const torch::Tensor& memory) override { return key_(memory); }
  torch::Tensor scores(const torch::Tensor& query, const torch::Tensor& keys) override {
    const auto both = query_(query).unsqueeze(2) + keys.unsqueeze(1);  // [batch, query_time, source_time, d_query]
    return energy_(both.tanh()).squeeze(-1);
  }
  Cost multiply_adds() const override {
    return {.key = key_->multiply_adds(), .query = query_->multiply_adds(), .pair = energy_->multiply_adds()};
  }

 private:
  Linear query_, key_, energy_;
};

AttentionScores make_attention_scores() {
  using config::NoOptions;
  AttentionScores table("attention score");
  table.add<NoOptions>(
      "dot", "s · h", "Luong et al. 2015, section 3.1",
      [](const NoOptions&, const ScoreWidths& widths) { return std::make_shared<DotScore>(widths, "dot", 1.0); });
  table.add<NoOptions>(
      "general", "s · W h", "Luong et al. 2015, section 3.1",
      [](const NoOptions&, const ScoreWidths& widths) { return std::make_shared<GeneralScore>(widths); });
  table.add<NoOptions>("scaled_dot", "s · h / sqrt(d)", "Vaswani et al. 2017, section 3.2.1",
                       [](const NoOptions&, const ScoreWidths& widths) {
                         const double factor = 1.0 / std::sqrt(static_cast<double>(widths.d_query));
                         return std::make_shared<DotScore>(widths, "scaled_dot", factor);
                       });
  table.add<NoOptions>(
      "additive", "v · tanh(W s + U h)", "Bahdanau et al. 2015, appendix A.1.2",
      [](const NoOptions&, const ScoreWidths& widths) { return std::make_shared<AdditiveScore>(widths); });
  return table;
}

}  // namespace

AttentionScores& attention_scores() {
  static AttentionScores table = make_attention_scores();
  return table;
}

}  // namespace tr::nn
