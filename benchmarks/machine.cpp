#include "benchmarks/machine.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>

#include "libtr/base/error.h"
#include "libtr/config/json_text.h"

namespace tr::benchmarks {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

double product_rate() {
  constexpr int64_t kSize = 1024;
  constexpr int kTimes = 25;
  const auto a = at::randn({kSize, kSize}), b = at::randn({kSize, kSize});
  auto c = at::empty({kSize, kSize});
  at::mm_out(c, a, b);
  std::vector<double> rates;
  for (int i = 0; i < kTimes; ++i) {
    const auto start = std::chrono::steady_clock::now();
    at::mm_out(c, a, b);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    rates.push_back(2.0 * kSize * kSize * kSize / seconds.count());
  }
  return median(rates);
}

int64_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return int64_t{1024} * usage.ru_maxrss;
}

config::Json spread(std::vector<double> values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {{"median", median(values)}, {"least", *least}, {"most", *most}};
}

int run_benchmark(const std::function<config::Json()>& body) {
  try {
    std::fputs(config::json_text(body()).c_str(), stdout);
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return error.exit_status();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}

}  // namespace tr::benchmarks
