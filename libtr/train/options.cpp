#include "libtr/train/options.h"

#include <algorithm>

#include "libtr/base/error.h"
#include "libtr/base/format.h"

namespace tr::train {
namespace {

constexpr const char* kExample =
    "expected an object with one of updates, target_tokens, seconds, such as {\"updates\": 3000}";

}  // namespace

void Budget::read(const config::Json& json, const config::Place& place) {
  if (!json.is_object()) place.fail(format("{}, got {}", kExample, config::type_name(json)));
  config::refuse_unknown_keys(json, place, {"updates", "target_tokens", "seconds"});
  if (json.size() != 1) place.fail(format("{}, got {} of them", kExample, json.size()));
  for (const auto& [unit, name] : names_of(Unit{})) {
    if (!json.contains(name)) continue;
    unit_ = unit;
    if (unit == Unit::seconds) {
      config::read_value(json[name], place.child(name), config::above(0), amount_);
    } else {
      int64_t whole = 0;
      config::read_value(json[name], place.child(name), config::at_least(1), whole);
      amount_ = static_cast<double>(whole);
    }
  }
}

config::Json Budget::write() const {
  for (const auto& [unit, name] : names_of(Unit{})) {
    if (unit == unit_ && unit == Unit::seconds) return {{name, amount_}};
    if (unit == unit_) return {{name, static_cast<int64_t>(amount_)}};
  }
  return nullptr;
}

config::Json Budget::schema() const {
  config::Json alternatives = config::Json::array();
  for (const auto& [unit, name] : names_of(Unit{})) {
    const auto amount = unit == Unit::seconds ? config::number_schema("number", config::above(0))
                                              : config::number_schema("integer", config::at_least(1));
    alternatives.push_back({{"type", "object"},
                            {"properties", {{name, amount}}},
                            {"required", config::Json::array({name})},
                            {"additionalProperties", false}});
  }
  return {{"oneOf", alternatives}};
}

void Budget::validate(const std::string&) const {}

EarlyStoppings& early_stoppings() {
  static EarlyStoppings table = [] {
    EarlyStoppings filled("early stopping");
    filled.add<config::NoOptions>("none", "the whole budget is used", "",
                                  [](const config::NoOptions&) { return int64_t{0}; });
    filled.add<PatienceOptions>("patience", "stops after validations without a new best", "",
                                [](const PatienceOptions& options) { return options.validations; });
    return filled;
  }();
  return table;
}

Averagings& averagings() {
  static Averagings table = [] {
    using Which = AveragingRule::Which;
    Averagings filled("averaging");
    filled.add<config::NoOptions>("none", "no averaging", "", [](const config::NoOptions&) { return AveragingRule{}; });
    filled.add<AveragingOptions>("last", "mean of the parameters of the last checkpoints",
                                 "Vaswani et al. 2017, section 6.1", [](const AveragingOptions& options) {
                                   return AveragingRule{Which::last, options.checkpoints};
                                 });
    filled.add<AveragingOptions>("best", "mean of the parameters of the best checkpoints", "",
                                 [](const AveragingOptions& options) {
                                   return AveragingRule{Which::best, options.checkpoints};
                                 });
    return filled;
  }();
  return table;
}

int64_t TrainOptions::workers_of(int64_t threads) const {
  if (workers > threads) {
    throw UsageError("/train/workers", format("got {}, expected at most the {} of /threads", workers, threads));
  }
  if (workers > 0) return workers;
  // With fewer tokens or sentences, products of a few rows cost more than another thread gains.
  constexpr int64_t kTokens = 128, kSentences = 8;
  const int64_t shares =
      batches.batch_tokens > 0 ? batches.batch_tokens / kTokens : batches.batch_sentences / kSentences;
  return std::clamp<int64_t>(shares, 1, threads);
}

void TrainOptions::validate(const std::string& at) const {
  batches.validate(at);
  const bool needs_text = best_metric == BestMetric::bleu || best_metric == BestMetric::chrf;
  if (needs_text && valid_decoding == ValidDecoding::none) {
    throw UsageError(at + "/best_metric",
                     "bleu and chrf need translations, but valid_decoding is none; expected greedy or search there");
  }
}

}  // namespace tr::train
