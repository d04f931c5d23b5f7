#include "libtr/nn/recurrent.h"

#include <ATen/autocast_mode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function.h>

#include <cmath>
#include <set>

#include "tests/support.h"

using namespace tr;
using namespace tr::nn;

namespace {

using Vector = std::vector<double>;

std::shared_ptr<RecurrentCell> make_cell(const std::string& type, const CellOptions& options) {
  const auto cell = config::Choice<cells>(type).make(options);
  cell->initialize(*config::Choice<initializations>("uniform").make());
  const torch::NoGradGuard no_grad;
  for (auto& parameter : cell->parameters()) parameter.uniform_(-0.5, 0.5);
  return cell;
}

Vector numbers(const torch::Tensor& x) {
  const auto dense = x.detach().to(torch::kDouble).contiguous();
  return {dense.data_ptr<double>(), dense.data_ptr<double>() + dense.numel()};
}

/// Row `row` of W x + b.
double affine(const torch::Tensor& weight, const torch::Tensor& bias, int64_t row, const Vector& x) {
  const auto w = numbers(weight[row]);
  double sum = bias[row].item<double>();
  for (size_t i = 0; i < x.size(); ++i) sum += w[i] * x[i];
  return sum;
}

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

struct PlainState {
  Vector hidden, memory;
};

/// The formulas of the papers, one number at a time.
PlainState plain_step(const RecurrentCell& cell, const Vector& x, const PlainState& state) {
  const int64_t width = cell.d_hidden();
  const auto of_input = [&](int64_t gate, int64_t j) {
    return affine(cell.weight_ih, cell.bias_ih, gate * width + j, x);
  };
  const auto of_hidden = [&](int64_t gate, int64_t j) {
    return affine(cell.weight_hh, cell.bias_hh, gate * width + j, state.hidden);
  };
  PlainState next = state;
  for (int64_t j = 0; j < width; ++j) {
    const auto both = [&](int64_t gate) { return of_input(gate, j) + of_hidden(gate, j); };
    if (cell.gates() == 4) {
      next.memory[j] = sigmoid(both(1)) * state.memory[j] + sigmoid(both(0)) * std::tanh(both(2));
      next.hidden[j] = sigmoid(both(3)) * std::tanh(next.memory[j]);
    } else {
      const double candidate = std::tanh(of_input(2, j) + sigmoid(both(0)) * of_hidden(2, j));
      const double update = sigmoid(both(1));
      next.hidden[j] = (1 - update) * candidate + update * state.hidden[j];
    }
  }
  return next;
}

double distance(const torch::Tensor& a, const torch::Tensor& b) {
  return (a.to(torch::kDouble) - b.to(torch::kDouble)).abs().max().item<double>();
}
double distance(const torch::Tensor& a, const Vector& b) {
  return distance(a, torch::tensor(b, torch::kDouble).view_as(a));
}

RecurrentState random_state(const RecurrentCell& cell, int64_t batch) {
  auto state = cell.zero_state(batch);
  state.hidden = torch::randn_like(state.hidden);
  if (state.memory.defined()) state.memory = torch::randn_like(state.memory);
  return state;
}

RecurrentState row(const RecurrentState& state, int64_t i) {
  return {state.hidden.narrow(0, i, 1), state.memory.defined() ? state.memory.narrow(0, i, 1) : state.memory};
}

double distance(const RecurrentState& a, const RecurrentState& b) {
  return std::max(distance(a.hidden, b.hidden), a.memory.defined() ? distance(a.memory, b.memory) : 0.0);
}

const std::vector<int64_t> kLengths = {5, 1, 4};

/// Three sentences whose padding holds large numbers.
struct Padded {
  torch::Tensor x, mask;
  explicit Padded(int64_t width) {
    mask = torch::arange(5).unsqueeze(0) < torch::tensor(kLengths).unsqueeze(1);
    x = torch::where(mask.unsqueeze(-1), torch::randn({3, 5, width}), torch::full({}, 50.0f));
  }
  torch::Tensor sentence(int64_t i) const { return x.narrow(0, i, 1).narrow(1, 0, kLengths[i]); }
};

Noise noise_for(int64_t batch) { return {.key = 7, .slots = torch::arange(batch)}; }

}  // namespace

