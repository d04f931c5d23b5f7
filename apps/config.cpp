// libtr config CONFIG: the configuration that would run, all defaults filled in.
#include "apps/commands.h"
#include "libtr/experiment/options.h"

namespace tr::apps {
namespace {

struct ConfigArguments {
  std::string config;
  std::vector<std::string> overrides;
};

void show(const ConfigArguments& arguments, const Output& output) {
  const config::Document document = config::load(arguments.config, arguments.overrides);
  print_notes(document.notes, output);
  write_output("", config::json_text(config::write_value(experiment::read_run_options(document))));
}

}  // namespace

void add_config(CLI::App& app, const OutputOptions& output) {
  CLI::App* command = subcommand(app, "config", "print the resolved configuration, all defaults filled in", output);
  auto arguments = std::make_shared<ConfigArguments>();
  add_path(*command, "CONFIG", arguments->config, "configuration file");
  add_overrides(*command, arguments->overrides);
  command->callback([arguments, output] { show(*arguments, *output); });
}

void add_schema(CLI::App& app, const OutputOptions& output) {
  CLI::App* command = subcommand(app, "schema", "print the JSON Schema of a configuration", output);
  command->callback([] { write_output("", config::json_text(experiment::configuration_schema())); });
}

}  // namespace tr::apps
