// libtr compare EXPERIMENT --run DIR: trains several models under identical conditions.
#include "libtr/experiment/compare.h"

#include "apps/commands.h"
#include "libtr/base/error.h"
#include "libtr/experiment/interrupt.h"
#include "libtr/report/table.h"

namespace tr::apps {
namespace {

void compare(const RunArguments& arguments, const Output& output) {
  experiment::catch_stop_signals();
  const experiment::Experiment experiment = experiment::load_experiment(arguments.config, arguments.overrides);
  print_notes(experiment.notes, output);
  const auto resume = arguments.resume ? experiment::Resume::yes : experiment::Resume::no;
  const config::Json result = experiment::compare(experiment, arguments.folder, resume, output.quiet);
  write_output("", output.json ? config::json_text(result) : report::table(result));
  for (const config::Json& model : result["models"]) {
    for (const config::Json& run : model["runs"]) {
      if (run["diverged"] != true) continue;
      throw DataError(model["name"].get<std::string>(), run["diagnosis"].get<std::string>());
    }
  }
}

}  // namespace

void add_compare(CLI::App& app, const OutputOptions& output) {
  CLI::App* command = subcommand(app, "compare", "train several models under identical conditions", output);
  const auto arguments = add_run_arguments(*command, "experiment file: {\"name\", \"base\", \"models\", \"seeds\"}");
  command->callback([arguments, output] { compare(*arguments, *output); });
}

}  // namespace tr::apps
