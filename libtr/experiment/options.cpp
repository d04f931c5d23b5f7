#include "libtr/experiment/options.h"

#include "libtr/base/error.h"
#include "libtr/config/value.h"
#include "libtr/experiment/file_name.h"
#include "libtr/io/export/table.h"
#include "libtr/nn/activation.h"
#include "libtr/nn/attention_score.h"
#include "libtr/nn/initialization.h"
#include "libtr/nn/norm.h"
#include "libtr/nn/positions.h"
#include "libtr/nn/recurrent.h"

namespace tr::experiment {

void RunOptions::validate(const std::string& at) const {
  for (const auto& [name, set] : data.test) {
    if (is_file_name(name) && name != "valid") continue;
    throw UsageError(at + "/data/test/" + config::escape_pointer(name),
                     "a test set's name is that of a file of the run: expected one that is not empty and not valid, "
                     "without '/' and without '.' in front");
  }
}

RunOptions read_run_options(const config::Document& document) {
  const config::Json& json = document.json();
  if (json.contains("models") && (json.contains("base") || json.contains("seeds") || json.contains("name"))) {
    throw UsageError(document.stages.back().sources.origin("/models"),
                     "is an experiment, which libtr compare runs; expected the configuration of one model, as its "
                     "/models and /base name them");
  }
  return config::read<RunOptions>(document);
}

config::Json configuration_schema() {
  config::Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "libtr configuration"}};
  schema.update(config::schema_value(RunOptions{}, {}));
  config::Json properties = {
      {"extends", {{"type", "string"}, {"description", "a configuration file that this one patches (RFC 7386)"}}}};
  properties.update(schema["properties"]);
  schema["properties"] = properties;
  return schema;
}

std::vector<Family> component_families() {
  return {{"corpus", "/data/train", data::corpora().information()},
          {"tokenizer", "/tokenizer", tokenizer::tokenizers().information()},
          {"sampling", "/tokenizer/sampling", tokenizer::samplings().information()},
          {"model", "/model", models::models().information()},
          {"activation", "/model/activation", nn::activations().information()},
          {"norm", "/model/norm", nn::norms().information()},
          {"positions", "/model/positions", nn::positions().information()},
          {"cell", "/model/cell", nn::cells().information()},
          {"attention_score", "/model/attention_score", nn::attention_scores().information()},
          {"initialization", "/model/initialization", nn::initializations().information()},
          {"optimizer", "/train/optimizer", train::optimizers().information()},
          {"schedule", "/train/schedule", train::schedules().information()},
          {"early_stopping", "/train/early_stopping", train::early_stoppings().information()},
          {"averaging", "/train/averaging", train::averagings().information()},
          {"search", "/decode/search", decode::searches().information()},
          {"length_penalty", "/decode/length_penalty", decode::length_penalties().information()},
          {"export", "libtr export --to", io::exports().information()}};
}

}  // namespace tr::experiment
