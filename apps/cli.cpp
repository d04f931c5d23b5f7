// The command line: finds the command, runs it, turns every error into one line and an exit status.
#include "libtr/experiment/cli.h"

#include <c10/util/Exception.h>

#include <clocale>
#include <cstdio>
#include <new>

#include "apps/commands.h"
#include "libtr/base/error.h"
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

}  // namespace

int run_cli(int argc, char** argv) {
  std::setlocale(LC_ALL, "C");
  CLI::App app("Sequence models on LibTorch, compared under identical conditions", "libtr");
  app.set_version_flag("--version", std::string("libtr ") + version() + " (" + git_revision() + ")");
  app.require_subcommand(1);
  add_commands(app, std::make_shared<apps::Output>());
  try {
    return apps::parse_and_run(app, {argv + 1, argv + argc});
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
