#include "libtr/experiment/interrupt.h"

#include <csignal>

namespace tr::experiment {
namespace {

void on_signal(int signal) {
  stop_requested().store(true);
  std::signal(signal, SIG_DFL);  // the next one is not waited for
}

}  // namespace

std::atomic<bool>& stop_requested() {
  static std::atomic<bool> requested{false};
  return requested;
}

void catch_stop_signals() {
  stop_requested();  // made before a signal handler needs it
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

}  // namespace tr::experiment
