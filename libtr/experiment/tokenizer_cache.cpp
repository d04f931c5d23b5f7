#include "libtr/experiment/tokenizer_cache.h"

#include <algorithm>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/config/json_text.h"
#include "libtr/experiment/own_folder.h"

namespace tr::experiment {
namespace fs = std::filesystem;
namespace {

constexpr const char* kMadeFrom = "made_from.json";
constexpr const char* kFiles[] = {kMadeFrom, "tokenizer.json", "joint.model", "source.model", "target.model"};

// What a kill left of writing or removing one.
void remove_leftovers(const fs::path& cache) {
  if (!fs::exists(cache.parent_path())) return;
  std::vector<fs::path> leftovers;
  for (const auto& entry : fs::directory_iterator(cache.parent_path())) {
    if (finished_name(entry.path().filename().string()) == kTokenizer) leftovers.push_back(entry.path());
  }
  for (const auto& leftover : leftovers) fs::remove_all(leftover);
}

// The folder appears when it is whole and disappears whole: a run that is killed here trains its tokenizer again.
void keep(const tokenizer::Tokenizers& tokenizers, const config::Json& made_from, const fs::path& cache) {
  const fs::path unfinished = temporary_beside(cache);
  tokenizers.save(unfinished);
  config::write_json(unfinished / kMadeFrom, made_from);
  if (fs::exists(cache)) retire_folder(cache);
  publish_folder(unfinished, cache);
}

}  // namespace

bool is_kept_tokenizer(const fs::path& folder) {
  return fs::exists(folder / kMadeFrom) && all_entries(folder, [](const fs::path& entry) {
           return std::find(std::begin(kFiles), std::end(kFiles), entry.filename()) != std::end(kFiles);
         });
}

tokenizer::Tokenizers cached_tokenizers(const config::Choice<tokenizer::tokenizers>& choice,
                                        const data::ParallelText& text, const fs::path& cache) {
  const config::Json made_from = {{"tokenizer", choice.write()}, {"text", data::to_json(text)}};
  remove_leftovers(cache);
  if (fs::exists(cache)) {
    if (!is_kept_tokenizer(cache)) {
      throw DataError(cache.string(), std::string("expected a tokenizer that a run left (its files and ") + kMadeFrom +
                                          " alone) or no such folder");
    }
    const auto before = config::Json::parse(read_file(cache / kMadeFrom), nullptr, /*allow_exceptions=*/false);
    if (before == made_from) return tokenizer::load(cache);
  }
  const auto tokenizers = tokenizer::make(choice, {text.source, text.target});
  keep(tokenizers, made_from, cache);
  return tokenizers;
}

}  // namespace tr::experiment
