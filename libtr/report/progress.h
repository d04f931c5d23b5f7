// What a person sees while a run trains: a bar with the time left on a terminal, plain lines otherwise.
#pragma once

#include <chrono>
#include <string>

#include "libtr/train/listener.h"

namespace tr::report {

/// Writes to standard error. On a terminal the state of the run is one line that is redrawn; validations and the end
/// stay as lines of their own.
class Progress : public train::TrainListener {
 public:
  /// `label` stands before every line, such as "transformer, seed 1"; may be empty.
  explicit Progress(std::string label);
  ~Progress() override;

  void run_started(const train::RunStarted& event) override;
  void update_logged(const train::UpdateLogged& event) override;
  void validated(const train::Validated& event) override;
  void tested(const train::Tested& event) override;
  void run_ended(const train::RunEnded& event) override;

 private:
  void line(const std::string& text);
  void clear_bar();

  std::string label_;
  bool terminal_;
  bool bar_shown_ = false;
  double first_fraction_ = 0;
  std::chrono::steady_clock::time_point started_;
};

/// "1:02:03", "2:03"
std::string clock_text(double seconds);

}  // namespace tr::report
