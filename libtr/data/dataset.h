// From parallel text to ids: which training pairs are kept, and the examples that models see.
#pragma once

#include <map>

#include "libtr/data/batcher.h"
#include "libtr/data/corpus.h"
#include "libtr/tokenizer/sampling.h"
#include "libtr/tokenizer/tokenizer.h"

namespace tr::data {

/// One sentence pair; both sides end in tokenizer::kEos, neither starts with kBos.
struct Example {
  tokenizer::Ids source, target;
};
std::vector<Lengths> lengths_of(const std::vector<Example>& examples);
/// Those of one batch, in its order.
std::vector<Example> chosen(const std::vector<Example>& examples, const IndexBatch& indices);

/// Rules for training pairs; lengths in tokens, eos not counted. Validation and test pairs are never filtered.
struct FilterOptions {
  int64_t max_source_tokens = 256;
  int64_t max_target_tokens = 256;
  double max_length_ratio = 9;
  bool drop_duplicates = false;
  double max_dropped_share = 0.1;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("max_source_tokens", self.max_source_tokens, "longest source in tokens, eos not counted; 0: no limit",
          config::at_least(0));
    field("max_target_tokens", self.max_target_tokens, "longest target in tokens, eos not counted; 0: no limit",
          config::at_least(0));
    field("max_length_ratio", self.max_length_ratio, "longer side by shorter side in tokens; 0: no limit",
          config::at_least(0));
    field("drop_duplicates", self.drop_duplicates, "of pairs with the same source and target lines, keep the first");
    field("max_dropped_share", self.max_dropped_share, "a larger share of dropped pairs is an error",
          config::between(0, 1));
  }
};

/// Why a training pair is dropped; the first that applies counts.
enum class Reason { kept, empty, too_long_source, too_long_target, ratio, duplicate };
inline auto names_of(Reason) {
  return std::vector<std::pair<Reason, const char*>>{{Reason::kept, "kept"},
                                                     {Reason::empty, "empty"},
                                                     {Reason::too_long_source, "too_long_source"},
                                                     {Reason::too_long_target, "too_long_target"},
                                                     {Reason::ratio, "ratio"},
                                                     {Reason::duplicate, "duplicate"}};
}

struct FilterCounts {
  int64_t pairs = 0;
  int64_t kept = 0;
  std::map<Reason, int64_t> dropped;  ///< every reason has an entry, zero or not

  /// {"pairs": …, "kept": …, "dropped": {"empty": …, …}}
  config::Json to_json() const;
};

/// The kept pairs as examples. Under subword sampling each epoch has its own, drawn by (seed, epoch, line); a side that
/// is drawn longer than the filter allows has its best segmentation in that epoch, which the filter did allow.
class TrainingSet {
 public:
  const FilterCounts& counts() const { return counts_; }
  size_t size() const { return examples_.size(); }
  /// Best segmentations; these are what the filter saw.
  const std::vector<Example>& examples() const { return examples_; }
  /// True if examples differ from epoch to epoch.
  bool varies() const { return tokenizers_.sampling->varies(); }
  /// What is trained on in an epoch, in the order of examples(). Valid until another epoch is asked for.
  const std::vector<Example>& epoch(uint64_t seed, int64_t epoch);
  /// What no example of any epoch exceeds by the filter's limits, eos counted; 0: no limit.
  Lengths limits() const;

  /// Batches of one epoch after the other. The set must outlive the stream.
  BatchStream batches(const BatchOptions& options, uint64_t seed);
  /// The examples of the next batch of a stream that batches() made with this seed.
  std::vector<Example> next(BatchStream& stream, uint64_t seed);

 private:
  friend TrainingSet make_training_set(const ParallelText&, const tokenizer::Tokenizers&, const FilterOptions&);

  tokenizer::Tokenizers tokenizers_;
  FilterOptions filter_;
  FilterCounts counts_;
  std::vector<Example> examples_;
  std::vector<int64_t> line_of_example_;
  std::vector<std::pair<std::string, std::string>> lines_;  // of the examples, kept only if epochs vary
  std::vector<Example> sampled_;
  std::pair<uint64_t, int64_t> sampled_for_{0, -1};
};

/// The only place where training pairs are dropped. Throws DataError if none is left or if the dropped share exceeds
/// max_dropped_share, with the counts by reason.
TrainingSet make_training_set(const ParallelText& text, const tokenizer::Tokenizers& tokenizers,
                              const FilterOptions& options);

/// Every pair, whatever it holds, in order: for validation and test. A blank line is eos alone.
std::vector<Example> encode_all(const ParallelText& text, const tokenizer::Tokenizers& tokenizers);

/// Source lines alone, each ending in eos, a blank one eos alone: for a search.
std::vector<tokenizer::Ids> encode_sources(const std::vector<std::string>& lines, const tokenizer::Tokenizer& source);

/// What a model with `longest` positions can hold of a sentence, or of both sides of pairs: the first tokens and eos.
/// 0: no limit.
tokenizer::Ids cut(tokenizer::Ids sentence, int64_t longest);
std::vector<Example> cut(std::vector<Example> examples, int64_t longest);

}  // namespace tr::data
