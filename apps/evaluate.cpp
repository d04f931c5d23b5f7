// libtr evaluate RUN: loss, perplexity, BLEU and chrF of a checkpoint, as JSON.
#include "libtr/experiment/evaluate.h"

#include "apps/model_arguments.h"
#include "libtr/base/error.h"
#include "libtr/report/progress.h"

namespace tr::apps {
namespace {

struct EvaluateArguments {
  ModelArguments model;
  std::string split, source, target;
  bool per_line = false;
};

void evaluate(const EvaluateArguments& arguments, bool quiet) {
  if (arguments.source.empty() != arguments.target.empty()) {
    throw UsageError("libtr evaluate", "--source and --target come together");
  }
  const experiment::SavedModel saved = load(arguments.model);
  const experiment::EvaluationSet set = arguments.source.empty()
                                            ? experiment::named_set(saved, arguments.split)
                                            : experiment::file_set(saved, arguments.source, arguments.target);
  if (!quiet) experiment::warn_of_cut(*saved.model, set);
  report::DecodingProgress progress(set.evaluator->sentences(), quiet);
  const config::Json json = arguments.per_line
                                ? experiment::forced_scores(saved, set)
                                : experiment::evaluate(saved, set, [&](int64_t done) { progress.done(done); });
  write_output("", config::json_text(json));
}

}  // namespace

void add_evaluate(CLI::App& app, const OutputOptions& output) {
  CLI::App* command = subcommand(app, "evaluate", "loss, perplexity, BLEU and chrF of a checkpoint, as JSON", output);
  auto arguments = std::make_shared<EvaluateArguments>();
  add_model_arguments(*command, arguments->model);
  auto* split =
      command->add_option("--split", arguments->split, "\"valid\" or a test set of the run; else its main test set");
  command->add_option("--source", arguments->source, "own source lines")->excludes(split);
  command->add_option("--target", arguments->target, "own reference lines")->excludes(split);
  command->add_flag("--per-line", arguments->per_line, "log-probability of each given pair instead (forced scores)");
  command->callback([arguments, output] { evaluate(*arguments, output->quiet); });
}

}  // namespace tr::apps
