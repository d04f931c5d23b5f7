// decode_speed RUN FILE: how fast a trained model translates a file here, from lines to ids: source tokens are cut in
// the time that is measured, loading and joining the output's tokens are not.
#include <chrono>

#include "benchmarks/benchmark.h"
#include "libtr/data/text.h"
#include "libtr/experiment/environment.h"
#include "libtr/experiment/saved_model.h"

namespace tr::benchmarks {
namespace {

using config::Json;

struct Arguments {
  std::string run, file;
  std::vector<std::string> overrides;
  std::vector<int64_t> beams = {1, 5};
  int64_t times = 3;
};

/// Rates over several passes, after one that does not count.
Json measure_beam(const experiment::SavedModel& saved, const std::vector<std::string>& lines, int64_t beam,
                  int64_t times) {
  decode::DecodeOptions decoding = saved.options.decode;
  decoding.search = config::Choice<decode::searches>("beam");
  decoding.beam = beam;
  decoding.n_best = 1;
  std::vector<double> sentences, tokens;
  int64_t said = 0;
  for (int64_t pass = 0; pass <= times; ++pass) {
    const auto start = std::chrono::steady_clock::now();
    const auto translations = saved.translate(lines, decoding);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (pass == 0) continue;
    said = 0;
    for (const auto& hypotheses : translations) said += std::ssize(hypotheses.front().ids) + 1;  // and eos
    sentences.push_back(static_cast<double>(lines.size()) / seconds.count());
    tokens.push_back(static_cast<double>(said) / seconds.count());
  }
  return {{"beam", beam},
          {"output_tokens", said},
          {"sentences_per_second", spread(sentences)},
          {"output_tokens_per_second", spread(tokens)}};
}

Json measure(const Arguments& arguments) {
  const experiment::SavedModel saved = experiment::load_model(arguments.run, arguments.overrides);
  const auto lines = data::read_lines(arguments.file);
  Json beams = Json::array();
  for (const int64_t beam : arguments.beams) beams.push_back(measure_beam(saved, lines, beam, arguments.times));
  return {{"checkpoint", saved.checkpoint.string()},
          {"file", arguments.file},
          {"sentences", lines.size()},
          {"beams", beams},
          {"product_flop_per_second_1024", product_rate()},
          {"peak_memory_bytes", peak_memory()},
          {"environment", experiment::environment(saved.options, saved.runtime)}};
}

}  // namespace
}  // namespace tr::benchmarks

int main(int argc, char** argv) {
  tr::benchmarks::Arguments arguments;
  CLI::App app("Translates a file several times and prints the speed as JSON", "decode_speed");
  app.add_option("RUN", arguments.run, "run folder or checkpoint")->required();
  app.add_option("FILE", arguments.file, "source lines, .gz allowed")->required();
  app.add_option("--beam", arguments.beams, "widths to measure")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--times", arguments.times, "passes that count")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--set", arguments.overrides, "/path=value: change one value of the run's settings; may be repeated");
  return tr::benchmarks::run_benchmark(app, argc, argv, [&] { return tr::benchmarks::measure(arguments); });
}
