#include "libtr/experiment/evaluate.h"

#include <cstdio>

#include "libtr/base/error.h"
#include "libtr/base/nearest.h"
#include "libtr/decode/forced.h"
#include "libtr/experiment/result.h"
#include "libtr/experiment/train_run.h"

namespace tr::experiment {

EvaluationSet named_set(const SavedModel& saved, const std::string& name) {
  const auto& data = saved.options.data;
  const auto made = [&](const std::string& set, const config::Choice<data::corpora>& corpus, const std::string& at) {
    return evaluation_set(set, corpus.make(at), saved.tokenizers, saved.options.evaluate);
  };
  if (name == "valid" || (name.empty() && data.test.empty())) return made("valid", data.valid, "/data/valid");
  std::vector<std::string> known = {"valid"};
  for (const auto& [test, corpus] : data.test) {
    if (name.empty() || name == test) return made(test, corpus, "/data/test/" + config::escape_pointer(test));
    known.push_back(test);
  }
  throw UsageError("--split", "got \"" + name + "\"" + suggestion(name, known, "sets"));
}

EvaluationSet file_set(const SavedModel& saved, const std::string& source, const std::string& target) {
  const config::Choice<data::corpora> files("parallel", data::ParallelFiles{{source}, {target}});
  return evaluation_set("files", files.make("--source and --target"), saved.tokenizers, saved.options.evaluate);
}

void warn_of_cut(const models::EncoderDecoder& model, const EvaluationSet& set) {
  const std::string note = set.evaluator->note_of_cut(model);
  if (!note.empty()) std::fprintf(stderr, "%s: %s\n", set.name.c_str(), note.c_str());
}

config::Json evaluate(const SavedModel& saved, const EvaluationSet& set, std::function<void(int64_t)> progress) {
  const train::Tested test = test_model(*saved.model, set, saved.options, std::move(progress));
  config::Json json = {{"checkpoint", saved.checkpoint.string()}, {"name", set.name}};
  json.update(to_json(test.evaluation));
  json["decode_seconds"] = test.decode_seconds;
  return json;
}

config::Json forced_scores(const SavedModel& saved, const EvaluationSet& set) {
  const train::PrecisionGuard guard(saved.options.precision, saved.runtime.device.type());
  config::Json lines = config::Json::array();
  for (const auto& score : decode::score_targets(*saved.model, *set.evaluator->examples_for(*saved.model))) {
    lines.push_back({{"log_probability", score.log_probability}, {"tokens", score.tokens}});
  }
  return {{"checkpoint", saved.checkpoint.string()}, {"name", set.name}, {"lines", lines}};
}

}  // namespace tr::experiment
