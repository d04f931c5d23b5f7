// libtr tokenizer encode|decode: text to pieces and back.
#include <sstream>

#include "apps/commands.h"
#include "libtr/base/error.h"
#include "libtr/base/nearest.h"
#include "libtr/tokenizer/options.h"

namespace tr::apps {
namespace {

struct ConvertArguments {
  std::string model, input, side = "source";
  bool ids = false;
};
using LineOf = std::string (*)(const tokenizer::Tokenizer& tokenizer, const std::string& line, bool as_ids);

std::string encoded(const tokenizer::Tokenizer& tokenizer, const std::string& line, bool as_ids) {
  std::vector<std::string> words;
  for (const int64_t id : tokenizer.encode(line)) words.push_back(as_ids ? std::to_string(id) : tokenizer.piece_of(id));
  return join(words, " ");
}

// Words are ids, or pieces as `encode` wrote them.
std::string decoded(const tokenizer::Tokenizer& tokenizer, const std::string& line, bool as_ids) {
  tokenizer::Ids ids;
  std::istringstream words(line);
  for (std::string word; std::getline(words, word, ' ');) {
    if (word.empty()) continue;
    const bool number = word.find_first_not_of("0123456789") == std::string::npos && word.size() < 10;
    if (as_ids && !number) throw DataError("libtr tokenizer decode", "expected ids, got \"" + word + "\"");
    ids.push_back(as_ids ? std::stoll(word) : tokenizer.id_of(word));
  }
  return tokenizer.decode(ids);
}

void add_converter(CLI::App& command, const OutputOptions& output, const char* name, const char* help, LineOf line_of) {
  CLI::App* converter = subcommand(command, name, help, output);
  auto arguments = std::make_shared<ConvertArguments>();
  converter->add_option("MODEL", arguments->model, "run, checkpoint or folder of a tokenizer")->required();
  converter->add_option("INPUT", arguments->input, "file; else standard input");
  converter->add_option("--side", arguments->side, "source or target")->check(CLI::IsMember({"source", "target"}));
  converter->add_flag("--ids", arguments->ids, "numbers instead of pieces");
  converter->callback([arguments, line_of] {
    const tokenizer::Tokenizers both = tokenizer::load(arguments->model);
    const tokenizer::Tokenizer& tokenizer = arguments->side == "source" ? *both.source : *both.target;
    std::string text;
    for (const auto& line : read_input(arguments->input)) text += line_of(tokenizer, line, arguments->ids) + "\n";
    write_output("", text);
  });
}

}  // namespace

void add_tokenizer_converters(CLI::App& tokenizer, const OutputOptions& output) {
  add_converter(tokenizer, output, "encode", "text to pieces", encoded);
  add_converter(tokenizer, output, "decode", "pieces to text", decoded);
}

}  // namespace tr::apps
