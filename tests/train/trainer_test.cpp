// Laws of the training loop: what a run may depend on, and how it ends.
#include "libtr/train/trainer.h"

#include <algorithm>
#include <set>

#include "libtr/base/format.h"
#include "libtr/io/checkpoint.h"
#include "libtr/train/checkpoints.h"
#include "libtr/train/updater.h"
#include "tests/train/small_run.h"

namespace tr::train {
namespace {

namespace fs = std::filesystem;
using test::Recorder;
using test::ScratchFolder;
using test::setup_of;
using test::small_options_of_training;
using test::SmallData;
using test::train_small;

void set_two_threads() { set_up_runtime({.threads = 2}); }

/// Two workers: the model and a copy, whose own parameters must not matter.
struct TwoWorkers {
  std::shared_ptr<models::EncoderDecoder> model, copy;
  TwoWorkers(const SmallData& data, const config::Json& options, uint64_t seed = 3)
      : model(data.model(options, seed)), copy(data.model(options, /*seed=*/55)) {}
  TrainSetup setup(SmallData& data, const TrainOptions& options, const std::string& run) const {
    auto setup = setup_of(data, *model, options, run);
    setup.copies = {copy.get()};
    return setup;
  }
};

/// Names of the tensors that differ in any bit.
std::vector<std::string> differing(const io::NamedTensors& a, const io::NamedTensors& b) {
  std::vector<std::string> names;
  if (a.size() != b.size()) names.push_back("number of tensors");
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].name != b[i].name || !torch::equal(a[i].tensor, b[i].tensor)) names.push_back(a[i].name);
  }
  return names;
}

/// All that a checkpoint holds but times.
void check_same_checkpoint(const std::string& a, const std::string& b) {
  auto left = io::load_checkpoint(io::last_checkpoint(a)), right = io::load_checkpoint(io::last_checkpoint(b));
  CHECK(differing(left.model, right.model) == std::vector<std::string>{});
  CHECK(differing(left.training_tensors, right.training_tensors) == std::vector<std::string>{});
  for (auto* state : {&left.training_state, &right.training_state}) {
    state->erase("times");
    state->erase("seconds_at_log");
  }
  CHECK(left.training_state == right.training_state);
}

TEST_CASE("a run that stops and resumes ends with the same bits as one that does not, for every model", "[F27][F28]") {
  set_two_threads();
  SmallData data;
  auto options = small_options_of_training(10);
  options.accumulation = 2;
  options.schedule = config::Choice<schedules>("cosine");
  options.averaging = config::Choice<averagings>("best", AveragingOptions{.checkpoints = 3});
  for (const auto& variant : test::every_model()) {
    CAPTURE(variant.name);
    const ScratchFolder whole, stopped, broken;
    Recorder recorder;
    const TwoWorkers uninterrupted(data, variant.model);
    const auto expected = train_small(uninterrupted.setup(data, options, whole.path()), recorder);
    CHECK(expected.outcome == Outcome::finished);

    Recorder stop_at_5;
    stop_at_5.stop_after = 5;
    const TwoWorkers begun(data, variant.model);
    const auto interrupted = train_small(begun.setup(data, options, stopped.path()), stop_at_5);
    CHECK(interrupted.outcome == Outcome::interrupted);
    CHECK(interrupted.position.update == 5);

    Recorder break_at_6;
    break_at_6.break_after = 6;  // the last checkpoint is of update 4
    const TwoWorkers killed(data, variant.model);
    CHECK_THROWS(train_small(killed.setup(data, options, broken.path()), break_at_6));

    for (const auto* folder : {&stopped, &broken}) {
      const TwoWorkers resumed(data, variant.model, /*seed=*/99);
      Trainer trainer(resumed.setup(data, options, folder->path()));
      trainer.resume();
      Recorder rest;
      const auto result = trainer.run(rest, rest.stop);
      CHECK(rest.starts.at(0).resumed);
      CHECK(result.batches_sha256 == expected.batches_sha256);
      CHECK(result.position.target_tokens == expected.position.target_tokens);
      CHECK(result.best_update == expected.best_update);
      CHECK(result.best_value == expected.best_value);
      CHECK(test::same_bits(*resumed.model, *uninterrupted.model));
      check_same_checkpoint(whole.path(), folder->path());
      for (const auto& update : rest.updates) {
        CHECK(update.loss == recorder.updates.at(static_cast<size_t>(update.position.update - 1)).loss);
      }
    }
  }
}

