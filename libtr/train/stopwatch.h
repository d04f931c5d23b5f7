// Time of a run by the steady clock, and processor time.
#pragma once

#include <sys/resource.h>

#include <chrono>

namespace tr::train {

/// Adds the seconds of its life to `seconds`.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// What `work` returns; its seconds are added to `seconds`.
template <class Work>
auto timed(double& seconds, const Work& work) {
  const Stopwatch stopwatch(seconds);
  return work();
}

/// Seconds that all threads of this process have computed so far.
inline double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace tr::train
