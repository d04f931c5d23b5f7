// What the speed programs share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "libtr/config/value.h"

namespace tr::benchmarks {

/// Rate of a 1024 x 1024 x 1024 float32 product on the threads of this process, in FLOP a second: median of several.
double product_rate();

/// Highest memory use of this process so far, in bytes.
int64_t peak_memory();

/// {"median", "least", "most"} of one value or more.
config::Json spread(std::vector<double> values);

/// Parses the command line, prints what `measure` returns as JSON and turns every error into one line; the exit status
/// is that of libtr.
int run_benchmark(CLI::App& app, int argc, char** argv, const std::function<config::Json()>& measure);

}  // namespace tr::benchmarks
