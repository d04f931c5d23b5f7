// Stacks of recurrent layers: the encoder (one or two directions: Schuster and Paliwal 1997, "Bidirectional recurrent
// neural networks"), the decoder (a stack that also goes step by step), and the bridge between their states.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <string>
#include <utility>
#include <vector>

#include "libtr/nn/dropout.h"
#include "libtr/nn/linear.h"
#include "libtr/nn/recurrent_cell.h"

namespace tr::nn {

/// Dropout of sequences: a mask for each position, or one mask for all positions of a sentence (Gal and Ghahramani
/// 2016, section 4.2; recurrent connections are left alone, since LibTorch's fused layers cannot drop them).
struct RecurrentDropoutOptions {
  double rate = 0.0;
  bool variational = false;
};
class RecurrentDropoutImpl : public torch::nn::Module {
 public:
  explicit RecurrentDropoutImpl(const RecurrentDropoutOptions& options)
      : options_(options), dropout_(register_module("dropout", Dropout(options.rate))) {}
  /// x [batch, time, features] -> the same shape
  torch::Tensor forward(const torch::Tensor& x, const Noise& noise);

 private:
  RecurrentDropoutOptions options_;
  Dropout dropout_;
};
TORCH_MODULE(RecurrentDropout);

/// One state a layer, lowest first.
using StackState = std::vector<RecurrentState>;

struct StackOptions {
  config::Choice<cells> cell{"lstm"};
  int64_t layers = 1;
  int64_t d_input = 0;                   ///< of the lowest layer
  int64_t d_hidden = 0;                  ///< of a layer's output, both directions together
  RecurrentDropoutOptions dropout = {};  ///< between layers
  RecurrentInitialization initialization = {};
};

enum class Directions {
  forward,  ///< first word to last
  both,     ///< two cells of half the width each read a layer's input from both ends; even d_hidden
};

/// Reads a whole source.
class RecurrentEncoderImpl : public torch::nn::Module {
 public:
  RecurrentEncoderImpl(const StackOptions& options, Directions directions);

  struct Encoded {
    torch::Tensor memory;  ///< [batch, source_time, d_hidden]; meaningless on padding
    StackState last;       ///< [batch, d_hidden]: after the last word, beside it the backward state at the first word
  };
  /// x [batch, source_time, d_input]; mask [batch, source_time] bool, undefined if nothing is padding.
  Encoded forward(const torch::Tensor& x, const torch::Tensor& mask, const Noise& noise);
  /// Multiply-adds of one position.
  double multiply_adds() const;

 private:
  RecurrentRun layer(size_t index, const torch::Tensor& x, const torch::Tensor& mask);

  std::vector<std::shared_ptr<RecurrentCell>> forward_cells_, backward_cells_;
  std::vector<RecurrentDropout> dropouts_;
};
TORCH_MODULE(RecurrentEncoder);

/// Reads from left to right from a given state: all steps at once, or step by step with the same result.
class RecurrentDecoderImpl : public torch::nn::Module {
 public:
  explicit RecurrentDecoderImpl(const StackOptions& options);

  /// x [batch, time, d_input] -> hidden states of the highest layer [batch, time, d_hidden]
  torch::Tensor forward(const torch::Tensor& x, const StackState& initial, const Noise& noise);
  /// One step. input_gates [batch, gates * d_hidden] are those of the lowest layer; noise.first_position is the step's.
  StackState step(const torch::Tensor& input_gates, const StackState& state, const Noise& noise);

  RecurrentCell& lowest() { return *cells_.front(); }
  int64_t layers() const { return static_cast<int64_t>(cells_.size()); }
  int64_t d_hidden() const { return cells_.front()->d_hidden(); }
  StackState zero_state(int64_t batch) const;
  /// Multiply-adds of one step.
  double multiply_adds() const;

 private:
  std::vector<std::shared_ptr<RecurrentCell>> cells_;
  std::vector<RecurrentDropout> dropouts_;
};
TORCH_MODULE(RecurrentDecoder);

/// What the decoder starts from.
enum class BridgeKind {
  last,     ///< the encoder's last states, layer by layer (Sutskever et al. 2014)
  zero,     ///< zero
  learned,  ///< tanh(W s + b) of each of them (Bahdanau et al. 2015, appendix A.2.2; there of the backward state alone)
};
inline auto names_of(BridgeKind) {
  return std::vector<std::pair<BridgeKind, const char*>>{
      {BridgeKind::last, "last"}, {BridgeKind::zero, "zero"}, {BridgeKind::learned, "learned"}};
}

/// From the encoder's last states to the decoder's first; both of `layers` layers of width d_hidden. The hidden part
/// and the memory of an LSTM pass through projections of their own.
class BridgeImpl : public torch::nn::Module {
 public:
  /// `decoder` shows how many states there are, and whether they have a memory.
  BridgeImpl(BridgeKind kind, const RecurrentDecoderImpl& decoder);
  StackState forward(const StackState& last);
  double multiply_adds() const;

 private:
  BridgeKind kind_;
  std::vector<Linear> hidden_, memory_;  // one a layer if learned
};
TORCH_MODULE(Bridge);

}  // namespace tr::nn
