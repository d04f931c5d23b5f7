// Measures of a data set: what they are, and what they do not depend on.
#include "libtr/train/evaluator.h"

#include "libtr/decode/forced.h"
#include "tests/train/small_run.h"

namespace tr::train {
namespace {

TEST_CASE("teacher-forced counts are those of single sentences, whatever the batch size, for every model",
          "[F14][F24][F25]") {
  test::SmallData data(12);
  for (const auto& variant : test::every_model()) {
    CAPTURE(variant.name);
    const auto model = data.model(variant.model);
    const auto whole = count_tokens(*model, data.evaluator.examples());
    const auto single = count_tokens(*model, data.evaluator.examples(), {.batch_tokens = 0, .batch_sentences = 1});
    CHECK(whole.nll == Approx(single.nll).epsilon(1e-5));
    CHECK(whole.tokens == single.tokens);
    CHECK(whole.correct == single.correct);
    int64_t tokens = 0;
    for (const auto& example : data.evaluator.examples()) tokens += std::ssize(example.target);
    CHECK(whole.tokens == tokens);
    double forced = 0;
    for (const auto& score : decode::score_targets(*model, data.evaluator.examples())) forced -= score.log_probability;
    CHECK(whole.nll == Approx(forced).epsilon(1e-5));  // no label smoothing
  }
}

TEST_CASE("evaluation has no dropout, leaves the mode as it was, and repeats itself") {
  test::SmallData data(8);
  const auto model = data.transformer();
  model->train();
  const auto first = data.evaluator.forced(*model), second = data.evaluator.forced(*model);
  CHECK(model->is_training());
  CHECK(first.nll_per_token == second.nll_per_token);
  model->eval();
  CHECK(data.evaluator.forced(*model).nll_per_token == first.nll_per_token);
}

TEST_CASE("the measures are quotients of one sum each") {
  test::SmallData data(8);
  const auto model = data.transformer();
  const auto evaluation = data.evaluator.forced(*model);
  const auto counts = count_tokens(*model, data.evaluator.examples());
  int64_t characters = 0;
  for (const auto& line : data.text.target) characters += std::ssize(line) + 1;  // ASCII
  CHECK(evaluation.sentences == 8);
  CHECK(evaluation.tokens == counts.tokens);
  CHECK(evaluation.nll_per_token == Approx(counts.nll / static_cast<double>(counts.tokens)).epsilon(1e-12));
  CHECK(evaluation.perplexity == Approx(std::exp(evaluation.nll_per_token)).epsilon(1e-12));
  CHECK(evaluation.bits_per_character ==
        Approx(counts.nll / std::log(2.0) / static_cast<double>(characters)).epsilon(1e-12));
  CHECK(evaluation.accuracy == static_cast<double>(counts.correct) / static_cast<double>(counts.tokens));
  CHECK(evaluation.unknown_rate == 0);
}

TEST_CASE("unknown words and sentences beyond the token budget are counted, none is dropped", "[F11]") {
  test::SmallData data(8);
  data::ParallelText text;
  const std::string known = data.text.target[0].substr(0, 2);
  std::string line = "zebra";
  for (int i = 1; i < 5000; ++i) line += " " + known;
  text.source = {"aa", "", "bb"};
  text.target = {line, "", known};
  const Evaluator evaluator(text, data.tokenizers, {});
  const auto model = data.model(test::small_options("seq2seq"));
  const auto evaluation = evaluator.forced(*model);
  CHECK(evaluation.sentences == 3);
  CHECK(evaluation.tokens == 5001 + 1 + 2);
  CHECK(evaluation.unknown_rate == Approx(1.0 / 5004));
}

TEST_CASE("pairs longer than learned positions are cut for the model, not for the metrics", "[F10][F11]") {
  test::SmallData data(12);
  const std::string word = data.text.target[0].substr(0, 2), left = word + " " + word + " " + word;
  data::ParallelText text, text_left;
  text.source = {data.text.source[0] + " " + data.text.source[0] + " " + data.text.source[0] + " aa aa aa", "aa"};
  text.target = {left + " " + word + " " + word, word};
  text_left.source = text.source;
  text_left.target = {left, word};
  const auto model = data.transformer_of(4);
  const Evaluator evaluator(text, data.tokenizers, {}), evaluator_left(text_left, data.tokenizers, {});
  CHECK(evaluator.note_of_cut(*model) ==
        "1 of 2 pairs are longer than the 4 positions that the model learned; their ends are cut off");
  CHECK(evaluator.note_of_cut(*data.transformer()).empty());
  const auto evaluation = evaluator.forced(*model), expected = evaluator_left.forced(*model);
  CHECK(evaluation.tokens == 4 + 2);
  CHECK(evaluation.nll_per_token == expected.nll_per_token);
  CHECK(evaluation.bits_per_character == expected.bits_per_character);
  for (const auto& score : decode::score_targets(*model, *evaluator.examples_for(*model))) CHECK(score.tokens <= 4);
  CHECK(evaluator.examples_for(*data.transformer()).get() == &evaluator.examples());  // nothing cut, nothing copied
  const auto decoded = evaluator.decoded(*model, {});
  CHECK(decoded.chrf == score_hypotheses(decoded.hypotheses, text, {}).chrf);
}

TEST_CASE("translations come with the ids that the model wrote", "[F19]") {
  test::SmallData data(6);
  const auto model = data.transformer();
  const auto decoded = data.evaluator.decoded(*model, {});
  REQUIRE(decoded.ids.size() == 6);
  for (size_t i = 0; i < 6; ++i) CHECK(data.tokenizers.target->decode(decoded.ids[i]) == decoded.hypotheses[i]);
}

TEST_CASE("translations are scored against the first sentences of the set, in order", "[F19]") {
  test::SmallData data(6);
  const auto model = data.transformer();
  const auto decoded = data.evaluator.decoded(*model, {}, 4);
  CHECK(decoded.hypotheses.size() == 4);
  CHECK(decoded.bleu_signature.find("tok:13a") != std::string::npos);
  const auto perfect = score_hypotheses(data.text.target, data.text, {});
  CHECK(perfect.chrf == Approx(100));
  CHECK(perfect.hypotheses == data.text.target);
}

}  // namespace
}  // namespace tr::train
