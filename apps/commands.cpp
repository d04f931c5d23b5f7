// What the subcommands share.
#include "apps/commands.h"

namespace tr::apps {

CLI::App* subcommand(CLI::App& app, const std::string& name, const std::string& description,
                     const OutputOptions& output) {
  CLI::App* command = app.add_subcommand(name, description);
  command->add_flag("--quiet", output->quiet, "errors alone on standard error: no progress, notes, warnings");
  command->add_flag("--json", output->json, "results as JSON where the default is a table or text");
  return command;
}

std::shared_ptr<RunArguments> add_run_arguments(CLI::App& command, const std::string& config_description) {
  auto arguments = std::make_shared<RunArguments>();
  add_path(command, "CONFIG", arguments->config, config_description);
  add_path(command, "--run", arguments->folder, "folder to leave everything in; a new one unless --resume");
  add_overrides(command, arguments->overrides);
  command.add_flag("--resume", arguments->resume, "go on where an earlier call stopped; finished parts are kept");
  return arguments;
}

CLI::Option* add_path(CLI::App& command, const std::string& name, std::string& path, const std::string& description) {
  const auto check = [](const std::string& given) { return std::string(given.empty() ? "got an empty name" : ""); };
  return command.add_option(name, path, description)->required()->check(check);
}

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_option("--set", overrides, "/path=value: change one value of the configuration; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace tr::apps
