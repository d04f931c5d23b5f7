// libtr export RUN --to FORMAT -o DIR: a checkpoint for other tools.
#include "apps/commands.h"
#include "libtr/base/nearest.h"
#include "libtr/io/export/table.h"

namespace tr::apps {

void add_export(CLI::App& app, const OutputOptions& output) {
  struct ExportArguments {
    std::string run, format, folder;
  };
  CLI::App* command = subcommand(app, "export", "write a checkpoint for other tools", output);
  auto arguments = std::make_shared<ExportArguments>();
  add_path(*command, "RUN", arguments->run, "run (its best checkpoint) or checkpoint");
  command->add_option("--to", arguments->format, "format: " + join(io::exports().names()))->required();
  command->add_option("-o,--output", arguments->folder, "folder to make")->required();
  command->callback([arguments] { io::export_checkpoint(arguments->run, arguments->format, arguments->folder); });
}

}  // namespace tr::apps
