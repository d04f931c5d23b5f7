#include "libtr/report/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "libtr/base/format.h"

namespace tr::report {
namespace {

constexpr int kBarWidth = 24;

std::string bar(double fraction) {
  const int full = static_cast<int>(std::floor(fraction * kBarWidth));
  return format("[{:#<{}}{:.<{}}]", "", full, "", kBarWidth - full);
}

}  // namespace

std::string clock_text(double seconds) {
  const auto whole = static_cast<int64_t>(std::llround(std::max(0.0, seconds)));
  if (whole >= 3600) return format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return format("{}:{:02}", whole / 60, whole % 60);
}

StatusLine::StatusLine(std::string label) : label_(std::move(label)), terminal_(::isatty(STDERR_FILENO) == 1) {}

StatusLine::~StatusLine() { clear(); }

void StatusLine::clear() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
  shown_ = false;
}

void StatusLine::line(const std::string& text) {
  clear();
  std::fputs((label_ + text + "\n").c_str(), stderr);
}

void StatusLine::state(double fraction, const std::string& text) {
  if (!terminal_) {
    line(text);
    return;
  }
  std::fputs(("\r\x1b[K" + label_ + bar(fraction) + text).c_str(), stderr);
  shown_ = true;
}

DecodingProgress::DecodingProgress(int64_t sentences, bool quiet)
    : status_(""), sentences_(sentences), quiet_(quiet), started_(std::chrono::steady_clock::now()), shown_(started_) {}

void DecodingProgress::done(int64_t sentences) {
  if (quiet_) return;
  if (sentences == sentences_) return status_.clear();
  const auto now = std::chrono::steady_clock::now();
  if (sentences == 0) {
    started_ = shown_ = now;
    return;
  }
  if (!status_.on_terminal() && now - shown_ < std::chrono::seconds(10)) return;
  shown_ = now;
  const double fraction = static_cast<double>(sentences) / static_cast<double>(sentences_);
  const double passed = std::chrono::duration<double>(now - started_).count();
  status_.state(fraction, format("{:3.0f} %, {} of {} sentences, {} left", 100 * fraction, sentences, sentences_,
                                 clock_text(passed * (1 - fraction) / fraction)));
}

Progress::Progress(const std::string& label, std::string model)
    : status_(label.empty() ? "" : label + ": "), model_(std::move(model)) {}

void Progress::run_started(const train::RunStarted& event) {
  started_ = std::chrono::steady_clock::now();
  first_fraction_ = event.position.fraction;
  status_.line(format("{} with {} parameters, {} training pairs, budget {}{}", model_, event.parameters,
                      event.training_pairs, event.budget,
                      event.resumed ? format(", resumed at update {}", event.position.update) : std::string()));
  for (const auto& note : event.notes) status_.line(note);
}

void Progress::update_logged(const train::UpdateLogged& event) {
  const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  const double fraction = std::clamp(event.position.fraction, 0.0, 1.0);
  const double done = fraction - first_fraction_;
  const std::string left = done > 0 ? clock_text(passed * (1 - fraction) / done) : "?";
  status_.state(fraction, format("{:3.0f} %, update {}, loss {:.3f}, {:.0f} tokens/s, padding {:.1f} %, {} left",
                                 100 * fraction, event.position.update, event.loss, event.target_tokens_per_second,
                                 100 * event.padding_share, left));
}

void Progress::validated(const train::Validated& event) {
  std::string scores;
  if (event.evaluation.decoded) scores = format(", BLEU {:.2f}", event.evaluation.decoded->bleu);
  status_.line(format("update {}: validation perplexity {:.3f}, accuracy {:.3f}{}{}{}", event.position.update,
                      event.evaluation.perplexity, event.evaluation.accuracy, scores,
                      event.averaged ? ", averaged" : "", event.best ? ", new best" : ""));
}

void Progress::tested(const train::Tested& event) {
  std::string scores;
  if (event.evaluation.decoded) {
    scores = format(", BLEU {:.2f}, chrF {:.2f}", event.evaluation.decoded->bleu, event.evaluation.decoded->chrf);
  }
  status_.line(format("{}: perplexity {:.3f}{}", event.name, event.evaluation.perplexity, scores));
}

void Progress::run_ended(const train::RunEnded& event) {
  status_.line(format("{} after {} updates, {} of training", event.reason, event.position.update,
                      clock_text(event.times.train)));
}

}  // namespace tr::report