TEST_CASE("two runs have the same bits, another seed has others, for every model", "[F41]") {
  set_two_threads();
  SmallData data;
  const auto options = small_options_of_training(6);
  for (const auto& variant : test::every_model()) {
    CAPTURE(variant.name);
    const ScratchFolder a, b, c;
    Recorder recorder;
    const auto first = data.model(variant.model), second = data.model(variant.model), third = data.model(variant.model);
    const auto one = train_small(setup_of(data, *first, options, a.path()), recorder);
    const auto two = train_small(setup_of(data, *second, options, b.path()), recorder);
    CHECK(test::same_bits(*first, *second));
    CHECK(one.batches_sha256 == two.batches_sha256);
    auto other = setup_of(data, *third, options, c.path());
    other.seed = 12;
    CHECK(train_small(other, recorder).batches_sha256 != one.batches_sha256);
    CHECK_FALSE(test::same_bits(*first, *third));
  }
}

TEST_CASE("all models see the same batches") {
  SmallData data;
  const auto options = small_options_of_training(3);
  std::set<std::string> hashes;
  for (const auto& variant : test::every_model()) {
    const ScratchFolder folder;
    Recorder recorder;
    const auto model = data.model(variant.model);
    hashes.insert(train_small(setup_of(data, *model, options, folder.path()), recorder).batches_sha256);
  }
  CHECK(hashes.size() == 1);
}

TEST_CASE("dividing a batch among parts and workers changes neither gradient nor masks nor the hash, for every model") {
  set_two_threads();
  SmallData data(64);
  for (const auto& variant : test::every_model()) {
    CAPTURE(variant.name);
    const auto model = data.model(variant.model), copy = data.model(variant.model, /*seed=*/8),
               another = data.model(variant.model, /*seed=*/9);
    FlatParameters parameters(*model, {copy.get(), another.get()});
    for (const auto& worker : {model, copy, another}) worker->train();
    const auto gradient = [&](std::vector<models::SequenceModel*> workers, int64_t parts, std::string& hash) {
      Updater updater(std::move(workers), {.loss = {.label_smoothing = 0.1}, .parts = parts, .seed = 4});
      parameters.zero_gradients();
      const auto sums = updater.add_gradient(data.training.examples(), 7);
      parameters.add_up_gradients();
      hash = updater.hash().hex();
      return std::pair{parameters.gradients().clone(), sums};
    };
    std::string hash_of_one, hash;
    const auto [whole, sums] = gradient({model.get()}, 1, hash_of_one);
    const std::vector<models::SequenceModel*> all{model.get(), copy.get(), another.get()};
    for (const auto& [workers, parts] : {std::pair{1, 4}, {2, 1}, {3, 2}}) {
      CAPTURE(workers, parts);
      const auto [divided, sums_of_parts] = gradient({all.begin(), all.begin() + workers}, parts, hash);
      CHECK((whole - divided).abs().max().item<double>() < 1e-5 * whole.abs().max().item<double>() + 1e-7);
      CHECK(sums.loss == Approx(sums_of_parts.loss).epsilon(1e-5));
      CHECK(sums.tokens == sums_of_parts.tokens);
      CHECK(hash_of_one == hash);
      CHECK(gradient({all.begin(), all.begin() + workers}, parts, hash).first.equal(divided));
    }
    CHECK(gradient(all, 1000, hash).second.tokens == sums.tokens);  // more parts than sentences
  }
}

