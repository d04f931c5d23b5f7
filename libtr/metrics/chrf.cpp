#include "libtr/metrics/chrf.h"

#include <algorithm>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/base/unicode.h"
#include "libtr/metrics/ngrams.h"
#include "libtr/metrics/sacrebleu.h"

namespace tr::metrics {
namespace {

bool is_ascii_punctuation(char32_t c) {
  return (c >= U'!' && c <= U'/') || (c >= U':' && c <= U'@') || (c >= U'[' && c <= U'`') || (c >= U'{' && c <= U'~');
}

/// Words with one punctuation mark split off: the last character, else the first.
std::vector<std::string> words_of(std::u32string_view line) {
  std::vector<std::string> words;
  for (const std::u32string& word : split_at_white_space(line)) {
    if (word.size() > 1 && is_ascii_punctuation(word.back())) {
      words.push_back(to_utf8(word.substr(0, word.size() - 1)));
      words.push_back(to_utf8(word.back()));
    } else if (word.size() > 1 && is_ascii_punctuation(word.front())) {
      words.push_back(to_utf8(word.front()));
      words.push_back(to_utf8(word.substr(1)));
    } else {
      words.push_back(to_utf8(word));
    }
  }
  return words;
}

/// n-grams of one sentence; the tries are shared by a hypothesis and its references.
class Extractor {
 public:
  explicit Extractor(const ChrfOptions& options) : options_(options) {}

  /// [char_order + word_order]
  NgramCounts counts(const std::string& line) {
    const auto text = to_code_points(options_.lowercase ? lower_case(line) : line);
    std::vector<uint32_t> characters;
    for (const char32_t c : text) {
      if (options_.whitespace || !is_white_space(c)) characters.push_back(c);
    }
    auto counts = characters_.count(characters, options_.char_order);
    if (options_.word_order > 0) {
      for (auto& order : words_.count(words_.words(words_of(text)), options_.word_order))
        counts.push_back(std::move(order));
    }
    return counts;
  }

 private:
  const ChrfOptions& options_;
  NgramTrie characters_, words_;
};

/// One row of chrf_counts for one reference.
std::vector<int64_t> compare(const NgramCounts& hypothesis, const NgramCounts& reference) {
  std::vector<int64_t> row;
  for (size_t order = 0; order < hypothesis.size(); ++order) {
    int64_t found = 0, expected = 0, matches = 0;
    for (const auto& [ngram, count] : hypothesis[order]) {
      const auto match = reference[order].find(ngram);
      if (match != reference[order].end()) matches += std::min(count, match->second);
      found += count;
    }
    for (const auto& entry : reference[order]) expected += entry.second;
    // without n-grams to find, those of the hypothesis are no faults either
    row.insert(row.end(), {expected > 0 ? found : 0, expected, matches});
  }
  return row;
}

std::vector<int64_t> counts_of(const std::string& hypothesis, const std::vector<std::string>& references,
                               const ChrfOptions& options) {
  Extractor extractor(options);
  const auto found = extractor.counts(hypothesis);
  std::vector<int64_t> best;
  double best_score = -1;
  for (const auto& reference : references) {
    auto row = compare(found, extractor.counts(reference));
    const double score = chrf_of_sum(row, options);
    if (score > best_score) {
      best_score = score;
      best = std::move(row);
    }
  }
  return best;
}

}  // namespace

void ChrfOptions::validate() const {
  if (char_order < 1) throw UsageError("char_order", format("{}, expected at least 1", char_order));
  if (word_order < 0) throw UsageError("word_order", format("{}, expected at least 0", word_order));
  if (beta < 1) throw UsageError("beta", format("{}, expected at least 1", beta));
}

SentenceCounts chrf_counts(const std::vector<std::string>& hypotheses, const References& references,
                           const ChrfOptions& options) {
  options.validate();
  check_line_counts(hypotheses, references);
  SentenceCounts counts(3 * (options.char_order + options.word_order));
  for (size_t i = 0; i < hypotheses.size(); ++i)
    counts.add(counts_of(hypotheses[i], references.of(static_cast<int64_t>(i)), options));
  return counts;
}

double chrf_of_sum(std::span<const int64_t> sum, const ChrfOptions& options) {
  constexpr double kEpsilon = 1e-16;  // precision or recall of an order without n-grams
  const auto factor = static_cast<double>(options.beta * options.beta);
  const auto orders = static_cast<double>(options.char_order + options.word_order);
  const auto f_score = [factor](double precision, double recall) {
    return (1 + factor) * precision * recall / (factor * precision + recall);
  };
  double total_f_score = 0, total_precision = 0, total_recall = 0;
  int64_t effective_orders = 0;
  for (size_t i = 0; i + 2 < sum.size(); i += 3) {
    const auto found = static_cast<double>(sum[i]), expected = static_cast<double>(sum[i + 1]);
    const auto matches = static_cast<double>(sum[i + 2]);
    const double precision = found > 0 ? matches / found : kEpsilon;
    const double recall = expected > 0 ? matches / expected : kEpsilon;
    total_f_score += precision + recall > 0 ? f_score(precision, recall) : kEpsilon;
    if (found > 0 && expected > 0) {
      total_precision += precision;
      total_recall += recall;
      ++effective_orders;
    }
  }
  if (options.eps_smoothing) return 100 * total_f_score / orders;
  if (total_precision + total_recall == 0) return 0;
  const auto effective = static_cast<double>(effective_orders);
  return 100 * f_score(total_precision / effective, total_recall / effective);
}

std::string chrf_signature(const References& references, const ChrfOptions& options) {
  return format("nrefs:{}|case:{}|eff:{}|nc:{}|nw:{}|space:{}|version:{}", references.number(),
                options.lowercase ? "lc" : "mixed", options.eps_smoothing ? "no" : "yes", options.char_order,
                options.word_order, options.whitespace ? "yes" : "no", kSacrebleuVersion);
}

ChrfScore corpus_chrf(const std::vector<std::string>& hypotheses, const References& references,
                      const ChrfOptions& options) {
  const double score = chrf_of_sum(chrf_counts(hypotheses, references, options).sum(), options);
  const auto plus = std::string(static_cast<size_t>(options.word_order), '+');
  return {score, format("chrF{}{}", options.beta, plus), chrf_signature(references, options)};
}

ChrfScore sentence_chrf(const std::string& hypothesis, const std::vector<std::string>& references,
                        const ChrfOptions& options) {
  return corpus_chrf({hypothesis}, References::of_sentences({references}), options);
}

}  // namespace tr::metrics
