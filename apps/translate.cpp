// libtr translate RUN [INPUT]: one output line for each input line, in order.
#include "libtr/experiment/translate.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "apps/commands.h"
#include "libtr/report/progress.h"

namespace tr::apps {
namespace {

struct TranslateArguments {
  std::string run, input, output, attention;
  int64_t beam = 0, n_best = 1;
  std::vector<std::string> overrides;
};

void translate(const TranslateArguments& arguments, bool quiet) {
  std::vector<std::string> overrides;
  if (arguments.beam > 0) overrides.push_back("/decode/beam=" + std::to_string(arguments.beam));
  overrides.push_back("/decode/n_best=" + std::to_string(arguments.n_best));
  overrides.insert(overrides.end(), arguments.overrides.begin(), arguments.overrides.end());
  experiment::Translator translator(experiment::load_model(arguments.run, overrides), [quiet](const std::string& note) {
    if (!quiet) std::fprintf(stderr, "%s\n", note.c_str());
  });
  const bool live = arguments.input.empty() && arguments.output.empty() && arguments.attention.empty();
  if (live) {
    // Output keeps pace with the input: line by line for a person, in larger blocks for a file or pipe.
    translator.translate_stream(std::cin, std::cout, ::isatty(STDIN_FILENO) == 1 ? 1 : 1024);
    return;
  }
  const auto lines = read_input(arguments.input);
  report::DecodingProgress progress(std::ssize(lines));
  const experiment::Translations translations = translator.translate(lines, 0, [&](int64_t done) {
    if (!quiet) progress.done(done);
  });
  if (!arguments.attention.empty()) {
    write_output(arguments.attention, config::json_text(translator.attention(lines, translations)));
  }
  write_output(arguments.output, translator.text(translations, 0));
}

}  // namespace

void add_translate(CLI::App& app, const OutputOptions& output) {
  CLI::App* command = subcommand(app, "translate", "translate lines of text", output);
  auto arguments = std::make_shared<TranslateArguments>();
  command->add_option("RUN", arguments->run, "run (its best checkpoint) or checkpoint")->required();
  command->add_option("INPUT", arguments->input, "file of source lines, .gz allowed; else standard input");
  command->add_option("-o,--output", arguments->output, "file to write; else standard output");
  command->add_option("--beam", arguments->beam, "hypotheses kept, else as trained")->check(CLI::PositiveNumber);
  command->add_option("--n-best", arguments->n_best, "outputs a line, numbered")->check(CLI::PositiveNumber);
  command->add_option("--attention", arguments->attention, "JSON file for attention between source and output tokens");
  add_overrides(*command, arguments->overrides);
  command->callback([arguments, output] { translate(*arguments, output->quiet); });
}

}  // namespace tr::apps