TEST_CASE("a batch of fewer sentences than workers is divided among as many as there are") {
  set_two_threads();
  SmallData data(2);
  const auto variant = test::every_model().front();
  const auto model = data.model(variant.model), copy = data.model(variant.model), another = data.model(variant.model);
  FlatParameters parameters(*model, {copy.get(), another.get()});
  Updater updater({model.get(), copy.get(), another.get()}, {.seed = 4});
  CHECK(updater.add_gradient(data.training.examples(), 1).tokens > 0);
  CHECK(updater.add_gradient({data.training.examples().front()}, 2).tokens > 0);
}

TEST_CASE("every model can learn a few sentences by heart") {
  set_two_threads();
  SmallData data(4);
  auto options = small_options_of_training(150);
  options.valid_every = options.checkpoint_every = 150;
  options.log_every = 50;
  options.label_smoothing = 0;
  options.batches.batch_tokens = 1000;
  for (auto variant : test::every_model()) {
    CAPTURE(variant.name);
    variant.model["dropout"] = 0;
    if (variant.name == "transformer") variant.model["attention_dropout"] = variant.model["activation_dropout"] = 0;
    const ScratchFolder folder;
    Recorder recorder;
    const auto model = data.model(variant.model);
    train_small(setup_of(data, *model, options, folder.path()), recorder);
    CHECK(recorder.validations.back().evaluation.nll_per_token < 0.1);
    CHECK(data.evaluator.decoded(*model, {}).hypotheses == data.text.target);
  }
}

TEST_CASE("a loss that is not finite ends the run with a diagnosis and keeps the last good checkpoint", "[F42]") {
  SmallData data;
  auto options = small_options_of_training(200);
  options.checkpoint_every = options.valid_every = 1;
  options.clip_norm = 0;
  options.optimizer = config::Choice<optimizers>("sgd", SgdOptions{.learning_rate = 1e3, .momentum = 0.9});
  const ScratchFolder folder;
  Recorder recorder;
  const auto model = data.model(test::small_options("seq2seq"));
  const auto result = train_small(setup_of(data, *model, options, folder.path()), recorder);
  CHECK(result.outcome == Outcome::diverged);
  CHECK(result.reason.find(format("update {}: loss ", result.position.update + 1)) == 0);
  CHECK(result.reason.find("at learning rate 1000; try a lower learning rate") != std::string::npos);
  CHECK(recorder.ends.at(0).reason == result.reason);
  const auto kept = io::load_model_tensors(io::last_checkpoint(folder.path()));
  CHECK(io::update_of(io::last_checkpoint(folder.path())) == result.position.update);
  for (const auto& [name, tensor] : kept) CHECK(tensor.isfinite().all().item<bool>());
}

TEST_CASE("training ends after validations without a new best") {
  SmallData data;
  auto options = small_options_of_training(100);
  options.optimizer = config::Choice<optimizers>("adam", AdamOptions{.learning_rate = 0});
  options.early_stopping = config::Choice<early_stoppings>("patience", PatienceOptions{.validations = 2});
  const ScratchFolder folder;
  Recorder recorder;
  const auto model = data.transformer();
  const auto result = train_small(setup_of(data, *model, options, folder.path()), recorder);
  CHECK(result.outcome == Outcome::stalled);
  CHECK(result.position.update == 12);  // the best at 4, none at 8 and 12
  CHECK(result.best_update == 4);
  CHECK(result.reason == "no better validation for 2 in a row");
}

