// The section "train": what is read, written and refused.
#include "libtr/train/options.h"

#include "libtr/config/json_file.h"
#include "libtr/train/evaluate_options.h"
#include "tests/support.h"

namespace tr::train {
namespace {

TrainOptions read_options(const config::Json& json) {
  return config::read<TrainOptions>(config::document_of(json, "test.json"));
}
std::string refusal(const config::Json& json) {
  return test::error_of([&] { read_options(json); });
}

TEST_CASE("written options read back as they were") {
  const config::Json patch = {{"budget", {{"target_tokens", 20000000}}},
                              {"batch_tokens", 1000},
                              {"label_smoothing_over", "all"},
                              {"optimizer", {{"type", "adamw"}, {"weight_decay", 0.01}}},
                              {"schedule", {{"type", "cosine"}, {"warmup", 100}}},
                              {"early_stopping", {{"type", "patience"}, {"validations", 7}}},
                              {"averaging", {{"type", "last"}, {"checkpoints", 3}}},
                              {"best_metric", "bleu"}};
  const auto written = config::write_value(read_options(patch));
  CHECK(written.at("batch_tokens") == 1000);
  CHECK(written.at("budget") == config::Json{{"target_tokens", 20000000}});
  CHECK(written.at("schedule").at("warmup") == 100);
  CHECK(config::write_value(read_options(written)) == written);
  const auto options = read_options(written);
  CHECK(options.early_stopping.make() == 7);
  CHECK(options.averaging.make().which == AveragingRule::Which::last);
  CHECK(options.averaging.make().checkpoints == 3);
}

TEST_CASE("a budget has one unit and an amount above nothing") {
  CHECK(read_options({{"budget", {{"seconds", 1.5}}}}).budget.amount() == 1.5);
  const std::string expected =
      "expected an object with one of updates, target_tokens, seconds, such as {\"updates\": 3000}";
  CHECK(refusal({{"budget", 3000}}) == "test.json: /budget: " + expected + ", got 3000");
  CHECK(refusal({{"budget", {{"updates", 1}, {"seconds", 2}}}}) ==
        "test.json: /budget: " + expected + ", got 2 of them");
  CHECK(refusal({{"budget", {{"updates", 0}}}}) == "test.json: /budget/updates: got 0, expected a number at least 1");
  CHECK(refusal({{"budget", {{"update", 3}}}}).find("did you mean updates?") != std::string::npos);
  CHECK(refusal({{"budget", {{"seconds", 0}}}}) == "test.json: /budget/seconds: got 0, expected a number above 0");
}

TEST_CASE("bleu cannot choose the best where validation does not translate") {
  CHECK(refusal({{"best_metric", "bleu"}, {"valid_decoding", "none"}}) ==
        "/best_metric: bleu and chrf need translations, but valid_decoding is none; expected greedy or search there");
}

TEST_CASE("options of another component are refused", "[F32]") {
  CHECK(refusal({{"optimizer", {{"type", "sgd"}, {"beta1", 0.9}}}}).find("/optimizer/beta1: unknown key") !=
        std::string::npos);
  CHECK(refusal({{"label_smoothing", 1}}).find("/label_smoothing: got 1") != std::string::npos);
}

TEST_CASE("the section evaluate reads the names of sacreBLEU") {
  const auto options = config::read<EvaluateOptions>(config::document_of(
      {{"bleu", {{"tokenize", "intl"}, {"lowercase", true}, {"smooth", "add-k"}}}, {"chrf", {{"word_order", 2}}}},
      "test.json"));
  CHECK(options.bleu.bleu.tokenizer == metrics::Tokenizer::intl);
  CHECK(options.bleu.bleu.smoothing == metrics::Smoothing::add_k);
  CHECK(options.bleu.bleu.lowercase);
  CHECK(options.chrf.chrf.word_order == 2);
  CHECK(config::write_value(options).at("bleu").at("tokenize") == "intl");
}

}  // namespace
}  // namespace tr::train
