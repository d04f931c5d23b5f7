// What the subcommands share.
#include "apps/commands.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <iterator>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/data/text.h"

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
  command.add_option("CONFIG", arguments->config, config_description)->required();
  command.add_option("--run", arguments->folder, "folder to leave everything in; must not exist unless --resume")
      ->required();
  add_overrides(command, arguments->overrides);
  command.add_flag("--resume", arguments->resume, "go on where an earlier call stopped; finished parts are kept");
  return arguments;
}

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_option("--set", overrides, "/path=value: change one value of the configuration; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::vector<std::string> read_input(const std::string& file) {
  if (!file.empty()) return data::read_lines(file);
  const std::string text((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
  return data::split_lines(text, "standard input");
}

void write_output(const std::string& file, const std::string& text) {
  if (!file.empty()) {
    write_file(file, text);
    return;
  }
  std::cout << text << std::flush;
  if (!std::cout) throw DataError("standard output", "cannot be written");
}

}  // namespace tr::apps