TEST_CASE("budgets count updates, target tokens or seconds of training, and never pass their total", "[F35]") {
  SmallData data;
  const auto model = data.transformer();
  auto options = small_options_of_training(3);
  for (const auto unit : {Budget::Unit::updates, Budget::Unit::target_tokens, Budget::Unit::seconds}) {
    const ScratchFolder folder;
    Recorder recorder;
    options.budget = {unit, unit == Budget::Unit::seconds ? 0.05 : unit == Budget::Unit::updates ? 3 : 100};
    const auto result = train_small(setup_of(data, *model, options, folder.path()), recorder);
    CHECK(result.outcome == Outcome::finished);
    for (const auto& update : recorder.updates) CHECK(update.position.fraction <= 1);
    CHECK(recorder.updates.back().position.fraction == 1);
    const auto& updates = recorder.updates;
    const auto before_last = updates.size() > 1 ? updates[updates.size() - 2].position.target_tokens : 0;
    if (unit == Budget::Unit::updates) CHECK(result.position.update == 3);
    if (unit == Budget::Unit::target_tokens) CHECK((result.position.target_tokens >= 100 && before_last < 100));
    if (unit == Budget::Unit::seconds) CHECK(result.times.train >= 0.05);
  }
}

TEST_CASE("a corpus of one pair trains", "[F35]") {
  SmallData data(1);
  const auto model = data.transformer();
  const ScratchFolder folder;
  Recorder recorder;
  auto options = small_options_of_training(6);
  options.accumulation = 3;
  options.valid_decoding = ValidDecoding::greedy;
  const auto result = train_small(setup_of(data, *model, options, folder.path()), recorder);
  CHECK(result.outcome == Outcome::finished);
  CHECK(result.position.epoch == 6);
  CHECK(recorder.validations.size() == 2);
  CHECK(recorder.validations[0].evaluation.decoded->hypotheses.size() == 1);
}

TEST_CASE("the average of the last checkpoints is their mean, and the best only if it is better") {
  SmallData data;
  auto options = small_options_of_training(12);
  options.averaging = config::Choice<averagings>("last", AveragingOptions{.checkpoints = 3});
  options.keep_checkpoints = 1;
  const ScratchFolder folder;
  Recorder recorder;
  const auto model = data.transformer();
  const auto result = train_small(setup_of(data, *model, options, folder.path()), recorder);
  CHECK(io::saved_updates(folder.path()) == std::vector<int64_t>{4, 8, 12});
  const auto averaged = io::load_model_tensors(io::checkpoint_folder(folder / "averaged", 12));
  std::vector<io::NamedTensors> parts;
  for (const int64_t update : {4, 8, 12})
    parts.push_back(io::load_model_tensors(io::checkpoint_folder(folder.path(), update)));
  for (size_t i = 0; i < averaged.size(); ++i) {
    const auto mean = (parts[0][i].tensor + parts[1][i].tensor + parts[2][i].tensor) / 3;
    CHECK((averaged[i].tensor - mean).abs().max().item<double>() < 1e-6);
  }
  const auto& last = recorder.validations.back();
  REQUIRE(last.averaged);
  const double best_before = std::min_element(recorder.validations.begin(), recorder.validations.end() - 1,
                                              [](const Validated& a, const Validated& b) {
                                                return a.evaluation.nll_per_token < b.evaluation.nll_per_token;
                                              })
                                 ->evaluation.nll_per_token;
  CHECK(last.best == (last.evaluation.nll_per_token < best_before));
  CHECK((result.best_checkpoint.find("averaged") != std::string::npos) == last.best);
  CHECK(result.best_value == Approx(std::min(best_before, last.evaluation.nll_per_token)).epsilon(1e-12));
  CHECK(io::find_checkpoint(folder.path()).string() == result.best_checkpoint);
}

TEST_CASE("the average is measured with its own parameters in bfloat16 too") {
  SmallData data;
  auto options = small_options_of_training(8);
  options.averaging = config::Choice<averagings>("last", AveragingOptions{.checkpoints = 2});
  options.valid_decoding = ValidDecoding::greedy;
  const ScratchFolder folder;
  Recorder recorder;
  const auto model = data.transformer();
  auto setup = setup_of(data, *model, options, folder.path());
  setup.precision = Precision::bfloat16;
  train_small(setup, recorder);
  const auto averaged = io::load_model_tensors(io::checkpoint_folder(folder / "averaged", 8));
  const auto fresh = data.transformer(/*seed=*/5);
  io::load_parameters(*fresh, averaged, "average");
  const auto evaluation = data.evaluator.forced(*fresh, Precision::bfloat16);
  REQUIRE(recorder.validations.back().averaged);
  CHECK(recorder.validations.back().evaluation.nll_per_token == evaluation.nll_per_token);
}

