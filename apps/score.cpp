// libtr score: metrics of text, without a model.
#include "apps/commands.h"
#include "libtr/base/error.h"
#include "libtr/base/nearest.h"
#include "libtr/metrics/json.h"

namespace tr::apps {
namespace {

struct ScoreArguments {
  std::string hypothesis, tokenize = "13a", smooth = "exp";
  std::vector<std::string> references, metrics = {"bleu", "chrf"};
  metrics::BleuOptions bleu;
  metrics::ChrfOptions chrf;
};

void score(ScoreArguments arguments) {
  for (const auto& name : arguments.metrics) {
    if (name != "bleu" && name != "chrf")
      throw UsageError("--metrics", "got \"" + name + "\"" + suggestion(name, {"bleu", "chrf"}, "metrics"));
  }
  arguments.bleu.tokenizer = metrics::tokenizer_of_name(arguments.tokenize, "--tokenize");
  arguments.bleu.smoothing = metrics::smoothing_of_name(arguments.smooth, "--smooth");
  arguments.chrf.lowercase = arguments.bleu.lowercase;
  const auto hypotheses = read_input(arguments.hypothesis);
  std::vector<std::vector<std::string>> streams;
  for (const auto& file : arguments.references) {
    streams.push_back(read_input(file));
    require_equal_counts(file, streams.back(), arguments.hypothesis, hypotheses);
  }
  const auto references = metrics::References::of_streams(streams);
  config::Json json;
  for (const auto& name : arguments.metrics) {
    json[name] = name == "bleu" ? metrics::to_json(metrics::corpus_bleu(hypotheses, references, arguments.bleu))
                                : metrics::to_json(metrics::corpus_chrf(hypotheses, references, arguments.chrf));
  }
  write_output("", config::json_text(json));
}

}  // namespace

void add_score(CLI::App& app, const OutputOptions& output) {
  CLI::App* command = subcommand(app, "score", "BLEU and chrF of text as sacreBLEU computes them, as JSON", output);
  auto arguments = std::make_shared<ScoreArguments>();
  command->add_option("--hypothesis", arguments->hypothesis, "file of translations, one a line")->required();
  command->add_option("--reference", arguments->references, "file of references; several files for several references")
      ->required();
  command->add_option("--metrics", arguments->metrics, "bleu,chrf")->delimiter(',');
  command->add_option("--tokenize", arguments->tokenize, "of BLEU: 13a, none, char, intl, zh, moses-lc");
  command->add_option("--language", arguments->bleu.language, "of the text (de), for moses-lc");
  command->add_flag("--references-tokenized", arguments->bleu.references_tokenized,
                    "references are lower-cased Moses tokens already, for moses-lc");
  command->add_flag("--lowercase", arguments->bleu.lowercase, "compare without case");
  command->add_option("--smooth", arguments->smooth, "of BLEU: none, floor, add-k, exp");
  command->add_option("--max-order", arguments->bleu.max_order, "longest n-gram of BLEU");
  command->add_option("--word-order", arguments->chrf.word_order, "longest n-gram of words in chrF; 2 is chrF++");
  command->callback([arguments] { score(*arguments); });
}

}  // namespace tr::apps
