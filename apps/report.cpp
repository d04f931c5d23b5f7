// libtr report RUN... -o FILE: the page, from the files of runs alone.
#include "apps/commands.h"
#include "libtr/report/page.h"

namespace tr::apps {

void add_report(CLI::App& app, const OutputOptions& output) {
  struct ReportArguments {
    std::vector<std::string> runs;
    std::string file;
  };
  CLI::App* command = subcommand(app, "report", "write the page of results of runs or comparisons", output);
  auto arguments = std::make_shared<ReportArguments>();
  command->add_option("RUN", arguments->runs, "folders that train or compare left")->required();
  command->add_option("-o,--output", arguments->file, "HTML file to write")->required();
  command->callback([arguments] {
    report::write_page({arguments->runs.begin(), arguments->runs.end()}, arguments->file);
  });
}

}  // namespace tr::apps