TEST_CASE("a cell's dense run, its steps and plain loops in double agree") {
  const auto type = GENERATE(as<std::string>(), "lstm", "gru");
  const auto precision = GENERATE(torch::kFloat, torch::kDouble);
  CAPTURE(type, precision);
  torch::manual_seed(1);
  const auto cell = make_cell(type, {.d_input = 3, .d_hidden = 4});
  cell->to(precision);
  const double tolerance = precision == torch::kFloat ? 1e-5 : 1e-12;
  const auto x = torch::randn({2, 6, 3}, precision);
  const auto initial = random_state(*cell, 2);

  const auto dense = cell->run(x, initial);
  auto stepped = initial;
  std::vector<PlainState> plain;
  for (int64_t i = 0; i < 2; ++i) {
    plain.push_back({numbers(initial.hidden[i]), initial.memory.defined() ? numbers(initial.memory[i]) : Vector()});
  }
  for (int64_t t = 0; t < 6; ++t) {
    stepped = cell->step(cell->input_gates(x.select(1, t)), stepped);
    CHECK(distance(stepped.hidden, dense.hidden.select(1, t)) < tolerance);
    for (int64_t i = 0; i < 2; ++i) {
      plain[i] = plain_step(*cell, numbers(x[i][t]), plain[i]);
      CHECK(distance(dense.hidden[i][t], plain[i].hidden) < tolerance);
      if (stepped.memory.defined()) CHECK(distance(stepped.memory[i], plain[i].memory) < tolerance);
    }
  }
  CHECK(distance(dense.last, stepped) < tolerance);
}

TEST_CASE("padding reaches neither states nor last state of a cell, in either direction", "[F14]") {
  const auto type = GENERATE(as<std::string>(), "lstm", "gru");
  const bool backward = GENERATE(false, true);
  CAPTURE(type, backward);
  torch::manual_seed(2);
  const auto cell = make_cell(type, {.d_input = 8, .d_hidden = 16});
  const Padded sentences(8);
  const auto initial = random_state(*cell, 3);

  const auto together =
      backward ? cell->run_backward(sentences.x, sentences.mask) : cell->run(sentences.x, initial, sentences.mask);
  for (int64_t i = 0; i < 3; ++i) {
    const auto x = sentences.sentence(i);
    const auto alone = backward ? cell->run_backward(x) : cell->run(x, row(initial, i));
    CHECK(distance(together.hidden[i].narrow(0, 0, kLengths[i]), alone.hidden[0]) < 1e-5);
    CHECK(distance(row(together.last, i), alone.last) < 1e-5);
  }
}

TEST_CASE("the backward direction is a run over each sentence reversed") {
  const auto type = GENERATE(as<std::string>(), "lstm", "gru");
  torch::manual_seed(3);
  const auto cell = make_cell(type, {.d_input = 8, .d_hidden = 16});
  const Padded sentences(8);
  const auto together = cell->run_backward(sentences.x, sentences.mask);
  for (int64_t i = 0; i < 3; ++i) {
    auto state = cell->zero_state(1);
    for (int64_t t = kLengths[i] - 1; t >= 0; --t) {
      state = cell->step(cell->input_gates(sentences.x[i][t].unsqueeze(0)), state);
      CHECK(distance(together.hidden[i][t], state.hidden[0]) < 1e-5);
    }
    CHECK(distance(row(together.last, i), state) < 1e-5);
  }
}

TEST_CASE("gradients of a padded batch are those of its sentences one by one") {
  const auto type = GENERATE(as<std::string>(), "lstm", "gru");
  const bool backward = GENERATE(false, true);
  CAPTURE(type, backward);
  torch::manual_seed(4);
  const auto cell = make_cell(type, {.d_input = 8, .d_hidden = 16});
  const Padded sentences(8);
  const auto run = [&](const torch::Tensor& x, const torch::Tensor& mask) {
    return backward ? cell->run_backward(x, mask) : cell->run(x, cell->zero_state(x.size(0)), mask);
  };
  const auto loss = [](const RecurrentRun& done, const torch::Tensor& real) {
    const auto& [hidden, last] = done;
    return (hidden.pow(2).sum(-1) * real).sum() + last.hidden.sum() +
           (last.memory.defined() ? last.memory.sum() : last.hidden.sum());
  };
  const auto gradients = [&](const torch::Tensor& sum) { return torch::autograd::grad({sum}, cell->parameters()); };

  const auto together = gradients(loss(run(sentences.x, sentences.mask), sentences.mask));
  auto alone = torch::zeros({});
  for (int64_t i = 0; i < 3; ++i) alone = alone + loss(run(sentences.sentence(i), {}), torch::ones({1, kLengths[i]}));
  const auto one_by_one = gradients(alone);
  for (size_t p = 0; p < together.size(); ++p) CHECK(distance(together[p], one_by_one[p]) < 1e-4);
}

