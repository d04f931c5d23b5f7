// libtr train CONFIG --run DIR: trains one model.
#include "apps/commands.h"
#include "libtr/base/error.h"
#include "libtr/experiment/interrupt.h"
#include "libtr/experiment/train_run.h"
#include "libtr/report/table.h"

namespace tr::apps {
namespace {

void train(const RunArguments& arguments, bool profile, const Output& output) {
  experiment::catch_stop_signals();
  const config::Document document = config::load(arguments.config, arguments.overrides);
  const experiment::RunOptions options = experiment::read_run_options(document);
  print_notes(document.notes, output);
  const auto resume = arguments.resume ? experiment::Resume::yes : experiment::Resume::no;
  const experiment::Display display{.quiet = output.quiet, .profile = profile};
  const config::Json result = experiment::train_alone(options, arguments.folder, resume, display);
  write_output("", output.json ? config::json_text(result) : report::table(result));
  if (result["diverged"] == true) throw DataError("training", result["diagnosis"].get<std::string>());
}

}  // namespace

void add_train(CLI::App& app, const OutputOptions& output) {
  CLI::App* command = subcommand(app, "train", "train one model", output);
  const auto arguments = add_run_arguments(*command, "configuration file");
  const auto profile = std::make_shared<bool>(false);
  command->add_flag("--profile", *profile, "leave RUN/profile.json: where the time of updates goes");
  command->callback([=] { train(*arguments, *profile, *output); });
}

}  // namespace tr::apps
