// The command line: finds the command, runs it, turns every error into one line and an exit status.
#include "libtr/experiment/cli.h"

#include <c10/util/Exception.h>

#include <cctype>
#include <clocale>
#include <cstdio>
#include <new>

#include "apps/commands.h"
#include "libtr/base/error.h"
#include "libtr/base/nearest.h"
#include "libtr/base/version.h"
#include "libtr/experiment/interrupt.h"

namespace tr {
namespace {

constexpr int kInterrupted = 130;

int fail(int status, const std::string& message) {
  std::string line = message;  // one line, whatever a library had to say
  line.resize(std::min(line.find('\n'), line.size()));
  std::fprintf(stderr, "error: %s\n", line.c_str());
  return status;
}

void add_commands(CLI::App& app, const apps::OutputOptions& output) {
  using Add = void (*)(CLI::App&, const apps::OutputOptions&);
  constexpr Add kCommands[] = {apps::add_train,      apps::add_compare, apps::add_translate, apps::add_evaluate,
                               apps::add_score,      apps::add_export,  apps::add_config,    apps::add_schema,
                               apps::add_components, apps::add_corpus,  apps::add_tokenizer, apps::add_report};
  for (const Add add : kCommands) add(app, output);
}

// Name of the command that was being parsed, for messages: "libtr train".
std::string command_name(const CLI::App& app) {
  std::string name = "libtr";
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    name += " " + at->get_name();
  }
  return name;
}

int usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& words) {
  const std::string name = command_name(app);
  if (name == "libtr" && !words.empty() && words.front()[0] != '-') {
    std::vector<std::string> known;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
      known.push_back(command->get_name());
    return fail(2, "libtr: unknown command \"" + words.front() + "\"" + suggestion(words.front(), known, "commands"));
  }
  std::string what = error.what();
  const bool name_first = what.size() > 1 && std::isupper(static_cast<unsigned char>(what[1]));  // "CONFIG is required"
  if (!what.empty() && !name_first) what[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(what[0])));
  return fail(2, name + ": " + what + "; see " + name + " --help");
}

int run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error, std::vector<std::string>(argv + 1, argv + argc));
  }
}

}  // namespace

int run_cli(int argc, char** argv) {
  std::setlocale(LC_ALL, "C");
  CLI::App app("Sequence models on LibTorch, compared under identical conditions", "libtr");
  app.set_version_flag("--version", std::string("libtr ") + version() + " (" + git_revision() + ")");
  app.require_subcommand(1);
  add_commands(app, std::make_shared<apps::Output>());
  try {
    return run(app, argc, argv);
  } catch (const Error& error) {
    return fail(error.exit_status(), error.what());
  } catch (const experiment::Interrupted& stopped) {
    std::fprintf(stderr, "%s\n", stopped.what());
    return kInterrupted;
  } catch (const c10::Error& error) {
    return fail(1, std::string("LibTorch: ") + error.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    return fail(
        1, "out of memory; smaller batches (/train/batch_tokens, /train/accumulation, /decode/batch_tokens) need less");
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}

}  // namespace tr
