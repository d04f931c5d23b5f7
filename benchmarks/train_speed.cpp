// train_speed CONFIG: how fast a configuration trains here, and what its matrix products alone would allow.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <filesystem>
#include <utility>

#include "benchmarks/machine.h"
#include "libtr/experiment/environment.h"
#include "libtr/experiment/result.h"
#include "libtr/experiment/train_run.h"

namespace tr::benchmarks {
namespace {

using config::Json;

struct Arguments {
  std::string config;
  std::vector<std::string> overrides;
  int64_t updates = 200, warm_up = 20, threads = 0;
};

constexpr int64_t kWindows = 10;

/// Rates of windows of updates, without the first ones, in which caches and buffers fill.
class Windows : public train::TrainListener {
 public:
  explicit Windows(int64_t warm_up) : warm_up_(warm_up) {}

  void update_logged(const train::UpdateLogged& event) override {
    const auto before = std::exchange(last_, event.position);
    if (before.update < warm_up_) return;
    rates_.push_back(event.target_tokens_per_second);
    parts_ += event.parts;
    tokens_ += event.position.target_tokens - before.target_tokens;
  }

  const std::vector<double>& rates() const { return rates_; }
  const train::PartTimes& parts() const { return parts_; }
  double tokens_per_update() const { return static_cast<double>(tokens_) / static_cast<double>(parts_.updates); }

 private:
  int64_t warm_up_, tokens_ = 0;
  train::Position last_;
  std::vector<double> rates_;
  train::PartTimes parts_;
};

/// What training writes lies here and is removed in the end.
class ScratchFolder {
 public:
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_ = std::filesystem::temp_directory_path() / ("train_speed-" + std::to_string(::getpid()));
};

/// The configuration, with nothing but updates in the time that is measured.
experiment::RunOptions options_of(const Arguments& arguments) {
  auto overrides = arguments.overrides;
  const auto set = [&](const std::string& path, int64_t value) {
    overrides.push_back(path + "=" + std::to_string(value));
  };
  const int64_t window = std::max<int64_t>(1, arguments.updates / kWindows),
                all = arguments.warm_up + arguments.updates;
  set("/threads", arguments.threads);
  set("/train/budget/updates", all);
  set("/train/valid_every", all + 1);
  set("/train/checkpoint_every", all + 1);
  set("/train/log_every", window);
  return experiment::read_run_options(config::load(arguments.config, overrides));
}

Json shares(const train::PartTimes& parts, double seconds_per_update) {
  const auto share = [&](double seconds) { return seconds / static_cast<double>(parts.updates) / seconds_per_update; };
  const double known = parts.data + parts.forward + parts.loss + parts.backward + parts.optimizer;
  return {{"data", share(parts.data)},         {"forward", share(parts.forward)},     {"loss", share(parts.loss)},
          {"backward", share(parts.backward)}, {"optimizer", share(parts.optimizer)}, {"waiting", 1 - share(known)}};
}

Json measure(const Arguments& arguments) {
  const experiment::RunOptions options = options_of(arguments);
  const train::Runtime runtime = train::set_up_runtime(options.runtime());
  const double rate_before = product_rate();
  const ScratchFolder run;
  experiment::Material material =
      experiment::make_material(options, experiment::read_inputs(options), run.path() / "tokenizer");
  const auto models = experiment::new_models(options, material.vocabularies(), runtime);
  train::Trainer trainer({.model = models.front().get(),
                          .copies = experiment::copies_among(models),
                          .training_set = &material.training,
                          .validation = material.validation.evaluator.get(),
                          .tokenizers = &material.tokenizers,
                          .config = config::write_value(options),
                          .run = run.path().string(),
                          .options = options.train,
                          .decoding = options.decode,
                          .seed = static_cast<uint64_t>(options.seed),
                          .precision = options.precision});
  Windows windows(arguments.warm_up);
  const std::atomic<bool> never = false;
  trainer.run(windows, never);
  const double rate = (rate_before + product_rate()) / 2;
  const Json rates = spread(windows.rates());
  const double median = rates["median"];
  const double work = 6 * experiment::multiply_adds_per_target_token(*models.front(), material.training.examples());
  return {{"config", arguments.config},
          {"parameters", experiment::count_parameters(*models.front())},
          {"updates", windows.parts().updates},
          {"target_tokens_per_update", windows.tokens_per_update()},
          {"target_tokens_per_second", rates},
          {"product_flop_per_target_token", work},
          {"product_flop_per_second_1024", rate},
          {"share_of_product_rate", work * median / rate},
          {"shares_of_time", shares(windows.parts(), windows.tokens_per_update() / median)},
          {"peak_memory_bytes", peak_memory()},
          {"environment", experiment::environment(options, runtime)}};
}

}  // namespace
}  // namespace tr::benchmarks

int main(int argc, char** argv) {
  using tr::benchmarks::Arguments;
  Arguments arguments;
  CLI::App app("Trains a configuration for some updates and prints its speed as JSON", "train_speed");
  app.add_option("CONFIG", arguments.config, "configuration file")->required();
  app.add_option("--updates", arguments.updates, "that are measured, in windows of a tenth")->capture_default_str();
  app.add_option("--warm-up", arguments.warm_up, "updates before them")->capture_default_str();
  app.add_option("--threads", arguments.threads, "0: one a core")->capture_default_str();
  app.add_option("--set", arguments.overrides, "/path=value: change one value of the configuration; may be repeated");
  CLI11_PARSE(app, argc, argv);
  return tr::benchmarks::run_benchmark([&] { return tr::benchmarks::measure(arguments); });
}
