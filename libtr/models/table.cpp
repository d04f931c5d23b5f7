#include "libtr/models/table.h"

#include "libtr/models/seq2seq.h"
#include "libtr/models/seq2seq_attention.h"
#include "libtr/models/transformer.h"

namespace tr::models {
namespace {

template <class Model, class Options>
void add(Models& table, const std::string& name, const std::string& description, const std::string& source) {
  table.add<Options>(name, description, source, [](const Options& options, const Vocabularies& vocabularies) {
    return std::make_shared<Model>(options, vocabularies);
  });
}

Models make_models() {
  Models table("model");
  add<Seq2Seq, Seq2SeqOptions>(table, "seq2seq", "recurrent encoder and decoder",
                               "Sutskever et al. 2014, \"Sequence to sequence learning with neural networks\"");
  add<Seq2SeqAttention, Seq2SeqAttentionOptions>(
      table, "seq2seq_attention", "recurrent encoder and decoder with attention",
      "Bahdanau et al. 2015, \"Neural machine translation by jointly learning to align and translate\"; Luong et al. "
      "2015, \"Effective approaches to attention-based neural machine translation\"");
  add<Transformer, TransformerOptions>(table, "transformer", "encoder and decoder of self-attention",
                                       "Vaswani et al. 2017, \"Attention is all you need\"");
  return table;
}

}  // namespace

Models& models() {
  static Models table = make_models();
  return table;
}

}  // namespace tr::models