TEST_CASE("a dense LSTM with gradients runs in oneDNN, with padding and without") {
  if (!at::hasMKLDNN()) return test::skip("LibTorch without oneDNN");
  const auto cell = make_cell("lstm", {.d_input = 8, .d_hidden = 16});
  const Padded sentences(8);
  for (const auto& mask : {sentences.mask, torch::Tensor()}) {
    const auto done = cell->run(sentences.x, cell->zero_state(3), mask);
    std::set<std::string> names;
    std::vector<const torch::autograd::Node*> nodes{done.hidden.grad_fn().get()};
    while (!nodes.empty()) {
      const auto* node = nodes.back();
      nodes.pop_back();
      if (node == nullptr) continue;
      names.insert(node->name());
      for (const auto& edge : node->next_edges()) nodes.push_back(edge.function.get());
    }
    CHECK(names.count("MkldnnRnnLayerBackward0") == 1);
  }
}

TEST_CASE("under bfloat16 autocast states stay float32 and near those of float32") {
  const auto type = GENERATE(as<std::string>(), "lstm", "gru");
  torch::manual_seed(8);
  const auto cell = make_cell(type, {.d_input = 8, .d_hidden = 16});
  const Padded sentences(8);
  const auto x = sentences.x * sentences.mask.unsqueeze(-1);
  const auto exact = cell->run(x, cell->zero_state(3), sentences.mask);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  const auto dense = cell->run(x, cell->zero_state(3), sentences.mask);
  const auto step = cell->step(cell->input_gates(x.select(1, 0)), cell->zero_state(3));
  at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(at::kCPU, false);
  CHECK(dense.hidden.scalar_type() == torch::kFloat);
  CHECK(step.hidden.scalar_type() == torch::kFloat);
  CHECK(distance(dense.last, exact.last) < 0.05);
  CHECK(distance(step.hidden, exact.hidden.select(1, 0)) < 0.05);
}

TEST_CASE("a bidirectional encoder of two layers is its cells step by step, sentence by sentence") {
  const auto type = GENERATE(as<std::string>(), "lstm", "gru");
  const auto directions = GENERATE(Directions::forward, Directions::both);
  torch::manual_seed(5);
  RecurrentEncoder encoder(StackOptions{.cell = config::Choice<cells>(type), .layers = 2, .d_input = 6, .d_hidden = 8},
                           directions);
  initialize(*encoder, *config::Choice<initializations>("xavier").make());
  encoder->eval();
  const Padded sentences(6);
  const auto encoded = encoder->forward(sentences.x, sentences.mask, {});
  const auto children = encoder->named_children();
  const auto cell = [&](const std::string& name) { return std::dynamic_pointer_cast<RecurrentCell>(children[name]); };
  const auto walk = [](RecurrentCell& one, std::vector<torch::Tensor> x) {
    auto state = one.zero_state(1);
    for (auto& position : x) position = (state = one.step(one.input_gates(position), state)).hidden;
    return std::pair{x, state};
  };
  for (int64_t i = 0; i < 3; ++i) {
    std::vector<torch::Tensor> layer;
    for (int64_t t = 0; t < kLengths[i]; ++t) layer.push_back(sentences.x[i][t].unsqueeze(0));
    for (const std::string number : {"0", "1"}) {
      auto [ahead, last] = walk(*cell("forward_" + number), layer);
      if (directions == Directions::both) {
        auto [back, first] = walk(*cell("backward_" + number), {layer.rbegin(), layer.rend()});
        for (size_t t = 0; t < ahead.size(); ++t) ahead[t] = at::cat({ahead[t], back[ahead.size() - 1 - t]}, 1);
        last.hidden = at::cat({last.hidden, first.hidden}, 1);
        if (last.memory.defined()) last.memory = at::cat({last.memory, first.memory}, 1);
      }
      CHECK(distance(row(encoded.last[std::stoi(number)], i), last) < 1e-5);
      layer = ahead;
    }
    for (int64_t t = 0; t < kLengths[i]; ++t) CHECK(distance(encoded.memory[i][t], layer[t][0]) < 1e-5);
  }
}

TEST_CASE("a decoder's steps equal its run over all positions, dropout between layers on") {
  const auto type = GENERATE(as<std::string>(), "lstm", "gru");
  const bool variational = GENERATE(false, true);
  torch::manual_seed(6);
  RecurrentDecoder decoder(StackOptions{.cell = config::Choice<cells>(type),
                                        .layers = 3,
                                        .d_input = 6,
                                        .d_hidden = 8,
                                        .dropout = {.rate = 0.5, .variational = variational}});
  initialize(*decoder, *config::Choice<initializations>("xavier").make());
  number_dropout_sites(*decoder);
  const auto x = torch::randn({3, 5, 6});
  const auto noise = noise_for(3);
  const auto at_once = decoder->forward(x, decoder->zero_state(3), noise);
  auto state = decoder->zero_state(3);
  for (int64_t t = 0; t < 5; ++t) {
    state = decoder->step(decoder->lowest().input_gates(x.select(1, t)), state, noise.at(t));
    CHECK(distance(at_once.select(1, t), state.back().hidden) < 1e-5);
  }
  decoder->eval();
  CHECK(distance(at_once, decoder->forward(x, decoder->zero_state(3), noise)) > 1e-3);
}

