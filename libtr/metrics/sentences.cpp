#include "libtr/metrics/sentences.h"

#include <utility>

#include "libtr/base/error.h"
#include "libtr/base/format.h"

namespace tr::metrics {

References::References(const std::vector<std::string>& lines) {
  by_sentence_.reserve(lines.size());
  for (const auto& line : lines) by_sentence_.push_back({line});
}

References References::of_streams(const std::vector<std::vector<std::string>>& streams) {
  if (streams.empty()) throw DataError("references", "no references, expected at least one line for each hypothesis");
  References references;
  references.by_sentence_.resize(streams[0].size());
  for (size_t k = 0; k < streams.size(); ++k) {
    if (streams[k].size() != streams[0].size())
      throw DataError("references", format("reference 1 has {} lines, reference {} has {}, expected equal counts",
                                           streams[0].size(), k + 1, streams[k].size()));
    for (size_t i = 0; i < streams[k].size(); ++i) references.by_sentence_[i].push_back(streams[k][i]);
  }
  return references;
}

References References::of_sentences(std::vector<std::vector<std::string>> sentences) {
  for (size_t i = 0; i < sentences.size(); ++i) {
    if (sentences[i].empty())
      throw DataError("references", format("sentence {} has no reference, expected at least one", i + 1));
  }
  References references;
  references.by_sentence_ = std::move(sentences);
  return references;
}

std::string References::number() const {
  const size_t first = by_sentence_.empty() ? 0 : by_sentence_[0].size();
  for (const auto& lines : by_sentence_) {
    if (lines.size() != first) return "var";
  }
  return std::to_string(first);
}

void check_line_counts(const std::vector<std::string>& hypotheses, const References& references) {
  if (static_cast<int64_t>(hypotheses.size()) != references.sentences())
    throw DataError("hypotheses", format("{} hypotheses, {} references, expected equal counts", hypotheses.size(),
                                         references.sentences()));
  if (hypotheses.empty()) throw DataError("hypotheses", "0 lines, expected at least one");
}

std::span<const int64_t> SentenceCounts::row(int64_t sentence) const {
  return std::span(values_).subspan(static_cast<size_t>(sentence * columns_), static_cast<size_t>(columns_));
}

void SentenceCounts::add(std::span<const int64_t> row) {
  if (static_cast<int64_t>(row.size()) != columns_)
    throw DataError("sentence counts", format("{} columns, expected {}", row.size(), columns_));
  values_.insert(values_.end(), row.begin(), row.end());
}

void SentenceCounts::append(const SentenceCounts& other) {
  for (int64_t i = 0; i < other.sentences(); ++i) add(other.row(i));
}

std::vector<int64_t> SentenceCounts::sum() const {
  std::vector<int64_t> total(static_cast<size_t>(columns_), 0);
  for (size_t i = 0; i < values_.size(); ++i) total[i % total.size()] += values_[i];
  return total;
}

}  // namespace tr::metrics
