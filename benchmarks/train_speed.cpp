// train_speed CONFIG: how fast a configuration trains here, and how much of what its matrix products alone would allow.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "benchmarks/benchmark.h"
#include "libtr/base/error.h"
#include "libtr/experiment/environment.h"
#include "libtr/experiment/result.h"
#include "libtr/experiment/train_run.h"

namespace tr::benchmarks {
namespace {

using config::Json;

struct Arguments {
  std::string config;
  std::vector<std::string> overrides;
  int64_t updates = 200, warm_up = 20, threads = -1;

  int64_t window() const { return std::max<int64_t>(1, updates / 10); }
  int64_t windows() const { return updates / window(); }
  int64_t windows_before() const { return (warm_up + window() - 1) / window(); }
};

/// What training writes lies here and is removed in the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "train_speed-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw DataError(name, "cannot be made");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Speed of windows of updates; the first ones, in which caches and buffers fill, do not count.
class Windows : public train::TrainListener {
 public:
  explicit Windows(int64_t uncounted) : uncounted_(uncounted) {}

  void update_logged(const train::UpdateLogged& event) override {
    const auto before = std::exchange(last_, event);
    peak_memory_ = peak_memory();
    if (uncounted_-- > 0) return;
    rates_.push_back(event.target_tokens_per_second);
    phases_ += event.phases;
    tokens_ += event.position.target_tokens - before.position.target_tokens;
    seconds_ += event.times.train - before.times.train;
  }

  Json result() const {
    Json rates = spread(rates_);
    rates["mean"] = static_cast<double>(tokens_) / seconds_;
    const auto share = [this](double seconds) { return seconds / seconds_; };
    const double known = phases_.data + phases_.forward + phases_.loss + phases_.backward + phases_.optimizer;
    return {{"updates", phases_.updates},
            {"target_tokens_per_update", static_cast<double>(tokens_) / static_cast<double>(phases_.updates)},
            {"target_tokens_per_second", rates},
            {"shares_of_time",
             {{"data", share(phases_.data)},
              {"forward", share(phases_.forward)},
              {"loss", share(phases_.loss)},
              {"backward", share(phases_.backward)},
              {"optimizer", share(phases_.optimizer)},
              {"rest", 1 - share(known)}}},
            {"peak_memory_bytes", peak_memory_}};
  }

 private:
  int64_t uncounted_, tokens_ = 0, peak_memory_ = 0;
  double seconds_ = 0;
  train::UpdateLogged last_;
  std::vector<double> rates_;
  train::PhaseTimes phases_;
};

/// The configuration, with nothing but updates in the time that is measured; what the caller sets wins.
experiment::RunOptions options_of(const Arguments& arguments) {
  const int64_t updates = (arguments.windows_before() + arguments.windows()) * arguments.window();
  std::vector<std::string> overrides{"/train/valid_decoding=none", "/train/best_metric=nll",
                                     "/train/averaging/type=none"};
  const auto set = [&](const std::string& path, int64_t value) {
    overrides.push_back(path + "=" + std::to_string(value));
  };
  set("/train/budget/updates", updates);
  set("/train/valid_every", updates + 1);
  set("/train/checkpoint_every", updates + 1);
  set("/train/log_every", arguments.window());
  if (arguments.threads >= 0) set("/threads", arguments.threads);
  overrides.insert(overrides.end(), arguments.overrides.begin(), arguments.overrides.end());
  return experiment::read_run_options(config::load(arguments.config, overrides));
}

Json measure(const Arguments& arguments) {
  const experiment::RunOptions options = options_of(arguments);
  const train::Runtime runtime = train::set_up_runtime(options.runtime());
  const double rate_before = product_rate();
  const ScratchFolder run;
  experiment::Material material =
      experiment::make_material(options, experiment::read_inputs(options), run.path() / "tokenizer");
  const auto models = experiment::new_models(options, material.vocabularies(), runtime);
  train::Trainer trainer(experiment::train_setup(options, material, models, run.path()));
  Windows windows(arguments.windows_before());
  const std::atomic<bool> never = false;
  const auto training = trainer.run(windows, never);
  if (training.outcome != train::Outcome::finished) throw DataError(arguments.config, training.reason);

  Json result = {{"config", arguments.config}, {"parameters", experiment::count_parameters(*models.front())}};
  result.update(windows.result());
  if (runtime.device.is_cpu()) {
    // A multiply-add is two operations, and the gradients of a product are two products of its size.
    const double work =
        2 * 3 * experiment::multiply_adds_per_target_token(*models.front(), material.training.examples());
    const double rate = (rate_before + product_rate()) / 2, speed = result["target_tokens_per_second"]["median"];
    result["product_flop_per_target_token"] = work;
    result["product_flop_per_second_1024"] = rate;
    result["share_of_product_rate"] = work * speed / rate;
  }
  result["environment"] = experiment::environment(options, runtime);
  return result;
}

}  // namespace
}  // namespace tr::benchmarks

int main(int argc, char** argv) {
  tr::benchmarks::Arguments arguments;
  CLI::App app("Trains a configuration for some updates and prints its speed as JSON", "train_speed");
  app.add_option("CONFIG", arguments.config, "configuration file")->required();
  app.add_option("--updates", arguments.updates, "that are measured, in ten windows")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--warm-up", arguments.warm_up, "updates before them, in whole windows")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--threads", arguments.threads, "0: one a core; default: what the configuration says")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--set", arguments.overrides, "/path=value: change one value of the configuration; may be repeated");
  return tr::benchmarks::run_benchmark(app, argc, argv, [&] { return tr::benchmarks::measure(arguments); });
}
