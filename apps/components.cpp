// libtr components [FAMILY]: what can be swapped.
#include "apps/commands.h"
#include "libtr/base/error.h"
#include "libtr/base/nearest.h"
#include "libtr/experiment/options.h"

namespace tr::apps {
namespace {

config::Json json_of(const experiment::Family& family) {
  config::Json entries = config::Json::array();
  for (const auto& [name, description, source, options] : family.entries) {
    entries.push_back({{"name", name}, {"description", description}, {"source", source}, {"options", options}});
  }
  return {{"family", family.name}, {"path", family.path}, {"components", entries}};
}

std::string text_of(const experiment::Family& family) {
  std::string text = family.name + "   " + family.path + "\n";
  for (const auto& entry : family.entries) {
    const std::string source = entry.source.empty() ? "" : "   [" + entry.source + "]";
    text += "  " + entry.name + std::string(entry.name.size() < 22 ? 22 - entry.name.size() : 1, ' ') +
            entry.description + source + "\n";
  }
  return text;
}

void list(const std::string& name, const Output& output) {
  std::vector<std::string> known;
  config::Json json = config::Json::array();
  std::string text;
  for (const auto& family : experiment::component_families()) {
    known.push_back(family.name);
    if (!name.empty() && name != known.back()) continue;
    json.push_back(json_of(family));
    text += (text.empty() ? "" : "\n") + text_of(family);
  }
  if (json.empty())
    throw UsageError("libtr components", "unknown family \"" + name + "\"" + suggestion(name, known, "families"));
  write_output("", output.json ? config::json_text(json) : text);
}

}  // namespace

void add_components(CLI::App& app, const OutputOptions& output) {
  CLI::App* command =
      subcommand(app, "components", "list what can be swapped: names, one line and paper for each", output);
  auto family = std::make_shared<std::string>();
  command->add_option("FAMILY", *family, "one family, such as activation; else all");
  command->callback([family, output] { list(*family, *output); });
}

}  // namespace tr::apps
