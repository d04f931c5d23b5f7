#include "libtr/data/dataset.h"

#include <algorithm>
#include <set>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/base/random.h"
#include "libtr/data/text.h"

namespace tr::data {
namespace {

/// Random streams of the two sides.
enum Side : uint64_t { kSource, kTarget };

tokenizer::Ids with_eos(tokenizer::Ids ids) {
  ids.push_back(tokenizer::kEos);
  return ids;
}

// A tokenizer may have ids for white space; a blank line is eos alone all the same, which a search leaves untouched.
tokenizer::Ids encode_line(const std::string& line, const tokenizer::Tokenizer& tokenizer) {
  return with_eos(is_blank(line) ? tokenizer::Ids{} : tokenizer.encode(line));
}

Example encode_pair(const std::string& source, const std::string& target, const tokenizer::Tokenizers& tokenizers) {
  return {.source = encode_line(source, *tokenizers.source), .target = encode_line(target, *tokenizers.target)};
}

/// Judges pairs one after the other; remembers those seen for the rule on duplicates.
class PairFilter {
 public:
  explicit PairFilter(const FilterOptions& options) : options_(options) {}

  Reason judge(const std::string& source, const std::string& target, const Example& example) {
    const auto source_tokens = std::ssize(example.source) - 1;
    const auto target_tokens = std::ssize(example.target) - 1;
    if (source_tokens == 0 || target_tokens == 0) return Reason::empty;
    if (options_.max_source_tokens > 0 && source_tokens > options_.max_source_tokens) return Reason::too_long_source;
    if (options_.max_target_tokens > 0 && target_tokens > options_.max_target_tokens) return Reason::too_long_target;
    const auto [shorter, longer] = std::minmax(source_tokens, target_tokens);
    const bool odd = static_cast<double>(longer) > options_.max_length_ratio * static_cast<double>(shorter);
    if (options_.max_length_ratio > 0 && odd) return Reason::ratio;
    if (options_.drop_duplicates && !seen_.emplace(source, target).second) return Reason::duplicate;
    return Reason::kept;
  }

