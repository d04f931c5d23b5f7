#include "libtr/experiment/environment.h"

#include <ATen/Version.h>
#include <torch/version.h>

#include <fstream>

#include "libtr/base/version.h"

namespace tr::experiment {
namespace {

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace

config::Json environment(const RunOptions& options, const train::Runtime& runtime) {
  return {{"libtr", version()},
          {"git_revision", git_revision()},
          {"libtorch", TORCH_VERSION},
          {"cpu", cpu_name()},
          {"cpu_capability", at::get_cpu_capability()},
          {"threads", runtime.threads},
          {"workers", options.workers(runtime)},
          {"precision", config::write_value(options.precision)},
          {"device", runtime.device.str()}};
}

}  // namespace tr::experiment
