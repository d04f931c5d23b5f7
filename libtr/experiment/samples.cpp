#include "libtr/experiment/samples.h"

#include "libtr/decode/evaluation_mode.h"

namespace tr::experiment {
using config::Json;
namespace {

// weights [target_time, source_time] -> list of rows
Json rows_of(const torch::Tensor& weights) {
  Json rows = Json::array();
  const torch::Tensor plain = weights.to(torch::kCPU, torch::kFloat32).contiguous();
  for (int64_t row = 0; row < plain.size(0); ++row) {
    const float* values = plain.data_ptr<float>() + row * plain.size(1);
    rows.push_back(std::vector<float>(values, values + plain.size(1)));
  }
  return rows;
}

Json attention_of(models::EncoderDecoder& model, const data::Example& example) {
  Json maps = Json::object();
  const torch::Device device = model.output().weight.device();
  for (const auto& [name, weights] : model.attention(models::make_batch({example}).to(device))) {
    maps[name] = rows_of(weights[0]);
  }
  return maps;
}

}  // namespace

Json samples_json(models::EncoderDecoder& model, const tokenizer::Tokenizers& tokenizers,
                  const std::vector<Sample>& samples) {
  const decode::EvaluationMode evaluation(model);
  Json all = Json::array();
  for (const Sample& sample : samples) {
    const bool empty = sample.ids.empty();
    const auto source = data::encode_sources({sample.source_text}, *tokenizers.source).front();
    data::Example example{data::cut(source, model.longest_sentence()), sample.ids};
    example.target.push_back(tokenizer::kEos);
    all.push_back({{"source_text", sample.source_text},
                   {"reference", sample.reference},
                   {"hypothesis", sample.hypothesis},
                   {"source", tokenizers.source->tokens(example.source)},
                   {"target", empty ? Json::array() : Json(tokenizers.target->tokens(example.target))},
                   {"attention", empty ? Json::object() : attention_of(model, example)}});
  }
  return {{"samples", all}};
}

}  // namespace tr::experiment
