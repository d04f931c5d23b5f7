// Between modules and lists of named tensors.
#pragma once

#include <torch/nn/module.h>

#include "libtr/io/safetensors.h"

namespace tr::io {

/// Parameters and buffers under their names in the module, in its order. A tensor that is registered under several
/// names is listed once, under the first. They share memory with the module.
NamedTensors parameters_of(const torch::nn::Module& module);

/// Copies values into the module. Names and shapes must match exactly; a DataError at `where` (the file that they come
/// from) lists what is missing, unexpected or of another shape, and then nothing was copied.
void load_parameters(torch::nn::Module& module, const NamedTensors& tensors, const std::string& where);

}  // namespace tr::io
