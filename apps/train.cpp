// libtr train CONFIG --run DIR: trains one model.
#include "apps/commands.h"
#include "libtr/base/error.h"
#include "libtr/experiment/interrupt.h"
#include "libtr/experiment/train_run.h"
#include "libtr/report/table.h"

namespace tr::apps {
namespace {

void train(const RunArguments& arguments, const Output& output) {
  experiment::catch_stop_signals();
  const config::Document document = config::load(arguments.config, arguments.overrides);
  const experiment::RunOptions options = experiment::read_run_options(document);
  print_notes(document.notes, output);
  const auto resume = arguments.resume ? experiment::Resume::yes : experiment::Resume::no;
  const config::Json result = experiment::train_alone(options, arguments.folder, resume, output.quiet);
  write_output("", output.json ? config::json_text(result) : report::table(result));
  if (result["diverged"] == true) throw DataError("training", result["diagnosis"].get<std::string>());
}

}  // namespace

void add_train(CLI::App& app, const OutputOptions& output) {
  CLI::App* command = subcommand(app, "train", "train one model", output);
  const auto arguments = add_run_arguments(*command, "configuration file");
  command->callback([arguments, output] { train(*arguments, *output); });
}

}  // namespace tr::apps
