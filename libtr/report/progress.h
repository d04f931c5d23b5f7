// What a person sees while a run trains or decodes: a bar with the time left on a terminal, plain lines otherwise.
#pragma once

#include <chrono>
#include <string>

#include "libtr/train/listener.h"

namespace tr::report {

/// Standard error: lines that stay, and on a terminal below them one that is redrawn and in the end removed.
class StatusLine {
 public:
  /// `label` stands before everything.
  explicit StatusLine(std::string label);
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool on_terminal() const { return terminal_; }
  void line(const std::string& text);
  /// A bar and `text` in the line that is redrawn; without a terminal a plain line.
  void state(double fraction, const std::string& text);
  /// Removes the line that is redrawn.
  void clear();

 private:
  std::string label_;
  bool terminal_;
  bool shown_ = false;
};

/// How many sentences a search has done, until all are. Without a terminal there is a line every ten seconds.
class DecodingProgress {
 public:
  /// `quiet`: nothing is shown.
  DecodingProgress(int64_t sentences, bool quiet);
  /// 0 says that the search begins now, if other work came before it: the time left is reckoned from here.
  void done(int64_t sentences);

 private:
  StatusLine status_;
  int64_t sentences_;
  bool quiet_;
  std::chrono::steady_clock::time_point started_, shown_;
};

/// Writes to standard error. On a terminal the state of the run is one line that is redrawn; validations and the end
/// stay as lines of their own.
class Progress : public train::TrainListener {
 public:
  /// `label` stands before every line, such as "transformer, seed 1"; may be empty. `model` is the type that trains.
  Progress(const std::string& label, std::string model);

  void run_started(const train::RunStarted& event) override;
  void update_logged(const train::UpdateLogged& event) override;
  void validated(const train::Validated& event) override;
  void tested(const train::Tested& event) override;
  void run_ended(const train::RunEnded& event) override;

 private:
  StatusLine status_;
  std::string model_;
  double first_fraction_ = 0;
  std::chrono::steady_clock::time_point started_;
};

/// "1:02:03", "2:03"
std::string clock_text(double seconds);

}  // namespace tr::report
