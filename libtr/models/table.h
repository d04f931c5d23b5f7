// The table of models that a configuration chooses from as /model/type.
#pragma once

#include <memory>

#include "libtr/config/registry.h"
#include "libtr/models/interface.h"

namespace tr::models {

/// What a model must know beyond its own options.
struct Vocabularies {
  int64_t source = 0;  ///< types of the source side
  int64_t target = 0;  ///< types of the target side
  bool joint = false;  ///< one vocabulary for both, so that embeddings may be shared
};

using Models = config::Registry<std::shared_ptr<EncoderDecoder>, const Vocabularies&>;
/// seq2seq, seq2seq_attention, transformer; open to more: models().add(…). Parameters are drawn from LibTorch's default
/// generator: seed it before.
Models& models();

}  // namespace tr::models
