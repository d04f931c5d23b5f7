// Recurrent cells: Hochreiter and Schmidhuber 1997, Gers et al. 2000 (LSTM); Cho et al. 2014, section 2.3 (GRU).
#include "libtr/nn/recurrent_cell.h"

#include <ATen/Version.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/types.h>

#include <optional>

namespace tr::nn {

namespace {
// oneDNN computes recurrences in bfloat16 with AVX-512 alone.
bool has_bfloat16_recurrence(const torch::Tensor& x) {
  static const bool avx512 = at::get_cpu_capability() == "AVX512";
  return !x.is_cpu() || avx512;
}

// Far beyond every sum of gates, so that a sigmoid is exactly 0 or 1, and still finite in bfloat16.
constexpr double kShut = -1e4;
constexpr double kOpen = 1e4;
}  // namespace

RecurrentCell::RecurrentCell(const CellOptions& options, int64_t gates)
    : initialization_(options.initialization), gates_(gates) {
  const int64_t rows = gates * options.d_hidden;
  weight_ih = register_parameter("weight_ih", torch::empty({rows, options.d_input}));
  weight_hh = register_parameter("weight_hh", torch::empty({rows, options.d_hidden}));
  bias_ih = register_parameter("bias_ih", torch::zeros({rows}));
  bias_hh = register_parameter("bias_hh", torch::zeros({rows}));
}

void RecurrentCell::initialize(const Initialization& scheme) {
  for (const auto& gate : weight_ih.detach().chunk(gates_)) scheme.draw(gate);
  for (const auto& gate : weight_hh.detach().chunk(gates_)) {
    initialization_.orthogonal ? draw_orthogonal(gate) : scheme.draw(gate);
  }
  bias_ih.detach().zero_();
  bias_hh.detach().zero_();
}

// One call computes all sentences to the end of the longest, yet each sentence's last state must not see its padding.
// So "this is padding" becomes one more input, whose fixed weights let the memory rest.
RecurrentRun RecurrentCell::run(const torch::Tensor& x, const RecurrentState& initial, const torch::Tensor& mask) {
  if (!mask.defined()) return run_all({x, weight_ih}, initial);
  const auto is_padding = mask.logical_not().unsqueeze(-1).to(x.scalar_type());  // [batch, time, 1]
  auto done = run_all({.x = at::cat({x, is_padding}, -1),                        // [batch, time, d_input + 1]
                       .weight_ih = at::cat({weight_ih, resting_gates()}, -1)},  // [gates * d_hidden, d_input + 1]
                      initial);
  const auto places = torch::arange(mask.size(1), mask.options().dtype(torch::kInt64));
  const auto last_place = (mask * places).amax(1);  // [batch]
  done.last.hidden = done.hidden.gather(1, last_place.view({-1, 1, 1}).expand({-1, 1, d_hidden()})).squeeze(1);
  return done;
}

// Reversed as a whole, so padding comes first: there the memory rests at zero, and an LSTM or GRU whose memory is zero
// shows a hidden state of exactly zero.
RecurrentRun RecurrentCell::run_backward(const torch::Tensor& x, const torch::Tensor& mask) {
  auto done = run(x.flip(1), zero_state(x.size(0)), mask.defined() ? mask.flip(1) : mask);
  done.hidden = done.hidden.flip(1);
  return done;
}

torch::Tensor RecurrentCell::gate_constants(const std::vector<double>& value_of_gate) const {
  std::vector<torch::Tensor> blocks;
  for (const double value : value_of_gate) blocks.push_back(weight_ih.new_full({d_hidden(), 1}, value));
  return at::cat(blocks);
}

// ---- LSTM ----

void LstmCell::initialize(const Initialization& scheme) {
  RecurrentCell::initialize(scheme);
  bias_ih.detach().narrow(0, d_hidden(), d_hidden()).fill_(initialization_.forget_bias);
}

// Dense and without dropout, so that LibTorch hands it to oneDNN on a CPU, training included. Under autocast oneDNN
// computes in bfloat16 where it can; states leave in the type of the weights.
RecurrentRun LstmCell::run_all(const Sequence& sequence, const RecurrentState& initial) {
  std::optional<c10::impl::ExcludeDispatchKeyGuard> no_autocast;
  if (!has_bfloat16_recurrence(sequence.x)) no_autocast.emplace(c10::autocast_dispatch_keyset);
  const auto [hidden, last_hidden, last_memory] =
      at::lstm(sequence.x, {initial.hidden.unsqueeze(0), initial.memory.unsqueeze(0)},
               {sequence.weight_ih, weight_hh, bias_ih, bias_hh}, /*has_biases=*/true, /*num_layers=*/1,
               /*dropout=*/0.0, /*train=*/at::GradMode::is_enabled(), /*bidirectional=*/false, /*batch_first=*/true);
  const auto type = weight_hh.scalar_type();
  return {.hidden = hidden.to(type), .last = {last_hidden.squeeze(0).to(type), last_memory.squeeze(0).to(type)}};
}

torch::Tensor LstmCell::resting_gates() const { return gate_constants({kShut, kOpen, 0.0, 0.0}); }

RecurrentState LstmCell::step(const torch::Tensor& input_gates, const RecurrentState& state) {
  const auto gates = at::addmm(input_gates, state.hidden, weight_hh.t()).chunk(4, -1);  // 4 x [batch, d_hidden]
  const auto input = gates[0].sigmoid(), forget = gates[1].sigmoid(), output = gates[3].sigmoid();
  const auto memory = forget * state.memory + input * gates[2].tanh();
  return {.hidden = output * memory.tanh(), .memory = memory};
}

// ---- GRU ----

RecurrentRun GruCell::run_all(const Sequence& sequence, const RecurrentState& initial) {
  const auto [hidden, last_hidden] =
      at::gru(sequence.x, initial.hidden.unsqueeze(0), {sequence.weight_ih, weight_hh, bias_ih, bias_hh},
              /*has_biases=*/true, /*num_layers=*/1, /*dropout=*/0.0, /*train=*/at::GradMode::is_enabled(),
              /*bidirectional=*/false, /*batch_first=*/true);
  const auto type = weight_hh.scalar_type();
  return {.hidden = hidden.to(type), .last = {last_hidden.squeeze(0).to(type), {}}};
}

torch::Tensor GruCell::resting_gates() const { return gate_constants({0.0, kOpen, 0.0}); }

RecurrentState GruCell::step(const torch::Tensor& input_gates, const RecurrentState& state) {
  const auto from_input = input_gates.chunk(3, -1);  // 3 x [batch, d_hidden]
  const auto from_hidden = at::linear(state.hidden, weight_hh, bias_hh).chunk(3, -1);
  const auto reset = (from_input[0] + from_hidden[0]).sigmoid();
  const auto update = (from_input[1] + from_hidden[1]).sigmoid();
  const auto candidate = (from_input[2] + reset * from_hidden[2]).tanh();
  return {.hidden = candidate + update * (state.hidden - candidate), .memory = {}};
}

namespace {
Cells make_cells() {
  using config::NoOptions;
  Cells table("recurrent cell");
  table.add<NoOptions>(
      "lstm", "long short-term memory with a forget gate", "Hochreiter and Schmidhuber 1997; Gers et al. 2000",
      [](const NoOptions&, const CellOptions& options) { return std::make_shared<LstmCell>(options); });
  table.add<NoOptions>("gru", "gated recurrent unit", "Cho et al. 2014, section 2.3",
                       [](const NoOptions&, const CellOptions& options) { return std::make_shared<GruCell>(options); });
  return table;
}
}  // namespace

Cells& cells() {
  static Cells table = make_cells();
  return table;
}

}  // namespace tr::nn
