// libtr tokenizer train|encode|decode: subword models by themselves.
#include <sstream>

#include "apps/commands.h"
#include "libtr/base/error.h"
#include "libtr/config/json_file.h"
#include "libtr/tokenizer/options.h"

namespace tr::apps {
namespace {

struct TokenizerArguments {
  std::string source, target, folder, model, input, side = "source";
  std::vector<std::string> overrides;
  bool ids = false;
};

struct Section {
  config::Choice<tokenizer::tokenizers> tokenizer{"bpe"};
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("tokenizer", self.tokenizer, "the tokenizer");
  }
};

void train(const TokenizerArguments& arguments) {
  config::Document document = config::document_of(config::Json::object(), "");
  config::apply_overrides(document, arguments.overrides);
  const auto options = config::read<Section>(document);
  const auto source = read_input(arguments.source), target = read_input(arguments.target);
  tokenizer::make(options.tokenizer, {source, target}).save(arguments.folder);
}

std::string encoded(const tokenizer::Tokenizer& tokenizer, const std::string& line, bool as_ids) {
  const tokenizer::Ids ids = tokenizer.encode(line);
  std::string text;
  const auto pieces = tokenizer.tokens(ids);
  for (size_t i = 0; i < ids.size(); ++i) text += (i ? " " : "") + (as_ids ? std::to_string(ids[i]) : pieces[i]);
  return text;
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

void convert(const TokenizerArguments& arguments, std::string (*line_of)(const tokenizer::Tokenizer&, const std::string&, bool)) {
  const tokenizer::Tokenizers both = tokenizer::load(arguments.model);
  const tokenizer::Tokenizer& tokenizer = arguments.side == "source" ? *both.source : *both.target;
  std::string text;
  for (const auto& line : read_input(arguments.input)) text += line_of(tokenizer, line, arguments.ids) + "\n";
  write_output("", text);
}

CLI::App* add_converter(CLI::App& command, const std::string& name, const std::string& description, TokenizerArguments& arguments) {
  CLI::App* converter = command.add_subcommand(name, description);
  converter->add_option("MODEL", arguments.model, "run, checkpoint or folder of a tokenizer")->required();
  converter->add_option("INPUT", arguments.input, "file; else standard input");
  converter->add_option("--side", arguments.side, "source or target")->check(CLI::IsMember({"source", "target"}));
  converter->add_flag("--ids", arguments.ids, "numbers instead of pieces");
  return converter;
}

}  // namespace

void add_tokenizer(CLI::App& app, const OutputOptions& output) {
  CLI::App* command = subcommand(app, "tokenizer", "train a subword model, or apply one", output)->require_subcommand(1);
  auto arguments = std::make_shared<TokenizerArguments>();
  CLI::App* trainer = command->add_subcommand("train", "train on parallel text; --set /tokenizer/vocab_size=8000 and the like");
  trainer->add_option("--source", arguments->source, "source lines")->required();
  trainer->add_option("--target", arguments->target, "target lines")->required();
  trainer->add_option("-o,--output", arguments->folder, "folder to write")->required();
  add_overrides(*trainer, arguments->overrides);
  trainer->callback([arguments] { train(*arguments); });
  add_converter(*command, "encode", "text to pieces", *arguments)->callback([arguments] { convert(*arguments, encoded); });
  add_converter(*command, "decode", "pieces to text", *arguments)->callback([arguments] { convert(*arguments, decoded); });
}

}  // namespace tr::apps
