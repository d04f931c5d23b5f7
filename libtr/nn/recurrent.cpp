// Stacks of recurrent layers: Sutskever et al. 2014; Schuster and Paliwal 1997 (two directions).
#include "libtr/nn/recurrent.h"

#include <numeric>

namespace tr::nn {

torch::Tensor RecurrentDropoutImpl::forward(const torch::Tensor& x, const Noise& noise) {
  return options_.variational ? dropout_->same_for_all_positions(x, noise) : dropout_->forward(x, noise);
}

namespace {

std::shared_ptr<RecurrentCell> make_cell(const StackOptions& options, int64_t layer, int64_t d_cell) {
  return options.cell.make(CellOptions{.d_input = layer == 0 ? options.d_input : options.d_hidden,
                                       .d_hidden = d_cell,
                                       .initialization = options.initialization});
}

double sum_of_costs(const std::vector<std::shared_ptr<RecurrentCell>>& cells) {
  return std::accumulate(cells.begin(), cells.end(), 0.0,
                         [](double sum, const auto& cell) { return sum + cell->multiply_adds(); });
}

RecurrentState join(const RecurrentState& left, const RecurrentState& right) {
  const auto beside = [](const torch::Tensor& a, const torch::Tensor& b) {
    return a.defined() ? at::cat({a, b}, -1) : a;
  };
  return {.hidden = beside(left.hidden, right.hidden), .memory = beside(left.memory, right.memory)};
}

}  // namespace

// ---- encoder ----

RecurrentEncoderImpl::RecurrentEncoderImpl(const StackOptions& options, Directions directions) {
  const bool both = directions == Directions::both;
  const int64_t d_cell = both ? options.d_hidden / 2 : options.d_hidden;
  for (int64_t i = 0; i < options.layers; ++i) {
    const auto number = std::to_string(i);
    forward_cells_.push_back(register_module("forward_" + number, make_cell(options, i, d_cell)));
    if (both) backward_cells_.push_back(register_module("backward_" + number, make_cell(options, i, d_cell)));
    if (i > 0) dropouts_.push_back(register_module("dropout_" + number, RecurrentDropout(options.dropout)));
  }
}

RecurrentEncoderImpl::Encoded RecurrentEncoderImpl::forward(const torch::Tensor& x, const torch::Tensor& mask,
                                                            const Noise& noise) {
  Encoded encoded{.memory = x, .last = {}};
  for (size_t i = 0; i < forward_cells_.size(); ++i) {
    if (i > 0) encoded.memory = dropouts_[i - 1](encoded.memory, noise);
    const auto done = layer(i, encoded.memory, mask);
    encoded.memory = done.hidden;
    encoded.last.push_back(done.last);
  }
  return encoded;
}

RecurrentRun RecurrentEncoderImpl::layer(size_t index, const torch::Tensor& x, const torch::Tensor& mask) {
  const auto& cell = forward_cells_[index];
  const auto ahead = cell->run(x, cell->zero_state(x.size(0)), mask);
  if (backward_cells_.empty()) return ahead;
  const auto back = backward_cells_[index]->run_backward(x, mask);
  return {.hidden = at::cat({ahead.hidden, back.hidden}, -1), .last = join(ahead.last, back.last)};
}

double RecurrentEncoderImpl::multiply_adds() const {
  return sum_of_costs(forward_cells_) + sum_of_costs(backward_cells_);
}

// ---- decoder ----

RecurrentDecoderImpl::RecurrentDecoderImpl(const StackOptions& options) {
  for (int64_t i = 0; i < options.layers; ++i) {
    const auto number = std::to_string(i);
    cells_.push_back(register_module("cell_" + number, make_cell(options, i, options.d_hidden)));
    if (i > 0) dropouts_.push_back(register_module("dropout_" + number, RecurrentDropout(options.dropout)));
  }
}

torch::Tensor RecurrentDecoderImpl::forward(const torch::Tensor& x, const StackState& initial, const Noise& noise) {
  auto hidden = x;
  for (size_t i = 0; i < cells_.size(); ++i) {
    if (i > 0) hidden = dropouts_[i - 1](hidden, noise);
    hidden = cells_[i]->run(hidden, initial[i]).hidden;
  }
  return hidden;
}

StackState RecurrentDecoderImpl::step(const torch::Tensor& input_gates, const StackState& state, const Noise& noise) {
  StackState next{cells_.front()->step(input_gates, state.front())};
  for (size_t i = 1; i < cells_.size(); ++i) {
    const auto x = dropouts_[i - 1](next.back().hidden.unsqueeze(1), noise).squeeze(1);
    next.push_back(cells_[i]->step(cells_[i]->input_gates(x), state[i]));
  }
  return next;
}

StackState RecurrentDecoderImpl::zero_state(int64_t batch) const {
  StackState zero;
  for (const auto& cell : cells_) zero.push_back(cell->zero_state(batch));
  return zero;
}

double RecurrentDecoderImpl::multiply_adds() const { return sum_of_costs(cells_); }

// ---- bridge ----

BridgeImpl::BridgeImpl(BridgeKind kind, const RecurrentDecoderImpl& decoder) : kind_(kind) {
  if (kind != BridgeKind::learned) return;
  const LinearOptions square{.inputs = decoder.d_hidden(), .outputs = decoder.d_hidden()};
  const bool has_memory = decoder.zero_state(1).front().memory.defined();
  for (int64_t i = 0; i < decoder.layers(); ++i) {
    const auto number = std::to_string(i);
    hidden_.push_back(register_module("hidden_" + number, Linear(square)));
    if (has_memory) memory_.push_back(register_module("memory_" + number, Linear(square)));
  }
}

StackState BridgeImpl::forward(const StackState& last) {
  if (kind_ == BridgeKind::last) return last;
  StackState first;
  for (size_t i = 0; i < last.size(); ++i) {
    const auto& [hidden, memory] = last[i];
    if (kind_ == BridgeKind::zero) {
      first.push_back({at::zeros_like(hidden), memory.defined() ? at::zeros_like(memory) : memory});
    } else {
      first.push_back({hidden_[i](hidden).tanh(), memory.defined() ? memory_[i](memory).tanh() : memory});
    }
  }
  return first;
}

double BridgeImpl::multiply_adds() const {
  double sum = 0;
  for (const auto& projection : hidden_) sum += projection->multiply_adds();
  for (const auto& projection : memory_) sum += projection->multiply_adds();
  return sum;
}

}  // namespace tr::nn
