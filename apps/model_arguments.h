// RUN, --beam, --n-best and --set, as the commands take them that search with a trained model.
#pragma once

#include "apps/commands.h"
#include "libtr/experiment/saved_model.h"

namespace tr::apps {

struct ModelArguments {
  std::string run;
  int64_t beam = 0;    ///< 0: as trained
  int64_t n_best = 1;  ///< its option is the command's own
  std::vector<std::string> overrides;
};
void add_model_arguments(CLI::App& command, ModelArguments& arguments);

/// Loads the model; --set wins over the other options.
experiment::SavedModel load(const ModelArguments& arguments);

}  // namespace tr::apps
