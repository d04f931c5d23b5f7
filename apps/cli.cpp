// The command line: finds the command and runs it.
#include "libtr/experiment/cli.h"

#include <clocale>

#include "apps/commands.h"
#include "libtr/base/version.h"

namespace tr {
namespace {

void add_commands(CLI::App& app, const apps::OutputOptions& output) {
  using Add = void (*)(CLI::App&, const apps::OutputOptions&);
  constexpr Add kCommands[] = {apps::add_train,      apps::add_compare, apps::add_translate, apps::add_evaluate,
                               apps::add_score,      apps::add_export,  apps::add_config,    apps::add_schema,
                               apps::add_components, apps::add_corpus,  apps::add_tokenizer, apps::add_report};
  for (const Add add : kCommands) add(app, output);
}

}  // namespace

int run_cli(int argc, char** argv) {
  std::setlocale(LC_ALL, "C");
  CLI::App app("Sequence models on LibTorch, compared under identical conditions", "libtr");
  app.set_version_flag("--version", std::string("libtr ") + version() + " (" + git_revision() + ")");
  app.require_subcommand(1);
  add_commands(app, std::make_shared<apps::Output>());
  return exit_status_of([&] { return apps::parse_and_run(app, {argv + 1, argv + argc}); });
}

}  // namespace tr
