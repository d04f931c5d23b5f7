#include "apps/model_arguments.h"

#include "libtr/base/error.h"

namespace tr::apps {

void add_model_arguments(CLI::App& command, ModelArguments& arguments) {
  add_path(command, "RUN", arguments.run, "run (its best checkpoint) or checkpoint");
  command.add_option("--beam", arguments.beam, "hypotheses kept while searching; else as trained")
      ->check(CLI::PositiveNumber);
  add_overrides(command, arguments.overrides);
}

experiment::SavedModel load(const ModelArguments& arguments) {
  std::vector<std::string> overrides;
  if (arguments.beam > 0) overrides.push_back("/decode/beam=" + std::to_string(arguments.beam));
  overrides.push_back("/decode/n_best=" + std::to_string(arguments.n_best));
  overrides.insert(overrides.end(), arguments.overrides.begin(), arguments.overrides.end());
  try {
    return experiment::load_model(arguments.run, overrides);
  } catch (const UsageError& error) {
    if (error.where() != "/decode/n_best") throw;
    throw UsageError("--n-best", error.problem() + "; --beam sets that");
  }
}

}  // namespace tr::apps