TEST_CASE("checkpoints beyond the rule go, the best stays", "[F30]") {
  SmallData data;
  auto options = small_options_of_training(12);
  options.keep_checkpoints = 1;
  options.checkpoint_every = 2;
  options.optimizer = config::Choice<optimizers>("adam", AdamOptions{.learning_rate = 0});  // the first stays the best
  const ScratchFolder folder;
  Recorder recorder;
  const auto model = data.transformer();
  const auto setup = setup_of(data, *model, options, folder.path());
  const auto result = train_small(setup, recorder);
  CHECK(result.best_update == 4);
  CHECK(io::saved_updates(folder.path()) == std::vector<int64_t>{4, 12});
  io::load_parameters(*model, io::load_model_tensors(result.best_checkpoint), "best");
  CHECK(data.evaluator.forced(*model).nll_per_token == result.best_value);
}

TEST_CASE("a warm start takes parameters by name and shape and says what it left out") {
  SmallData data;
  auto options = small_options_of_training(4);
  const ScratchFolder first, second;
  Recorder recorder;
  const auto model = data.transformer();
  train_small(setup_of(data, *model, options, first.path()), recorder);

  auto smaller = test::small_options("transformer");
  smaller["d_hidden"] = 20;
  const auto started = data.model(smaller, /*seed=*/77);
  options.initialize_from.value = first.path();
  options.optimizer = config::Choice<optimizers>("adam", AdamOptions{.learning_rate = 0});  // stays where it starts
  train_small(setup_of(data, *started, options, second.path()), recorder);
  const auto source = to_map(io::parameters_of(*model));
  int64_t equal = 0, other_shape = 0;
  for (const auto& [name, tensor] : io::parameters_of(*started)) {
    if (tensor.sizes() != source.at(name).sizes()) ++other_shape;
    if (torch::equal(tensor, source.at(name))) ++equal;
  }
  CHECK(equal > 0);
  CHECK(other_shape > 0);
  CHECK(std::ssize(recorder.starts.back().notes) == other_shape);
  CHECK(recorder.starts.back().notes.at(0).find("has another shape in the checkpoint and starts anew") !=
        std::string::npos);

  torch::nn::Linear stranger(2, 2);
  CHECK(test::error_of([&] {
          initialize_from(*stranger, first.path());
        }).find("/train/initialize_from: no parameter of ") == 0);
}

TEST_CASE("a warm start without a whole checkpoint is a fault of the configuration, and a resumed run needs none") {
  SmallData data;
  auto options = small_options_of_training(4);
  const ScratchFolder first, second;
  Recorder recorder;
  const auto model = data.transformer(), started = data.transformer(/*seed=*/77);
  train_small(setup_of(data, *model, options, first.path()), recorder);
  options.initialize_from.value = first.path();
  Recorder stop_at_2;
  stop_at_2.stop_after = 2;
  train_small(setup_of(data, *started, options, second.path()), stop_at_2);

  const std::string file = io::last_checkpoint(first.path()) / "model.safetensors";
  fs::resize_file(file, fs::file_size(file) - 1);
  CHECK(test::error_of([&] { initialize_from(*model, first.path()); }).find("/train/initialize_from: ") == 0);
  fs::remove_all(first / "checkpoints");
  CHECK_THROWS_AS(initialize_from(*model, first.path()), UsageError);
  CHECK(test::error_of([&] { initialize_from(*model, first.path()); }).find("/train/initialize_from: ") == 0);

  Trainer trainer(setup_of(data, *started, options, second.path()));
  trainer.resume();
  const auto result = trainer.run(recorder, recorder.stop);
  CHECK(result.position.update == 4);
  CHECK(recorder.starts.back().notes.empty());
}

