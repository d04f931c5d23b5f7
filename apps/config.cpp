// libtr config CONFIG: the configuration that would run, all defaults filled in.
#include <cstdio>

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
  if (!output.quiet) {
    for (const auto& note : document.notes) std::fprintf(stderr, "%s\n", note.c_str());
  }
  write_output("", config::json_text(config::write_value(experiment::read_run_options(document))));
}

}  // namespace

void add_config(CLI::App& app, const OutputOptions& output) {
  CLI::App* command = subcommand(app, "config", "print the resolved configuration, all defaults filled in", output);
  auto arguments = std::make_shared<ConfigArguments>();
  command->add_option("CONFIG", arguments->config, "configuration file")->required();
  add_overrides(*command, arguments->overrides);
  command->callback([arguments, output] { show(*arguments, *output); });
}

void add_schema(CLI::App& app, const OutputOptions& output) {
  CLI::App* command = subcommand(app, "schema", "print the JSON Schema of a configuration", output);
  command->callback([] { write_output("", config::json_text(experiment::configuration_schema())); });
}

}  // namespace tr::apps
