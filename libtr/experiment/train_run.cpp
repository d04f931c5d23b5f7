#include "libtr/experiment/train_run.h"

#include <chrono>
#include <cstdio>

#include "libtr/base/files.h"
#include "libtr/base/format.h"
#include "libtr/base/nearest.h"
#include "libtr/base/random.h"
#include "libtr/config/json_text.h"
#include "libtr/experiment/corpus_record.h"
#include "libtr/experiment/environment.h"
#include "libtr/experiment/evaluate.h"
#include "libtr/experiment/interrupt.h"
#include "libtr/experiment/result.h"
#include "libtr/experiment/samples.h"
#include "libtr/experiment/tokenizer_cache.h"
#include "libtr/io/checkpoint.h"
#include "libtr/report/progress.h"
#include "libtr/report/run_files.h"
#include "libtr/report/run_log.h"
#include "libtr/train/stopwatch.h"

namespace tr::experiment {
namespace fs = std::filesystem;
using config::Json;
using config::value_at;
namespace {

constexpr size_t kSamples = 8;  // test sentences on the page

/// Tells several listeners.
class Listeners : public train::TrainListener {
 public:
  void add(std::unique_ptr<train::TrainListener> listener) { all_.push_back(std::move(listener)); }
  void run_started(const train::RunStarted& event) override { tell(&TrainListener::run_started, event); }
  void update_logged(const train::UpdateLogged& event) override { tell(&TrainListener::update_logged, event); }
  void validated(const train::Validated& event) override { tell(&TrainListener::validated, event); }
  void checkpoint_saved(const train::CheckpointSaved& event) override { tell(&TrainListener::checkpoint_saved, event); }
  void tested(const train::Tested& event) override { tell(&TrainListener::tested, event); }
  void run_ended(const train::RunEnded& event) override { tell(&TrainListener::run_ended, event); }

