// The subcommands of libtr, one function and one file each: parse, call, print.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "libtr/config/json_text.h"

namespace tr::apps {

/// What every command understands.
struct Output {
  bool quiet = false;  ///< errors alone on standard error: no progress, notes, warnings
  bool json = false;   ///< results as JSON where the default is a table or text
};
using OutputOptions = std::shared_ptr<Output>;

void add_train(CLI::App& app, const OutputOptions& output);
void add_compare(CLI::App& app, const OutputOptions& output);
void add_translate(CLI::App& app, const OutputOptions& output);
void add_evaluate(CLI::App& app, const OutputOptions& output);
void add_score(CLI::App& app, const OutputOptions& output);
void add_export(CLI::App& app, const OutputOptions& output);
void add_config(CLI::App& app, const OutputOptions& output);
void add_schema(CLI::App& app, const OutputOptions& output);
void add_components(CLI::App& app, const OutputOptions& output);
void add_corpus(CLI::App& app, const OutputOptions& output);
void add_tokenizer(CLI::App& app, const OutputOptions& output);
/// "tokenizer encode" and "tokenizer decode"
void add_tokenizer_converters(CLI::App& tokenizer, const OutputOptions& output);
void add_report(CLI::App& app, const OutputOptions& output);

/// Runs the command that `words` name, or gives help; returns the exit status. Throws UsageError for wrong words.
int parse_and_run(CLI::App& app, std::vector<std::string> words);

/// A subcommand with --quiet and --json.
CLI::App* subcommand(CLI::App& app, const std::string& name, const std::string& description,
                     const OutputOptions& output);

/// CONFIG, or --run DIR and --resume, as train and compare take them.
struct RunArguments {
  std::string config, folder;
  std::vector<std::string> overrides;
  bool resume = false;
};
std::shared_ptr<RunArguments> add_run_arguments(CLI::App& command, const std::string& config_description);
/// A file or folder that must be named.
CLI::Option* add_path(CLI::App& command, const std::string& name, std::string& path, const std::string& description);
/// "--set /path=value", any number of times.
void add_overrides(CLI::App& command, std::vector<std::string>& overrides);

/// Lines of `file`, or of standard input if it is empty; to `file`, whole or not at all, or to standard output.
std::vector<std::string> read_input(const std::string& file);
void write_output(const std::string& file, const std::string& text);
/// DataError that names both files, if they have different counts of lines.
void require_equal_counts(const std::string& file, const std::vector<std::string>& lines, const std::string& other_file,
                          const std::vector<std::string>& other_lines);
/// On standard error, one line each, unless --quiet.
void print_notes(const std::vector<std::string>& notes, const Output& output);

}  // namespace tr::apps
