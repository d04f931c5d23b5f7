// Samples with attention: what the model that is evaluated looked at while it wrote what it wrote.
#include "libtr/experiment/samples.h"

#include "libtr/base/nearest.h"
#include "tests/train/small_run.h"

namespace tr::test {
namespace {

using experiment::samples_json;

/// A source line with ids as a model might have written them.
experiment::Sample sample_of(const SmallData& data, const std::string& source, const tokenizer::Ids& ids) {
  return {source, "", data.tokenizers.target->decode(ids), ids};
}

TEST_CASE("attention of samples knows no dropout, and the mode stays as it was", "[F40]") {
  const SmallData data(8);
  const auto sample = sample_of(data, data.text.source[0], {4, 5, 6});
  for (const auto& variant : every_model()) {
    CAPTURE(variant.name);
    const auto model = data.model(variant.model);
    model->eval();
    const auto expected = samples_json(*model, data.tokenizers, {sample});
    model->train();
    CHECK(samples_json(*model, data.tokenizers, {sample}) == expected);
    CHECK(model->is_training());
  }
}

TEST_CASE("attention of samples is over the tokens that the model wrote", "[F40]") {
  const SmallData data(8);
  const auto model = data.transformer();
  const tokenizer::Ids ids = {4, tokenizer::kUnk, 5};  // text does not show the unknown one
  const auto sample = samples_json(*model, data.tokenizers, {sample_of(data, "aa", ids)})["samples"][0];
  CHECK(sample["target"].size() == 4);
  CHECK(sample["target"][1] == data.tokenizers.target->piece_of(tokenizer::kUnk));
  CHECK(sample["attention"]["layer 1, head 1"].size() == 4);
}

TEST_CASE("a sample longer than learned positions is cut, a blank one has no attention", "[F2][F10]") {
  const SmallData data(8);
  const auto model = data.transformer_of(4);
  const auto samples = samples_json(
      *model, data.tokenizers, {sample_of(data, join(data.text.source, " "), {4, 5}), sample_of(data, "\u3000", {})});
  CHECK(samples["samples"][0]["source"].size() == 4);
  for (const auto& row : samples["samples"][0]["attention"]["layer 1, head 1"]) CHECK(row.size() == 4);
  CHECK(samples["samples"][1]["source"].size() == 1);
  CHECK(samples["samples"][1]["attention"].empty());
}

}  // namespace
}  // namespace tr::test