TEST_CASE("a last checkpoint that was saved before it was validated becomes the best all the same", "[F30]") {
  SmallData data;
  auto options = small_options_of_training(6);
  options.checkpoint_every = 3;
  options.valid_every = 100;
  const ScratchFolder folder;
  Recorder recorder;
  const auto model = data.transformer();
  const auto result = train_small(setup_of(data, *model, options, folder.path()), recorder);
  CHECK(result.best_update == 6);
  REQUIRE_FALSE(result.best_checkpoint.empty());
  CHECK(io::update_of(result.best_checkpoint) == 6);
  CHECK(recorder.checkpoints.back().best);
  CHECK(io::load_checkpoint(result.best_checkpoint).training_state.at("validated") == 6);
}

TEST_CASE("learned positions: a training pair that does not fit is refused, validation says what it cuts", "[F10]") {
  SmallData data;
  const auto options = small_options_of_training(2);
  const ScratchFolder folder;
  Recorder recorder;
  const auto small = data.transformer_of(6), fitting = data.transformer_of(7);  // six words and eos
  CHECK(test::error_of([&] { Trainer(setup_of(data, *small, options, folder.path())); }) ==
        "/data/filter: leaves a training pair of 7 source and 7 target tokens, eos counted, but the model learns 6 "
        "positions; expected lower max_source_tokens and max_target_tokens or more positions");
  auto text = data.text;
  text.source[0] = text.source[1] = "aa aa aa aa aa aa aa aa";
  const Evaluator longer(text, data.tokenizers, {});
  auto setup = setup_of(data, *fitting, options, folder.path());
  setup.validation = &longer;
  CHECK(train_small(setup, recorder).outcome == Outcome::finished);
  CHECK(recorder.starts.at(0).notes ==
        std::vector<std::string>{"valid: 2 of 40 pairs are longer than the 7 positions that the model learned; their "
                                 "ends are cut off"});
}

TEST_CASE("learned positions: sampled subwords stay within the filter's limits, which must fit", "[F10]") {
  SmallData data;
  const tokenizer::SubwordOptions subwords{
      .training = {.vocab_size = 100},
      .sampling = config::Choice<tokenizer::samplings>("n_best", tokenizer::NBestOptions{.n = 64, .alpha = 0})};
  data.tokenizers =
      tokenizer::make(config::Choice<tokenizer::tokenizers>("unigram", tokenizer::UnigramOptions{subwords}),
                      {data.text.source, data.text.target});
  data.training = data::make_training_set(data.text, data.tokenizers, {});
  int64_t longest = 0;
  for (const auto& [source, target] : data::lengths_of(data.training.examples()))
    longest = std::max({longest, source, target});
  const Evaluator validation(data.text, data.tokenizers, {});
  const auto model = data.transformer_of(longest);
  const auto options = small_options_of_training(30);
  const ScratchFolder folder;
  auto setup = setup_of(data, *model, options, folder.path());
  setup.validation = &validation;
  CHECK(
      test::error_of([&] { Trainer{setup}; }) ==
      format("/data/filter: with subword sampling a sentence may be longer in another epoch than the {} positions "
             "that the model learns, expected max_source_tokens and max_target_tokens from 1 to {}, or more positions",
             longest, longest - 1));
  data.training = data::make_training_set(data.text, data.tokenizers,
                                          {.max_source_tokens = longest - 1, .max_target_tokens = longest - 1});
  Recorder recorder;
  CHECK(train_small(setup, recorder).outcome == Outcome::finished);
  CHECK(recorder.updates.back().position.epoch > 2);
}