 private:
  template <class Event>
  void tell(void (train::TrainListener::*what)(const Event&), const Event& event) {
    for (const auto& listener : all_) (listener.get()->*what)(event);
  }
  std::vector<std::unique_ptr<train::TrainListener>> all_;
};

void write_hypotheses(const fs::path& run, const std::string& name, const std::vector<std::string>& lines) {
  fs::create_directories(run / "hypotheses");
  write_file(run / "hypotheses" / (name + ".txt"), lines.empty() ? "" : join(lines, "\n") + "\n");
}

// Of the first test set, evenly spaced.
std::vector<Sample> choose_samples(const EvaluationSet& set, const train::Decoded& decoded) {
  std::vector<Sample> samples;
  const size_t lines = decoded.hypotheses.size(), count = std::min(kSamples, lines);
  for (size_t i = 0; i < count; ++i) {
    const size_t line = i * lines / count;
    samples.push_back({set.text->source[line], set.text->target[line], decoded.hypotheses[line], decoded.ids[line]});
  }
  return samples;
}

/// Measures the best checkpoint on every set; writes hypotheses and samples.
void measure(models::EncoderDecoder& model, const RunOptions& options, const Material& material, const fs::path& run,
             bool quiet, train::TrainListener& listener, RunFacts& facts, Json& result) {
  const auto tested = [&](const EvaluationSet& set) {
    train::Tested test = test_model(model, set, options);
    facts.decode_seconds += test.decode_seconds;
    write_hypotheses(run, set.name, test.evaluation.decoded->hypotheses);
    listener.tested(test);
    return test;
  };
  result["valid"] = to_json(tested(material.validation).evaluation);
  result["test"] = Json::object();
  for (const EvaluationSet& set : material.tests) {
    if (!quiet) warn_of_cut(model, set);  // of the validation set training has told
    const train::Tested test = tested(set);
    result["test"][set.name] = to_json(test.evaluation);
    if (&set == &material.tests.front()) {
      config::write_json(run / "samples.json",
                         samples_json(model, material.tokenizers, choose_samples(set, *test.evaluation.decoded)));
    }
  }
}

// Sums of floating-point numbers depend on how many threads share them out.
std::vector<std::string> notes_of_threads(const RunFolder& folder, const train::Runtime& runtime) {
  const fs::path diary = folder.path() / "events.jsonl";
  if (!folder.has_checkpoint() || !fs::exists(diary)) return {};
  Json before;
  for (const Json& event : report::read_events(diary)) {
    if (value_at(event, "/type") == "run_start") before = value_at(event, "/environment/threads");
  }
  if (before.is_null() || before == runtime.threads) return {};
  return {format("threads: {} so far, {} from here on; the run will not end with the bits of one that never stopped",
                 before.dump(), runtime.threads)};
}

// An earlier sitting may have left a profile: one of no updates would replace it by nothing.
void leave_profile(const train::OperatorProfile& profile, const train::PhaseTimes& phases, const fs::path& run,
                   const Display& display) {
  if (!display.profile) return;
  if (phases.updates > 0) {
    config::write_json(run / "profile.json", to_json(profile, phases));
  } else if (!display.quiet) {
    std::fprintf(stderr, "profile: no update was made, so there is nothing to profile\n");
  }
}

// Of a run that has finished.
Json kept_result(const RunFolder& folder, const Display& display) {
  leave_profile({}, {}, folder.path(), display);
  return folder.result();
}

Json start_event(const RunOptions& options, const Json& environment, const RunFolder& folder) {
  Json start = {{"seed", options.seed}, {"environment", environment}};
  if (!folder.notes().empty()) start["changed"] = folder.notes();
  return start;
}

}  // namespace

Models new_models(const RunOptions& options, const models::Vocabularies& vocabularies, const train::Runtime& runtime) {
  Models all;
  for (int64_t i = 0; i < options.workers(runtime); ++i) {
    torch::manual_seed(stream_seed(static_cast<uint64_t>(options.seed), "parameters"));
    all.push_back(options.model.make(vocabularies));
    all.back()->to(runtime.device);
  }
  return all;
}

train::TrainSetup train_setup(const RunOptions& options, Material& material, const Models& models,
                              const fs::path& run) {
  train::TrainSetup setup{.model = models.front().get(),
                          .training_set = &material.training,
                          .validation = material.validation.evaluator.get(),
                          .tokenizers = &material.tokenizers,
                          .config = config::write_value(options),
                          .run = run.string(),
                          .options = options.train,
                          .decoding = options.decode,
                          .seed = static_cast<uint64_t>(options.seed),
                          .precision = options.precision,
                          .notes = material.notes};
  for (size_t i = 1; i < models.size(); ++i) setup.copies.push_back(models[i].get());
  return setup;
}

train::Tested test_model(models::EncoderDecoder& model, const EvaluationSet& set, const RunOptions& options,
                         std::function<void(int64_t)> progress) {
  train::Tested test{.name = set.name, .evaluation = set.evaluator->forced(model, options.precision)};
  const train::PrecisionGuard guard(options.precision, model.output().weight.device().type());
  const auto start = std::chrono::steady_clock::now();
  if (progress) progress(0);
  test.evaluation.decoded = set.evaluator->decoded(model, options.decode, 0, std::move(progress));
  test.decode_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return test;
}

Json train_run(const RunOptions& options, Material& material, const RunFolder& folder, const train::Runtime& runtime,
               const Display& display) {
  if (folder.has_result()) return kept_result(folder, display);
  const Models all = new_models(options, material.vocabularies(), runtime);
  const auto& model = all.front();
  const Json surroundings = environment(options, runtime);
  config::write_json(folder.path() / kCorpus, material.corpus);
  Listeners listeners;
  listeners.add(std::make_unique<report::RunLog>(folder.path(), start_event(options, surroundings, folder)));
  if (!display.quiet) listeners.add(std::make_unique<report::Progress>(display.label, options.model.type()));

  train::OperatorProfile profile;
  train::TrainSetup setup = train_setup(options, material, all, folder.path());
  for (auto& note : notes_of_threads(folder, runtime)) setup.notes.push_back(std::move(note));
  if (display.profile) setup.profile = &profile;
  train::Trainer trainer(std::move(setup));
  if (folder.has_checkpoint()) trainer.resume();
  RunFacts facts;
  facts.training = trainer.run(listeners, stop_requested());
  leave_profile(profile, facts.training.phases, folder.path(), display);
  if (facts.training.outcome == train::Outcome::interrupted) {
    throw Interrupted("stopped at update " + std::to_string(facts.training.position.update) +
                      ", the state is saved; --resume goes on");
  }
  facts.parameters = count_parameters(*model);
  facts.multiply_adds_per_target_token =
      multiply_adds_per_target_token(*model, material.validation.evaluator->examples());

  Json evaluations = Json::object();
  if (!facts.training.best_checkpoint.empty()) {
    const train::Stopwatch stopwatch(facts.measure_seconds);
    const double processor_before = train::processor_seconds();
    io::load_parameters(*model, io::load_model_tensors(facts.training.best_checkpoint), facts.training.best_checkpoint);
    measure(*model, options, material, folder.path(), display.quiet, listeners, facts, evaluations);
    facts.measure_cpu_seconds = train::processor_seconds() - processor_before;
  }
  Json result = result_of(facts);
  if (facts.training.outcome == train::Outcome::diverged) result["diagnosis"] = facts.training.reason;
  result.update(evaluations);
  result["seed"] = options.seed;
  result["environment"] = surroundings;
  result["corpus"] = material.corpus;
  folder.write_result(result);
  return result;
}

Json train_alone(const RunOptions& options, const fs::path& folder, Resume resume, const Display& display) {
  const train::Runtime runtime = train::set_up_runtime(options.runtime());
  if (!display.quiet) {
    for (const auto& note : runtime.notes) std::fprintf(stderr, "%s\n", note.c_str());
  }
  const RunFolder run(folder, options, resume);
  if (run.has_result()) return kept_result(run, display);
  Inputs inputs = read_inputs(options);
  check_corpus(run.path(), inputs.corpus);
  Material material = make_material(options, std::move(inputs), run.path() / kTokenizer);
  return train_run(options, material, run, runtime, display);
}

}  // namespace tr::experiment
