// libtr tokenizer train|encode|decode: subword models by themselves.
#include "apps/commands.h"
#include "libtr/base/files.h"
#include "libtr/config/json_file.h"
#include "libtr/tokenizer/options.h"

namespace tr::apps {
namespace {

struct TokenizerArguments {
  std::string source, target, folder;
  std::vector<std::string> overrides;
};

struct Section {
  config::Choice<tokenizer::tokenizers> tokenizer{"bpe"};
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("tokenizer", self.tokenizer, "the tokenizer");
  }
};

void train_tokenizer(const TokenizerArguments& arguments, const Output& output) {
  require_new_folder(arguments.folder);
  config::Document document = config::document_of(config::Json::object(), "");
  config::apply_overrides(document, arguments.overrides);
  const auto options = config::read<Section>(document);
  const auto source = read_input(arguments.source), target = read_input(arguments.target);
  const auto tokenizers = tokenizer::make(options.tokenizer, {source, target});
  tokenizers.save(arguments.folder);
  print_notes(tokenizer::notes_of_size(tokenizers), output);
}

}  // namespace

void add_tokenizer(CLI::App& app, const OutputOptions& output) {
  CLI::App* command =
      subcommand(app, "tokenizer", "train a subword model, or apply one", output)->require_subcommand(1);
  CLI::App* trainer =
      subcommand(*command, "train", "train on parallel text; --set /tokenizer/vocab_size=8000 and the like", output);
  auto arguments = std::make_shared<TokenizerArguments>();
  trainer->add_option("--source", arguments->source, "source lines")->required();
  trainer->add_option("--target", arguments->target, "target lines")->required();
  trainer->add_option("-o,--output", arguments->folder, "new folder to write")->required();
  add_overrides(*trainer, arguments->overrides);
  trainer->callback([arguments, output] { train_tokenizer(*arguments, *output); });
  add_tokenizer_converters(*command, output);
}

}  // namespace tr::apps
