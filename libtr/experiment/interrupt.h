// SIGINT and SIGTERM ask a run to stop: the update in progress is finished and saved.
#pragma once

#include <atomic>
#include <stdexcept>

namespace tr::experiment {

/// Set by the first signal; a second one ends the process at once.
std::atomic<bool>& stop_requested();

/// To be called once by a program that trains.
void catch_stop_signals();

/// A run stopped on request and saved its state: exit status 130.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tr::experiment