TEST_CASE("variational dropout leaves out the same features at every position, plain dropout does not") {
  const bool variational = GENERATE(false, true);
  RecurrentDropout dropout(RecurrentDropoutOptions{.rate = 0.5, .variational = variational});
  number_dropout_sites(*dropout);
  const auto kept = dropout(torch::ones({2, 6, 32}), noise_for(2)) > 0;
  CHECK(at::equal(kept, kept.narrow(1, 0, 1).expand_as(kept)) == variational);
  CHECK_FALSE(at::equal(kept[0], kept[1]));
}

TEST_CASE("the bridge hands on the last states, zero, or tanh of a projection of them") {
  torch::manual_seed(7);
  RecurrentDecoder decoder(StackOptions{.layers = 2, .d_input = 6, .d_hidden = 8});
  const StackState last{{torch::randn({3, 8}), torch::randn({3, 8})}, {torch::randn({3, 8}), torch::randn({3, 8})}};
  SECTION("last") {
    const auto first = Bridge(BridgeKind::last, *decoder)->forward(last);
    for (size_t i = 0; i < 2; ++i) CHECK(distance(first[i], last[i]) == 0);
  }
  SECTION("zero") {
    const auto first = Bridge(BridgeKind::zero, *decoder)->forward(last);
    for (size_t i = 0; i < 2; ++i) CHECK(distance(first[i], decoder->zero_state(3)[i]) == 0);
  }
  SECTION("learned") {
    Bridge bridge(BridgeKind::learned, *decoder);
    initialize(*bridge, *config::Choice<initializations>("xavier").make());
    const auto first = bridge->forward(last);
    const auto weights = bridge->named_parameters();
    for (size_t i = 0; i < 2; ++i) {
      const auto number = std::to_string(i);
      const auto hidden = at::tanh(at::mm(last[i].hidden, weights["hidden_" + number + ".weight"].t()));
      const auto memory = at::tanh(at::mm(last[i].memory, weights["memory_" + number + ".weight"].t()));
      CHECK(distance(first[i], {hidden, memory}) < 1e-6);
    }
  }
}

TEST_CASE("a cell starts with zero biases but for the forget gate, and orthogonal recurrent weights if asked") {
  const auto lstm = config::Choice<cells>("lstm").make(
      CellOptions{.d_input = 3, .d_hidden = 5, .initialization = {.orthogonal = true, .forget_bias = 1.0}});
  lstm->initialize(*config::Choice<initializations>("xavier").make());
  CHECK(at::equal(lstm->bias_ih.detach(), at::cat({at::zeros({5}), at::ones({5}), at::zeros({10})})));
  CHECK(at::equal(lstm->bias_hh.detach(), at::zeros({20})));
  for (const auto& gate : lstm->weight_hh.detach().chunk(4)) CHECK(distance(at::mm(gate, gate.t()), at::eye(5)) < 1e-5);
  const auto gru = config::Choice<cells>("gru").make(CellOptions{.d_input = 3, .d_hidden = 5});
  gru->initialize(*config::Choice<initializations>("xavier").make());
  CHECK(gru->bias_ih.abs().max().item<double>() == 0);
  const auto gate = gru->weight_hh.detach().chunk(3).front();
  CHECK(distance(at::mm(gate, gate.t()), at::eye(5)) > 0.01);
}

TEST_CASE("parameters of cells are named and shaped as in PyTorch") {
  const auto [type, gates] = GENERATE(table<std::string, int64_t>({{"lstm", 4}, {"gru", 3}}));
  const auto cell = config::Choice<cells>(type).make(CellOptions{.d_input = 3, .d_hidden = 5});
  const auto parameters = cell->named_parameters();
  CHECK(parameters.keys() == std::vector<std::string>{"weight_ih", "weight_hh", "bias_ih", "bias_hh"});
  CHECK(parameters["weight_ih"].sizes().vec() == std::vector<int64_t>{gates * 5, 3});
  CHECK(parameters["weight_hh"].sizes().vec() == std::vector<int64_t>{gates * 5, 5});
  CHECK(parameters["bias_ih"].sizes().vec() == std::vector<int64_t>{gates * 5});
  CHECK(cell->multiply_adds() == static_cast<double>(gates * 5 * (3 + 5)));
}
