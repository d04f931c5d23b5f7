// libtr evaluate RUN: loss, perplexity, BLEU and chrF of a checkpoint, as JSON.
#include "libtr/experiment/evaluate.h"

#include "apps/commands.h"
#include "libtr/base/error.h"

namespace tr::apps {
namespace {

struct EvaluateArguments {
  std::string run, split, source, target;
  int64_t beam = 0;
  bool per_line = false;
  std::vector<std::string> overrides;
};

void evaluate(const EvaluateArguments& arguments) {
  std::vector<std::string> overrides = arguments.overrides;
  if (arguments.beam > 0) overrides.push_back("/decode/beam=" + std::to_string(arguments.beam));
  if (arguments.source.empty() != arguments.target.empty()) {
    throw UsageError("libtr evaluate", "--source and --target come together");
  }
  const experiment::SavedModel saved = experiment::load_model(arguments.run, overrides);
  const experiment::EvaluationSet set = arguments.source.empty()
                                            ? experiment::named_set(saved, arguments.split)
                                            : experiment::file_set(saved, arguments.source, arguments.target);
  write_output("", config::json_text(arguments.per_line ? experiment::forced_scores(saved, set)
                                                        : experiment::evaluate(saved, set)));
}

}  // namespace

void add_evaluate(CLI::App& app, const OutputOptions& output) {
  CLI::App* command = subcommand(app, "evaluate", "loss, perplexity, BLEU and chrF of a checkpoint, as JSON", output);
  auto arguments = std::make_shared<EvaluateArguments>();
  command->add_option("RUN", arguments->run, "run (its best checkpoint) or checkpoint")->required();
  auto* split =
      command->add_option("--split", arguments->split, "\"valid\" or a test set of the run; else its main test set");
  command->add_option("--source", arguments->source, "own source lines")->excludes(split);
  command->add_option("--target", arguments->target, "own reference lines")->excludes(split);
  command->add_option("--beam", arguments->beam, "hypotheses kept while searching; else as trained")
      ->check(CLI::PositiveNumber);
  command->add_flag("--per-line", arguments->per_line, "log-probability of each given pair instead (forced scores)");
  add_overrides(*command, arguments->overrides);
  command->callback([arguments] { evaluate(*arguments); });
}

}  // namespace tr::apps
