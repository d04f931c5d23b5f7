// The whole configuration of a run: what configs/*.json hold and `libtr config` prints.
#pragma once

#include "libtr/config/json_file.h"
#include "libtr/data/options.h"
#include "libtr/decode/options.h"
#include "libtr/models/table.h"
#include "libtr/tokenizer/options.h"
#include "libtr/train/evaluator.h"
#include "libtr/train/options.h"
#include "libtr/train/runtime.h"

namespace tr::experiment {

struct RunOptions {
  int64_t seed = 1;
  int64_t threads = 0;
  train::Precision precision = train::Precision::float32;
  train::Device device = train::Device::cpu;
  bool fast = true;
  data::DataOptions data;
  config::Choice<tokenizer::tokenizers> tokenizer{"bpe"};
  config::Choice<models::models> model{"transformer"};
  train::TrainOptions train;
  decode::DecodeOptions decode;
  train::EvaluateOptions evaluate;

  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("seed", self.seed, "root of every random number of the run", config::at_least(0));
    field("threads", self.threads, "threads of one run; 0: one a core", config::at_least(0));
    field("precision", self.precision, "of matrix products; weights, sums, norms and softmax stay float32");
    field("device", self.device, "where the run computes; auto takes CUDA if it is there");
    field(
        "fast", self.fast,
        "own kernels for attention, for the output layer with its loss and for the best tokens of a search; false: the "
        "plain operations that they are checked against");
    field("data", self.data, "text to train, choose and test on");
    field("tokenizer", self.tokenizer, "how text is cut into tokens");
    field("model", self.model, "the architecture; all else is the same for every model that is compared");
    field("train", self.train, "training");
    field("decode", self.decode, "search for translations");
    field("evaluate", self.evaluate, "metrics");
  }
  /// Conditions between fields; throws UsageError.
  void validate(const std::string& at) const;
  train::RuntimeOptions runtime() const { return {threads, device, precision, fast}; }
  /// Threads that share out the sentences of an update: on a CPU, where /train/workers counts; else one.
  int64_t workers(const train::Runtime& runtime) const {
    return runtime.device.is_cpu() ? train.workers_of(runtime.threads) : 1;
  }
};

/// Reads and validates a configuration; throws UsageError, for an experiment file too.
RunOptions read_run_options(const config::Document& document);

/// JSON Schema (draft 2020-12) of a configuration file: RunOptions and "extends".
config::Json configuration_schema();

/// A family of components that configurations choose from.
struct Family {
  std::string name;  ///< one word to ask for, where there is one the key that chooses: "activation"
  std::string path;  ///< where it is chosen: "/model/activation"
  std::vector<config::EntryInformation> entries;
};
/// All families, in the order of the configuration.
std::vector<Family> component_families();

}  // namespace tr::experiment
