#include "libtr/models/table.h"

#include "libtr/models/transformer.h"

namespace tr::models {
namespace {

template <class Model, class Options>
void add(Models& table, const std::string& name, const std::string& description, const std::string& source) {
  table.add<Options>(name, description, source, [](const Options& options, const Vocabularies& vocabularies) {
    return std::make_shared<Model>(options, vocabularies);
  });
}

Models make_table() {
  Models table("model");
  add<Transformer, TransformerOptions>(table, "transformer", "encoder and decoder of self-attention",
                                       "Vaswani et al. 2017, \"Attention is all you need\"");
  return table;
}

}  // namespace

Models& models() {
  static Models table = make_table();
  return table;
}

}  // namespace tr::models
