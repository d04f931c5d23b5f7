// libtr translate RUN [INPUT]: one output line for each input line, in order.
#include "libtr/experiment/translate.h"

#include <unistd.h>

#include <iostream>

#include "apps/model_arguments.h"
#include "libtr/base/error.h"
#include "libtr/report/progress.h"

namespace tr::apps {
namespace {

struct TranslateArguments {
  ModelArguments model;
  std::string input, output, attention;
};

void translate(const TranslateArguments& arguments, const Output& output) {
  if (output.json) {
    throw UsageError("--json",
                     "translations are text; --n-best gives scores, --attention FILE writes tokens and weights");
  }
  experiment::Translator translator(load(arguments.model),
                                    [output](const std::string& note) { print_notes({note}, output); });
  const bool live = arguments.input.empty() && arguments.output.empty() && arguments.attention.empty();
  if (live) {
    // Output keeps pace with the input: line by line for a person, in larger blocks for a file or pipe.
    translator.translate_stream(std::cin, std::cout, ::isatty(STDIN_FILENO) == 1 ? 1 : 1024);
    return;
  }
  const auto lines = read_input(arguments.input);
  report::DecodingProgress progress(std::ssize(lines), output.quiet);
  const auto translations = translator.translate(lines, 0, [&](int64_t done) { progress.done(done); });
  if (!arguments.attention.empty()) {
    write_output(arguments.attention, config::json_text(translator.attention(lines, translations)));
  }
  write_output(arguments.output, translator.text(translations, 0));
}

}  // namespace

void add_translate(CLI::App& app, const OutputOptions& output) {
  CLI::App* command = subcommand(app, "translate", "translate lines of text", output);
  auto arguments = std::make_shared<TranslateArguments>();
  add_model_arguments(*command, arguments->model);
  command->add_option("INPUT", arguments->input, "file of source lines, .gz allowed; else standard input");
  command->add_option("-o,--output", arguments->output, "file to write; else standard output");
  command->add_option("--n-best", arguments->model.n_best, "outputs a line, numbered")->check(CLI::PositiveNumber);
  command->add_option("--attention", arguments->attention, "JSON file for attention between source and output tokens");
  command->callback([arguments, output] { translate(*arguments, *output); });
}

}  // namespace tr::apps
