// libtr corpus toy -o DIR: writes the built-in corpus as text files.
#include <filesystem>

#include "apps/commands.h"
#include "libtr/base/files.h"
#include "libtr/data/toy_corpus.h"

namespace tr::apps {
namespace {

struct CorpusArguments {
  std::string folder;
  int64_t pairs = 20000;
  uint64_t seed = 1;
};

void write_split(const CorpusArguments& arguments, const std::string& name, data::ToySplit split, int64_t pairs) {
  std::string english, korean;
  for (const auto& pair : data::toy_corpus(split, pairs, arguments.seed)) {
    english += pair.english + "\n";
    korean += pair.korean + "\n";
  }
  const std::filesystem::path folder(arguments.folder);
  write_output((folder / (name + ".en")).string(), english);
  write_output((folder / (name + ".ko")).string(), korean);
}

void write_toy(const CorpusArguments& arguments) {
  constexpr int64_t kHeldOut = 1000;  // pairs of each set that is not trained on
  require_new_folder(arguments.folder);
  std::filesystem::create_directories(arguments.folder);
  write_split(arguments, "train", data::ToySplit::train, arguments.pairs);
  write_split(arguments, "valid", data::ToySplit::valid, kHeldOut);
  write_split(arguments, "test", data::ToySplit::test, kHeldOut);
  write_split(arguments, "compositional", data::ToySplit::compositional, kHeldOut);
}

}  // namespace

void add_corpus(CLI::App& app, const OutputOptions& output) {
  CLI::App* command = subcommand(app, "corpus", "write a corpus", output)->require_subcommand(1);
  CLI::App* toy = subcommand(*command, "toy",
                             "the built-in one: English to Korean by a small grammar (docs/toy-corpus.md)", output);
  auto arguments = std::make_shared<CorpusArguments>();
  toy->add_option("-o,--output", arguments->folder, "new folder for {train,valid,test,compositional}.{en,ko}")
      ->required();
  toy->add_option("--pairs", arguments->pairs, "training pairs")->capture_default_str()->check(CLI::PositiveNumber);
  toy->add_option("--seed", arguments->seed, "another seed gives other sentences")->capture_default_str();
  toy->callback([arguments] { write_toy(*arguments); });
}

}  // namespace tr::apps
