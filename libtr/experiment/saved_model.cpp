#include "libtr/experiment/saved_model.h"

#include "libtr/io/checkpoint.h"

namespace tr::experiment {
namespace fs = std::filesystem;

SavedModel load_model(const fs::path& run_or_checkpoint, const std::vector<std::string>& overrides) {
  SavedModel saved;
  saved.checkpoint = io::find_checkpoint(run_or_checkpoint);
  config::Document document =
      config::document_of(io::load_config(saved.checkpoint), (saved.checkpoint / "config.json").string());
  config::apply_overrides(document, overrides);
  saved.options = read_run_options(document);
  saved.runtime = train::set_up_runtime(saved.options.runtime());
  saved.tokenizers = tokenizer::load(saved.checkpoint / "tokenizer");
  saved.model = saved.options.model.make(
      models::Vocabularies{saved.tokenizers.source->size(), saved.tokenizers.target->size(), saved.tokenizers.joint()});
  io::load_parameters(*saved.model, io::load_model_tensors(saved.checkpoint),
                      (saved.checkpoint / "model.safetensors").string());
  saved.model->to(saved.runtime.device);
  saved.model->eval();
  return saved;
}

std::vector<decode::Hypotheses> SavedModel::translate(const std::vector<std::string>& lines,
                                                      const decode::DecodeOptions& decoding,
                                                      const decode::TranslateExtras& extras) const {
  const train::PrecisionGuard guard(options.precision, runtime.device.type());
  return decode::translate(*model, data::encode_sources(lines, *tokenizers.source), decoding, extras);
}

std::vector<size_t> SavedModel::too_long(const std::vector<std::string>& lines) const {
  std::vector<size_t> numbers;
  const int64_t longest = model->longest_sentence();
  if (longest == 0) return numbers;
  const auto sources = data::encode_sources(lines, *tokenizers.source);
  for (size_t i = 0; i < sources.size(); ++i) {
    if (static_cast<int64_t>(sources[i].size()) > longest) numbers.push_back(i);
  }
  return numbers;
}

}  // namespace tr::experiment