 private:
  FilterOptions options_;
  std::set<std::pair<std::string, std::string>> seen_;
};

std::string name_of(Reason reason) { return config::write_value(reason).get<std::string>(); }

void check_share(const FilterCounts& counts, double max_dropped_share) {
  const int64_t dropped = counts.pairs - counts.kept;
  const bool too_many = static_cast<double>(dropped) > max_dropped_share * static_cast<double>(counts.pairs);
  if (counts.kept > 0 && !too_many) return;
  std::string reasons;
  for (const auto& [reason, count] : counts.dropped) {
    if (count > 0) reasons += format("{}{} {}", reasons.empty() ? "" : ", ", name_of(reason), count);
  }
  if (counts.pairs == 0) throw DataError("/data/train", "no sentence pairs");
  throw DataError("/data/filter", format("{} of {} training pairs are dropped ({}), allowed is a share of {} that "
                                         "leaves one; see max_dropped_share and the limits beside it",
                                         dropped, counts.pairs, reasons, max_dropped_share));
}

}  // namespace

std::vector<Lengths> lengths_of(const std::vector<Example>& examples) {
  std::vector<Lengths> lengths;
  lengths.reserve(examples.size());
  for (const auto& example : examples) lengths.push_back({std::ssize(example.source), std::ssize(example.target)});
  return lengths;
}

std::vector<Example> chosen(const std::vector<Example>& examples, const IndexBatch& indices) {
  std::vector<Example> batch;
  for (const int64_t index : indices) batch.push_back(examples[static_cast<size_t>(index)]);
  return batch;
}

config::Json FilterCounts::to_json() const {
  config::Json by_reason = config::Json::object();
  for (const auto& [reason, count] : dropped) by_reason[name_of(reason)] = count;
  return {{"pairs", pairs}, {"kept", kept}, {"dropped", by_reason}};
}

TrainingSet make_training_set(const ParallelText& text, const tokenizer::Tokenizers& tokenizers,
                              const FilterOptions& options) {
  TrainingSet set;
  set.tokenizers_ = tokenizers;
  set.filter_ = options;
  FilterCounts& counts = set.counts_;
  for (const auto& [reason, name] : names_of(Reason{})) {
    if (reason != Reason::kept) counts.dropped[reason] = 0;
  }
  PairFilter filter(options);
  for (size_t i = 0; i < text.size(); ++i) {
    Example example = encode_pair(text.source[i], text.target[i], tokenizers);
    const Reason reason = filter.judge(text.source[i], text.target[i], example);
    ++counts.pairs;
    if (reason != Reason::kept) {
      ++counts.dropped[reason];
      continue;
    }
    ++counts.kept;
    set.examples_.push_back(std::move(example));
    set.line_of_example_.push_back(static_cast<int64_t>(i));
    if (set.varies()) set.lines_.emplace_back(text.source[i], text.target[i]);
  }
  check_share(counts, options.max_dropped_share);
  return set;
}

const std::vector<Example>& TrainingSet::epoch(uint64_t seed, int64_t epoch) {
  if (!varies()) return examples_;
  if (sampled_for_ == std::pair{seed, epoch}) return sampled_;
  sampled_.clear();
  for (size_t i = 0; i < lines_.size(); ++i) {
    const auto draw = [&](const tokenizer::Tokenizer& tokenizer, const std::string& line, Side side, int64_t limit,
                          const tokenizer::Ids& best) {
      const auto place = {static_cast<uint64_t>(epoch), static_cast<uint64_t>(line_of_example_[i]), uint64_t{side}};
      auto ids = with_eos(tokenizers_.sampling->draw(tokenizer, line, stream_seed(seed, "subwords", place)));
      return limit > 0 && std::ssize(ids) > limit ? best : ids;
    };
    const auto& [source, target] = lines_[i];
    sampled_.push_back({.source = draw(*tokenizers_.source, source, kSource, limits().source, examples_[i].source),
                        .target = draw(*tokenizers_.target, target, kTarget, limits().target, examples_[i].target)});
  }
  sampled_for_ = {seed, epoch};
  return sampled_;
}

Lengths TrainingSet::limits() const {
  const auto with_end = [](int64_t tokens) { return tokens == 0 ? 0 : tokens + 1; };
  return {.source = with_end(filter_.max_source_tokens), .target = with_end(filter_.max_target_tokens)};
}

BatchStream TrainingSet::batches(const BatchOptions& options, uint64_t seed) {
  return {[this, seed](int64_t number) { return lengths_of(epoch(seed, number)); }, options, seed};
}

std::vector<Example> TrainingSet::next(BatchStream& stream, uint64_t seed) {
  const IndexBatch& indices = stream.next();
  return chosen(epoch(seed, stream.epoch()), indices);
}

std::vector<Example> encode_all(const ParallelText& text, const tokenizer::Tokenizers& tokenizers) {
  std::vector<Example> examples;
  for (size_t i = 0; i < text.size(); ++i) {
    examples.push_back(encode_pair(text.source[i], text.target[i], tokenizers));
  }
  return examples;
}

std::vector<tokenizer::Ids> encode_sources(const std::vector<std::string>& lines, const tokenizer::Tokenizer& source) {
  std::vector<tokenizer::Ids> sources;
  for (const auto& line : lines) sources.push_back(encode_line(line, source));
  return sources;
}

tokenizer::Ids cut(tokenizer::Ids sentence, int64_t longest) {
  if (longest == 0 || std::ssize(sentence) <= longest) return sentence;
  sentence.resize(static_cast<size_t>(longest));
  sentence.back() = tokenizer::kEos;
  return sentence;
}

std::vector<Example> cut(std::vector<Example> examples, int64_t longest) {
  for (auto& example : examples) {
    example.source = cut(std::move(example.source), longest);
    example.target = cut(std::move(example.target), longest);
  }
  return examples;
}

}  // namespace tr::data
