// What a person typed: which command runs, and one line for whatever fits none.
#include <algorithm>
#include <cctype>

#include "apps/commands.h"
#include "libtr/base/error.h"
#include "libtr/base/nearest.h"

namespace tr::apps {
namespace {

// What the words name, as far as they name a command: "libtr tokenizer train". A word that stands where a command must,
// but names none, is an error even if --help comes behind it.
std::string command_of(CLI::App& app, const std::vector<std::string>& words) {
  CLI::App* at = &app;
  std::string name = "libtr";
  for (const auto& word : words) {
    const auto commands = at->get_subcommands([](CLI::App*) { return true; });
    if (commands.empty() || word.starts_with("-")) break;
    std::vector<std::string> known;
    for (const CLI::App* command : commands) known.push_back(command->get_name());
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end()) {
      throw UsageError(name, "unknown command \"" + word + "\"" + suggestion(word, known, "commands"));
    }
    at = commands[static_cast<size_t>(found - known.begin())];
    name += " " + word;
  }
  return name;
}

}  // namespace

int parse_and_run(CLI::App& app, std::vector<std::string> words) {
  const std::string name = command_of(app, words);
  try {
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    app.parse(std::move(words));
    return 0;
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    std::string what = error.what();
    const bool name_first =
        what.size() > 1 && std::isupper(static_cast<unsigned char>(what[1]));  // "CONFIG is required"
    if (!what.empty() && !name_first) what[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(what[0])));
    throw UsageError(name, what + "; see " + name + " --help");
  }
}

}  // namespace tr::apps