TEST_CASE("resuming without a checkpoint, with another seed or other batches is refused", "[F29]") {
  SmallData data;
  const auto options = small_options_of_training(4);
  const ScratchFolder folder;
  Recorder recorder;
  const auto model = data.transformer();
  const auto setup = setup_of(data, *model, options, folder.path());
  CHECK(test::error_of([&] { Trainer(setup).resume(); }) == folder.path() + ": has no checkpoint to resume from");
  train_small(setup, recorder);
  auto other_seed = setup;
  other_seed.seed = 12;
  CHECK(test::error_of([&] { Trainer(other_seed).resume(); }) == "/seed: got 12, but the run to resume has 11");
  auto other_batches = setup;
  other_batches.options.batches.batch_tokens = 30;
  CHECK(test::error_of([&] { Trainer(other_batches).resume(); }).find("/train: the batches of epoch 0 are not those") !=
        std::string::npos);
  const auto gru = data.model(test::small_options("seq2seq"));
  auto other_model = setup;
  other_model.model = gru.get();
  CHECK(test::error_of([&] { Trainer(other_model).resume(); }).find("does not fit the model") != std::string::npos);
}

TEST_CASE("validation leaves training alone, in both precisions") {
  set_two_threads();
  SmallData data;
  for (const auto precision : {Precision::float32, Precision::bfloat16}) {
    std::vector<std::shared_ptr<models::EncoderDecoder>> trained;
    for (const int64_t every : {2, 100}) {
      auto options = small_options_of_training(6);
      options.valid_every = every;
      options.checkpoint_every = 100;
      options.valid_decoding = ValidDecoding::greedy;
      const ScratchFolder folder;
      Recorder recorder;
      trained.push_back(data.transformer());
      auto setup = setup_of(data, *trained.back(), options, folder.path());
      setup.precision = precision;
      train_small(setup, recorder);
    }
    CHECK(test::same_bits(*trained[0], *trained[1]));
  }
}

TEST_CASE("the phases of an update add up to no more than its time, with one worker and with two") {
  set_two_threads();
  SmallData data;
  auto options = small_options_of_training(6);
  options.log_every = 3;
  for (const bool two : {false, true}) {
    CAPTURE(two);
    const ScratchFolder folder;
    Recorder recorder;
    const TwoWorkers workers(data, test::every_model().front().model);
    auto setup = workers.setup(data, options, folder.path());
    if (!two) setup.copies.clear();
    const auto result = train_small(setup, recorder);
    REQUIRE(recorder.updates.size() == 2);
    double sum = 0;
    for (const auto& update : recorder.updates) {
      const auto& phases = update.phases;
      CHECK(phases.updates == 3);
      for (const double seconds : {phases.data, phases.forward, phases.loss, phases.backward, phases.optimizer}) {
        CHECK(seconds > 0);
        sum += seconds;
      }
    }
    CHECK(sum <= result.times.train);
  }
}

TEST_CASE("log lines hold means over the updates since the last one, and the nll knows no smoothing") {
  SmallData data;
  auto options = small_options_of_training(4);
  const auto run = [&](int64_t log_every) {
    options.log_every = log_every;
    const ScratchFolder folder;
    Recorder recorder;
    const auto model = data.transformer();
    train_small(setup_of(data, *model, options, folder.path()), recorder);
    return recorder.updates;
  };
  const auto each = run(1), together = run(4);
  REQUIRE(each.size() == 4);
  REQUIRE(together.size() == 1);
  double loss = 0, tokens = 0;
  for (const auto& update : each) {
    const double of_update = static_cast<double>(update.position.target_tokens) - tokens;
    loss += update.loss * of_update;
    tokens += of_update;
    CHECK(update.loss > update.nll_per_token * 0.9);
    CHECK(update.loss != update.nll_per_token);
    CHECK(update.learning_rate == 0.01);
  }
  CHECK(together[0].loss == Approx(loss / tokens).epsilon(1e-9));
}

}  // namespace
}  // namespace tr::train
