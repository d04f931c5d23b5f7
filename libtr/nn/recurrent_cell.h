// Recurrent cells: LSTM (Hochreiter and Schmidhuber 1997, "Long short-term memory", with the forget gate of Gers et al.
// 2000, "Learning to forget") and GRU (Cho et al. 2014, "Learning phrase representations using RNN encoder-decoder for
// statistical machine translation", section 2.3).
#pragma once

#include <torch/nn/module.h>
#include <torch/types.h>

#include <memory>
#include <vector>

#include "libtr/config/registry.h"
#include "libtr/nn/initialization.h"

namespace tr::nn {

/// What a cell carries from one step to the next.
struct RecurrentState {
  torch::Tensor hidden;  ///< [batch, d_hidden]: what it shows to others
  torch::Tensor memory;  ///< [batch, d_hidden]: what an LSTM keeps to itself; undefined for a GRU
};

/// What a cell made of a whole batch of sentences.
struct RecurrentRun {
  torch::Tensor hidden;  ///< [batch, time, d_hidden]; meaningless on padding
  RecurrentState last;   ///< after the last real token of each sentence
};

struct CellOptions {
  int64_t d_input = 0;
  int64_t d_hidden = 0;
  RecurrentInitialization initialization = {};
};

/// One layer in one direction. Weights are named and laid out as in PyTorch: weight_ih [gates * d_hidden, d_input],
/// weight_hh [gates * d_hidden, d_hidden], bias_ih and bias_hh [gates * d_hidden].
class RecurrentCell : public torch::nn::Module, public Initializable {
 public:
  RecurrentCell(const CellOptions& options, int64_t gates);

  /// All steps in one call. x [batch, time, d_input]; mask [batch, time] bool, or undefined if x holds no padding;
  /// padding may lead only where `initial` is the zero state.
  RecurrentRun run(const torch::Tensor& x, const RecurrentState& initial, const torch::Tensor& mask = {});
  /// From each sentence's last real token to its first, starting at the zero state. hidden[:, t] still belongs to token
  /// t; `last` is the state after the first token.
  RecurrentRun run_backward(const torch::Tensor& x, const torch::Tensor& mask = {});

  /// The part of the gates that does not wait for the step before: x [..., d_input] -> [..., gates * d_hidden].
  torch::Tensor input_gates(const torch::Tensor& x) { return at::linear(x, weight_ih, input_bias()); }
  /// One step with the weights of `run`. input_gates [batch, gates * d_hidden].
  virtual RecurrentState step(const torch::Tensor& input_gates, const RecurrentState& state) = 0;
  /// Bias that belongs to input_gates, [gates * d_hidden].
  virtual torch::Tensor input_bias() { return bias_ih; }
  virtual RecurrentState zero_state(int64_t batch) const = 0;
  /// One draw a gate; biases are zero.
  void initialize(const Initialization& scheme) override;

  int64_t gates() const { return gates_; }
  int64_t d_input() const { return weight_ih.size(1); }
  int64_t d_hidden() const { return weight_hh.size(1); }
  /// Multiply-adds of one step for one sentence.
  double multiply_adds() const { return static_cast<double>(weight_ih.numel() + weight_hh.numel()); }

  torch::Tensor weight_ih, weight_hh, bias_ih, bias_hh;

 protected:
  struct Sequence {
    torch::Tensor x, weight_ih;
  };
  /// LibTorch's own call over all steps; x [batch, time, width of weight_ih]. `last` is the state after the last
  /// column, real or not.
  virtual RecurrentRun run_all(const Sequence& sequence, const RecurrentState& initial) = 0;
  /// [gates * d_hidden, 1] added to the gates where a step is padding, so large that the memory rests: no input enters,
  /// nothing is forgotten.
  virtual torch::Tensor resting_gates() const = 0;
  torch::Tensor zeros(int64_t batch) const { return weight_hh.new_zeros({batch, d_hidden()}); }
  torch::Tensor gate_constants(const std::vector<double>& value_of_gate) const;  // [gates * d_hidden, 1]

  RecurrentInitialization initialization_;

 private:
  int64_t gates_;
};

/// i, f, o = sigmoid(W x + U h + b), g = tanh(W x + U h + b); c' = f c + i g; h' = o tanh(c'). Gates stand in the order
/// i, f, g, o.
class LstmCell : public RecurrentCell {
 public:
  explicit LstmCell(const CellOptions& options) : RecurrentCell(options, 4) {}
  RecurrentState step(const torch::Tensor& input_gates, const RecurrentState& state) override;
  torch::Tensor input_bias() override { return bias_ih + bias_hh; }
  RecurrentState zero_state(int64_t batch) const override { return {zeros(batch), zeros(batch)}; }
  void initialize(const Initialization& scheme) override;

 protected:
  RecurrentRun run_all(const Sequence& sequence, const RecurrentState& initial) override;
  torch::Tensor resting_gates() const override;
};

/// r, z = sigmoid(W x + U h + b); n = tanh(W x + b + r (U h + b')); h' = (1 - z) n + z h. Gates stand in the order r,
/// z, n. As in PyTorch and cuDNN, r scales U h after the product; in the paper it scales h before, and z is 1 - z.
class GruCell : public RecurrentCell {
 public:
  explicit GruCell(const CellOptions& options) : RecurrentCell(options, 3) {}
  RecurrentState step(const torch::Tensor& input_gates, const RecurrentState& state) override;
  RecurrentState zero_state(int64_t batch) const override { return {zeros(batch), {}}; }

 protected:
  RecurrentRun run_all(const Sequence& sequence, const RecurrentState& initial) override;
  torch::Tensor resting_gates() const override;
};

using Cells = config::Registry<std::shared_ptr<RecurrentCell>, const CellOptions&>;
/// lstm, gru; open to more: cells().add(…).
Cells& cells();

}  // namespace tr::nn
