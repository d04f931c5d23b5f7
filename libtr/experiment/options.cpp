#include "libtr/experiment/options.h"

#include "libtr/io/export/table.h"
#include "libtr/nn/activation.h"
#include "libtr/nn/attention_score.h"
#include "libtr/nn/initialization.h"
#include "libtr/nn/norm.h"
#include "libtr/nn/positions.h"
#include "libtr/nn/recurrent.h"

namespace tr::experiment {
namespace {

template <class Table>
Family family_of(const Table& table, const std::string& path) {
  return {table.family(), path, table.information()};
}

}  // namespace

RunOptions read_run_options(const config::Document& document) { return config::read<RunOptions>(document); }

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
  return {family_of(data::corpora(), "/data/train"),
          family_of(tokenizer::tokenizers(), "/tokenizer"),
          family_of(tokenizer::samplings(), "/tokenizer/sampling"),
          family_of(models::models(), "/model"),
          family_of(nn::activations(), "/model/activation"),
          family_of(nn::norms(), "/model/norm"),
          family_of(nn::positions(), "/model/positions"),
          family_of(nn::cells(), "/model/cell"),
          family_of(nn::attention_scores(), "/model/attention_score"),
          family_of(nn::initializations(), "/model/initialization"),
          family_of(train::optimizers(), "/train/optimizer"),
          family_of(train::schedules(), "/train/schedule"),
          family_of(train::early_stoppings(), "/train/early_stopping"),
          family_of(train::averagings(), "/train/averaging"),
          family_of(decode::searches(), "/decode/search"),
          family_of(decode::length_penalties(), "/decode/length_penalty"),
          family_of(io::exports(), "libtr export --to")};
}

}  // namespace tr::experiment
