// What corpus metrics take and what they are computed from: references, and additive counts of each sentence.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tr::metrics {

/// References of a corpus, at least one for every sentence. An empty line is a reference of length 0, as in sacreBLEU.
class References {
 public:
  /// One reference a sentence.
  References(const std::vector<std::string>& lines);  // NOLINT: meant to convert
  /// Files of references: streams[k][i] is the k-th reference of sentence i. Throws DataError naming both counts if
  /// files differ in length.
  static References of_streams(const std::vector<std::vector<std::string>>& streams);
  /// sentences[i] holds the references of sentence i, whose number may vary. Throws DataError if one has none.
  static References of_sentences(std::vector<std::vector<std::string>> sentences);

  int64_t sentences() const { return static_cast<int64_t>(by_sentence_.size()); }
  const std::vector<std::string>& of(int64_t sentence) const { return by_sentence_[static_cast<size_t>(sentence)]; }
  /// "2", or "var" if it varies.
  std::string number() const;

 private:
  References() = default;
  std::vector<std::vector<std::string>> by_sentence_;
};

/// Throws DataError naming both counts unless there is a reference for every hypothesis, and at least one of them.
void check_line_counts(const std::vector<std::string>& hypotheses, const References& references);

/// Counts of sentences that may be added up: the score of any multiset of sentences is a function of the sum of its
/// rows. What a column means is up to the metric.
class SentenceCounts {
 public:
  explicit SentenceCounts(int64_t columns) : columns_(columns) {}

  int64_t columns() const { return columns_; }
  int64_t sentences() const { return static_cast<int64_t>(values_.size()) / columns_; }
  std::span<const int64_t> row(int64_t sentence) const;
  /// Throws DataError unless `row` has columns() values.
  void add(std::span<const int64_t> row);
  /// Behind the own sentences those of `other`; the same number of columns.
  void append(const SentenceCounts& other);
  /// [columns]
  std::vector<int64_t> sum() const;

 private:
  int64_t columns_;
  std::vector<int64_t> values_;  // [sentences, columns]
};

}  // namespace tr::metrics
