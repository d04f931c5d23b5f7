// A corpus, a model and options small enough to train within a second.
#pragma once

#include <torch/utils.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "libtr/base/random.h"
#include "libtr/io/parameters.h"
#include "libtr/models/table.h"
#include "libtr/tokenizer/options.h"
#include "libtr/train/trainer.h"
#include "tests/models/small_models.h"
#include "tests/support.h"

namespace tr::test {

/// Sentences of 1 to 6 words; the translation says them in upper case and from the end.
inline data::ParallelText small_text(size_t pairs) {
  Random random(5);
  data::ParallelText text;
  for (size_t i = 0; i < pairs; ++i) {
    std::string source, target;
    const auto words = 1 + random.below(6);
    for (uint64_t k = 0; k < words; ++k) {
      const char letter = static_cast<char>('a' + random.below(12));
      source += (k == 0 ? "" : " ") + std::string(2, letter);
      target = std::string(2, static_cast<char>(letter - 'a' + 'A')) + (k == 0 ? "" : " ") + target;
    }
    text.source.push_back(source);
    text.target.push_back(target);
  }
  return text;
}

/// Everything but the model that runs share.
struct SmallData {
  explicit SmallData(size_t pairs = 40) : SmallData(small_text(pairs)) {}
  explicit SmallData(data::ParallelText lines)
      : text(std::move(lines)),
        tokenizers(tokenizer::make(config::Choice<tokenizer::tokenizers>("word"), {text.source, text.target})),
        training(data::make_training_set(text, tokenizers, {})),
        evaluator(text, tokenizers, {}) {}

  data::ParallelText text;
  tokenizer::Tokenizers tokenizers;
  data::TrainingSet training;
  train::Evaluator evaluator;

  std::shared_ptr<models::EncoderDecoder> model(const config::Json& json, uint64_t seed = 3) const {
    config::Choice<models::models> choice;
    choice.read(json, config::Place(sources()));
    torch::manual_seed(seed);
    return choice.make(models::Vocabularies{tokenizers.source->size(), tokenizers.target->size(), tokenizers.joint()});
  }
  std::shared_ptr<models::EncoderDecoder> transformer(uint64_t seed = 3) const {
    return model(small_options("transformer"), seed);
  }
  /// A Transformer that learns `longest` positions.
  std::shared_ptr<models::EncoderDecoder> transformer_of(int64_t longest) const {
    auto json = small_options("transformer");
    json["positions"] = {{"type", "learned"}, {"longest", longest}};
    return model(json);
  }

 private:
  static const config::Sources& sources() {
    static const config::Sources none;
    return none;
  }
};

inline train::TrainOptions small_options_of_training(int64_t updates) {
  train::TrainOptions options;
  options.batches.batch_tokens = 48;
  options.budget = {train::Budget::Unit::updates, static_cast<double>(updates)};
  options.valid_every = 4;
  options.checkpoint_every = 4;
  options.log_every = 1;
  options.optimizer = config::Choice<train::optimizers>("adam", train::AdamOptions{.learning_rate = 0.01});
  options.schedule = config::Choice<train::schedules>("constant");
  options.valid_decoding = train::ValidDecoding::none;
  return options;
}

inline train::TrainSetup setup_of(SmallData& data, models::EncoderDecoder& model, const train::TrainOptions& options,
                                  const std::string& run) {
  return {.model = &model,
          .training_set = &data.training,
          .validation = &data.evaluator,
          .tokenizers = &data.tokenizers,
          .config = config::Json::object(),
          .run = run,
          .options = options,
          .seed = 11};
}

/// Keeps what it is told; asks to stop, or breaks the run off, after an update.
class Recorder : public train::TrainListener {
 public:
  int64_t stop_after = 0, break_after = 0;
  std::atomic<bool> stop = false;
  std::vector<train::RunStarted> starts;
  std::vector<train::UpdateLogged> updates;
  std::vector<train::Validated> validations;
  std::vector<train::CheckpointSaved> checkpoints;
  std::vector<train::RunEnded> ends;

  void run_started(const train::RunStarted& event) override { starts.push_back(event); }
  void update_logged(const train::UpdateLogged& event) override {
    updates.push_back(event);
    if (event.position.update == stop_after) stop = true;
    if (event.position.update == break_after) throw std::runtime_error("killed");
  }
  void validated(const train::Validated& event) override { validations.push_back(event); }
  void checkpoint_saved(const train::CheckpointSaved& event) override { checkpoints.push_back(event); }
  void run_ended(const train::RunEnded& event) override { ends.push_back(event); }
};

inline train::TrainResult train_small(const train::TrainSetup& setup, Recorder& recorder) {
  train::Trainer trainer(setup);
  return trainer.run(recorder, recorder.stop);
}

inline bool same_bits(const torch::nn::Module& a, const torch::nn::Module& b) {
  const auto left = io::parameters_of(a), right = io::parameters_of(b);
  bool same = left.size() == right.size();
  for (size_t i = 0; same && i < left.size(); ++i) same = torch::equal(left[i].tensor, right[i].tensor);
  return same;
}

}  // namespace tr::test
