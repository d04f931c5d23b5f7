// Word embeddings and the output layer, tied or not: Press and Wolf 2017, "Using the output embedding to improve
// language models"; Vaswani et al. 2017, section 3.4.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <string>
#include <utility>
#include <vector>

#include "libtr/nn/initialization.h"
#include "libtr/nn/output_layer.h"

namespace tr::nn {

/// One vector for each id, drawn from N(0, width^-1).
class EmbeddingImpl : public torch::nn::Module, public Initializable {
 public:
  EmbeddingImpl(int64_t vocab, int64_t width);

  /// ids [...] int64 -> [..., width]. The gradient is the same bits in every run.
  torch::Tensor forward(const torch::Tensor& ids);
  void initialize(const Initialization& scheme) override;

  torch::Tensor weight;  ///< [vocab, width]
};
TORCH_MODULE(Embedding);

/// Which of source embedding, target embedding and output layer are one matrix.
enum class Tying {
  none,     ///< three matrices
  decoder,  ///< target embedding = output layer
  all,      ///< one matrix; needs a joint vocabulary
};
inline auto names_of(Tying) {
  return std::vector<std::pair<Tying, const char*>>{
      {Tying::none, "none"}, {Tying::decoder, "decoder"}, {Tying::all, "all"}};
}

/// What the decoder reads before the first word.
enum class StartSymbol {
  bos,   ///< the embedding of the symbol bos
  zero,  ///< the zero vector, as in Marian
};
inline auto names_of(StartSymbol) {
  return std::vector<std::pair<StartSymbol, const char*>>{{StartSymbol::bos, "bos"}, {StartSymbol::zero, "zero"}};
}

struct VocabularyLayersOptions {
  int64_t source_vocab = 0;
  int64_t target_vocab = 0;
  int64_t width = 0;          ///< of both embeddings
  int64_t output_width = 0;   ///< of the hidden states given to the output layer; equals `width` where it is tied
  Tying tying = Tying::none;  ///< `all`: source_vocab = target_vocab
  bool scale = false;         ///< multiply embeddings by sqrt(width)
  int64_t zero_id = -1;       ///< a target id that is read as the zero vector, or -1
  bool output_bias = true;
};

/// Where an encoder-decoder meets its vocabularies. A matrix that serves several ends is registered once: parameters
/// "shared.weight" (all), or "source.weight" and "target.weight" (decoder), and "output_weight" beside them (none).
class VocabularyLayersImpl : public torch::nn::Module, public Initializable {
 public:
  explicit VocabularyLayersImpl(const VocabularyLayersOptions& options);

  /// ids [...] int64 -> [..., width]
  torch::Tensor source(const torch::Tensor& ids);
  torch::Tensor target(const torch::Tensor& ids);
  OutputLayer output() const;
  /// The output layer's own parameters; embeddings initialise themselves.
  void initialize(const Initialization& scheme) override;

 private:
  torch::Tensor scaled(const torch::Tensor& vectors) const;

  VocabularyLayersOptions options_;
  Embedding source_{nullptr}, target_{nullptr};  // the same module where all are tied
  torch::Tensor output_weight_;                  // undefined where it is tied
  torch::Tensor output_bias_;                    // undefined without bias
};
TORCH_MODULE(VocabularyLayers);

}  // namespace tr::nn
