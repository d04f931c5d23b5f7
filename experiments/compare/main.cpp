// Builds Seq2Seq, Seq2Seq with attention and the Transformer through the library alone and compares them on the
// built-in corpus: no configuration file, no command line. Small enough to read, and to run in a test.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "libtr/data/toy_corpus.h"
#include "libtr/experiment/compare.h"
#include "libtr/models/seq2seq.h"
#include "libtr/models/seq2seq_attention.h"
#include "libtr/models/transformer.h"
#include "libtr/report/table.h"

namespace {

using tr::config::Choice;
using tr::models::models;

Choice<tr::data::corpora> toy(tr::data::ToySplit split, int64_t pairs) {
  return {"toy", tr::data::ToyOptions{.split = split, .pairs = pairs}};
}

/// What all three share: data, tokenizer, training, search.
tr::experiment::RunOptions conditions() {
  tr::experiment::RunOptions options;
  options.threads = 2;
  options.data.train = toy(tr::data::ToySplit::train, 400);
  options.data.valid = toy(tr::data::ToySplit::valid, 20);
  options.data.test = {{"test", toy(tr::data::ToySplit::test, 20)}};
  tr::tokenizer::BpeOptions tokenizer;
  tokenizer.training.vocab_size = 400;
  tokenizer.training.sides = tr::tokenizer::Sides::separate;
  options.tokenizer = {"bpe", tokenizer};
  options.train.batches.batch_tokens = 512;
  options.train.budget = {tr::train::Budget::Unit::updates, 30};
  options.decode.beam = 2;
  return options;
}

tr::experiment::ExperimentModel with_model(const Choice<models>& model) {
  tr::experiment::RunOptions options = conditions();
  options.model = model;
  return {model.type(), options};
}

}  // namespace

int main() {
  tr::models::Seq2SeqOptions seq2seq;
  seq2seq.d_embedding = seq2seq.d_hidden = 32;

  tr::models::Seq2SeqAttentionOptions attention;
  attention.d_embedding = attention.d_hidden = 32;
  attention.bidirectional = true;

  tr::models::TransformerOptions transformer;
  transformer.d_model = 32;
  transformer.heads = 2;
  transformer.encoder_layers = transformer.decoder_layers = 1;
  transformer.d_hidden = 64;
  transformer.norm_placement = tr::nn::NormPlacement::post;

  const tr::experiment::Experiment experiment{
      "compare through the library",
      {with_model({"seq2seq", seq2seq}), with_model({"seq2seq_attention", attention}),
       with_model({"transformer", transformer})},
      {1}};
  std::string folder = (std::filesystem::temp_directory_path() / "libtr-compare-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return 1;
  const auto result = tr::experiment::compare(experiment, std::filesystem::path(folder) / "compare",
                                              tr::experiment::Resume::no, /*quiet=*/true);
  std::printf("%s", tr::report::table(result).c_str());
  std::filesystem::remove_all(folder);
  return result["models"].size() == 3 ? 0 : 1;
}
