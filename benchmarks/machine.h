// What every benchmark measures of the machine in the same run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "libtr/config/value.h"

namespace tr::benchmarks {

/// Rate of a 1024 x 1024 x 1024 float32 product on all threads of this process, in FLOP a second: median of several.
double product_rate();

/// Highest memory use of this process so far, in bytes.
int64_t peak_memory();

/// {"median", "least", "most"}; values are not empty.
config::Json spread(std::vector<double> values);

/// Runs a benchmark's `body`, prints what it returns as JSON and turns errors into one line; the exit status.
int run_benchmark(const std::function<config::Json()>& body);

}  // namespace tr::benchmarks
