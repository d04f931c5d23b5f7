// Where a token stands, added to its embedding, as a table: Vaswani et al. 2017, section 3.5; Gehring et al. 2017,
// "Convolutional sequence to sequence learning", section 3.1 (learned).
#pragma once

#include <torch/nn/module.h>

#include <memory>

#include "libtr/config/registry.h"

namespace tr::nn {

class Positions : public torch::nn::Module {
 public:
  /// x [batch, time, d_model] at positions 0 … time-1 -> the same shape
  virtual torch::Tensor forward(const torch::Tensor& x) = 0;
  /// x [rows, d_model], row r at position[r] (int64) -> the same shape
  virtual torch::Tensor step(const torch::Tensor& x, const torch::Tensor& position) = 0;
  /// Positions that there are; 0 = no limit.
  virtual int64_t longest() const { return 0; }
};

using PositionsTable = config::Registry<std::shared_ptr<Positions>, int64_t>;
/// sinusoidal, learned, none; made from d_model. Open to more: positions().add(…).
PositionsTable& positions();

/// sinusoidal: how sines and cosines share the d_model features.
enum class SinusoidalLayout {
  interleaved,  ///< sine at even, cosine at odd features (Vaswani et al. 2017)
  halves,       ///< sines, then cosines (Marian, Hugging Face)
};
inline auto names_of(SinusoidalLayout) {
  return std::vector<std::pair<SinusoidalLayout, const char*>>{{SinusoidalLayout::interleaved, "interleaved"},
                                                               {SinusoidalLayout::halves, "halves"}};
}
struct SinusoidalOptions {
  SinusoidalLayout layout = SinusoidalLayout::interleaved;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("layout", self.layout, "order of sines and cosines");
  }
};

/// Vectors of positions 0 … count-1, [count, d_model] float32.
torch::Tensor sinusoidal_vectors(int64_t count, int64_t d_model, SinusoidalLayout layout);

struct LearnedPositionsOptions {
  int64_t longest = 512;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("longest", self.longest, "tokens of the longest sentence, eos counted", config::at_least(1));
  }
};

}  // namespace tr::nn
