#include "benchmarks/benchmark.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "libtr/base/error.h"
#include "libtr/config/json_text.h"
#include "libtr/experiment/cli.h"

namespace tr::benchmarks {

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
  return spread(rates)["median"];
}

int64_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return int64_t{1024} * usage.ru_maxrss;
}

config::Json spread(std::vector<double> values) {
  if (values.empty()) throw DataError("benchmark", "nothing was measured");
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {{"median", median}, {"least", values.front()}, {"most", values.back()}};
}

int run_benchmark(CLI::App& app, int argc, char** argv, const std::function<config::Json()>& measure) {
  return exit_status_of([&] {
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& help) {
      return app.exit(help);
    } catch (const CLI::ParseError& error) {
      throw UsageError(app.get_name(), std::string(error.what()) + "; see " + app.get_name() + " --help");
    }
    std::fputs(config::json_text(measure()).c_str(), stdout);
    return 0;
  });
}

}  // namespace tr::benchmarks
