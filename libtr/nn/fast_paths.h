// The switch between own kernels and the stock operations that they are checked against.
#pragma once

namespace tr::nn {

/// Whether own kernels compute attention, the attention of decoding steps, products of linear layers, the output layer
/// with its loss and the best tokens of a search. One switch for the process, on until told otherwise. Off, their plain
/// twins of stock operations compute, as they do anyway for what a kernel does not serve: other devices, float64.
bool fast_paths();
void set_fast_paths(bool on);

}  // namespace tr::nn
