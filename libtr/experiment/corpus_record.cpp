#include "libtr/experiment/corpus_record.h"

#include <algorithm>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/report/run_files.h"

namespace tr::experiment {
namespace fs = std::filesystem;
using config::Json;
using config::value_at;
namespace {

constexpr size_t kDigitsShown = 12;

Json recorded_corpus(const fs::path& run) {
  if (fs::exists(run / kCorpus)) return report::read_object(run / kCorpus);
  // A run that finished before there was corpus.json; one that did not has no record.
  if (fs::exists(run / "result.json")) return report::read_object(run / "result.json")["corpus"];
  return nullptr;
}

std::string shortened(const Json& sha256) { return sha256.get<std::string>().substr(0, kDigitsShown); }

void check_files(const fs::path& run, const std::string& place, const Json& before, const Json& now) {
  for (size_t i = 0; i < std::min(before.size(), now.size()); ++i) {
    const Json was = value_at(before[i], "/sha256"), is = value_at(now[i], "/sha256");
    if (was == is) continue;
    throw DataError(place,
                    format("{} has sha256 {}…, but {} began with {}…; a run goes on with its own text alone",
                           value_at(now[i], "/path").get<std::string>(), shortened(is), run.string(), shortened(was)));
  }
}

}  // namespace

void check_corpus(const fs::path& run, const Json& corpus) {
  const Json before = recorded_corpus(run);
  const auto check = [&](const std::string& key, const std::string& place) {
    check_files(run, place, value_at(before, key + "/files"), value_at(corpus, key + "/files"));
  };
  check("/train", "/data/train");
  check("/valid", "/data/valid");
  for (const auto& [name, set] : corpus["test"].items()) {
    const std::string key = "/test/" + config::escape_pointer(name);
    check(key, "/data" + key);
  }
  check("/tokenizer", "/tokenizer");
}

}  // namespace tr::experiment
