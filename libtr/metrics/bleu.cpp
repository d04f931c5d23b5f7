#include "libtr/metrics/bleu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/base/unicode.h"
#include "libtr/base/version.h"
#include "libtr/metrics/ngrams.h"
#include "libtr/metrics/sacrebleu.h"

namespace tr::metrics {
namespace {

const std::array<std::pair<Smoothing, std::string>, 4>& names() {
  static const std::array<std::pair<Smoothing, std::string>, 4> table{
      {{Smoothing::none, "none"}, {Smoothing::floor, "floor"}, {Smoothing::add_k, "add-k"}, {Smoothing::exp, "exp"}}};
  return table;
}

bool has_smooth_value(Smoothing smoothing) { return smoothing == Smoothing::floor || smoothing == Smoothing::add_k; }

double smooth_value(const BleuOptions& options) {
  return options.smooth_value.value_or(options.smoothing == Smoothing::floor ? 0.1 : 1.0);
}

std::vector<std::string> hypothesis_tokens(const std::string& line, const BleuOptions& options) {
  return tokenize(options.lowercase ? lower_case(line) : line, options.tokenizer, options.language);
}

std::vector<std::string> reference_tokens(const std::string& line, const BleuOptions& options) {
  return options.references_tokenized ? split_at_white_space(lower_case(line)) : hypothesis_tokens(line, options);
}

/// The length that is closest to the hypothesis', the shorter of two.
int64_t closest_length(int64_t hypothesis_length, const std::vector<int64_t>& lengths) {
  return *std::min_element(lengths.begin(), lengths.end(), [&](int64_t a, int64_t b) {
    return std::pair(std::abs(a - hypothesis_length), a) < std::pair(std::abs(b - hypothesis_length), b);
  });
}

/// One row of bleu_counts.
std::vector<int64_t> counts_of(const std::string& hypothesis, const std::vector<std::string>& references,
                               const BleuOptions& options) {
  NgramTrie trie;
  const auto tokens = hypothesis_tokens(hypothesis, options);
  const auto found = trie.count(trie.words(tokens), options.max_order);
  NgramCounts allowed(found.size());  // an n-gram may match as often as it occurs in the reference with most of it
  std::vector<int64_t> lengths;
  for (const auto& reference : references) {
    const auto words = trie.words(reference_tokens(reference, options));
    lengths.push_back(static_cast<int64_t>(words.size()));
    const auto counts = trie.count(words, options.max_order);
    for (size_t order = 0; order < counts.size(); ++order) {
      for (const auto& [ngram, count] : counts[order]) allowed[order][ngram] = std::max(allowed[order][ngram], count);
    }
  }

  const auto length = static_cast<int64_t>(tokens.size());
  std::vector<int64_t> row{length, closest_length(length, lengths)};
  row.resize(2 + 2 * found.size(), 0);
  for (size_t order = 0; order < found.size(); ++order) {
    for (const auto& [ngram, count] : found[order]) {
      const auto match = allowed[order].find(ngram);
      if (match != allowed[order].end()) row[2 + order] += std::min(count, match->second);
      row[2 + found.size() + order] += count;
    }
  }
  return row;
}

/// Smoothed precisions in percent, up to the first order that has no n-gram.
std::vector<double> precisions_of(const BleuScore& counts, const BleuOptions& options) {
  std::vector<double> precisions;
  double halved = 1;
  for (size_t order = 0; order < counts.totals.size(); ++order) {
    const double added = options.smoothing == Smoothing::add_k && order > 0 ? smooth_value(options) : 0;
    const double total = static_cast<double>(counts.totals[order]) + added;
    double matches = static_cast<double>(counts.matches[order]) + added;
    if (total == 0) break;
    if (matches == 0 && options.smoothing == Smoothing::exp) matches = halved /= 2;
    if (matches == 0 && options.smoothing == Smoothing::floor) matches = smooth_value(options);
    precisions.push_back(100 * matches / total);
  }
  return precisions;
}

}  // namespace

const std::string& smoothing_name(Smoothing smoothing) {
  for (const auto& entry : names()) {
    if (entry.first == smoothing) return entry.second;
  }
  throw UsageError("smoothing", format("{} is no smoothing", static_cast<int>(smoothing)));
}

Smoothing smoothing_of_name(std::string_view name, const std::string& where) {
  for (const auto& entry : names()) {
    if (entry.second == name) return entry.first;
  }
  throw UsageError(where, format("unknown smoothing \"{}\", expected one of none, floor, add-k, exp", name));
}

void BleuOptions::validate() const {
  if (max_order < 1) throw UsageError("max_order", format("{}, expected at least 1", max_order));
  if (smooth_value && !(*smooth_value >= 0 && std::isfinite(*smooth_value)))
    throw UsageError("smooth_value", format("{}, expected a number from 0 up", *smooth_value));
  if (smooth_value && !has_smooth_value(smoothing))
    throw UsageError("smooth_value",
                     format("given with smoothing {}, expected floor or add-k", smoothing_name(smoothing)));
  if (references_tokenized && tokenizer != Tokenizer::moses_lc)
    throw UsageError("references_tokenized",
                     format("true with tokenizer {}, expected moses-lc", tokenizer_name(tokenizer)));
}

SentenceCounts bleu_counts(const std::vector<std::string>& hypotheses, const References& references,
                           const BleuOptions& options) {
  options.validate();
  check_line_counts(hypotheses, references);
  SentenceCounts counts(2 + 2 * options.max_order);
  for (size_t i = 0; i < hypotheses.size(); ++i)
    counts.add(counts_of(hypotheses[i], references.of(static_cast<int64_t>(i)), options));
  return counts;
}

BleuScore bleu_of_sum(std::span<const int64_t> sum, const BleuOptions& options) {
  const auto orders = static_cast<size_t>(options.max_order);
  BleuScore bleu;
  bleu.hypothesis_length = sum[0];
  bleu.reference_length = sum[1];
  const auto matches = sum.subspan(2, orders), totals = sum.subspan(2 + orders, orders);
  bleu.matches.assign(matches.begin(), matches.end());
  bleu.totals.assign(totals.begin(), totals.end());
  bleu.precisions.assign(orders, 0.0);
  if (sum[0] < sum[1])
    bleu.brevity_penalty = sum[0] > 0 ? std::exp(1 - static_cast<double>(sum[1]) / static_cast<double>(sum[0])) : 0;
  if (std::all_of(matches.begin(), matches.end(), [](int64_t count) { return count == 0; })) return bleu;

  const auto known = precisions_of(bleu, options);
  std::copy(known.begin(), known.end(), bleu.precisions.begin());
  const size_t used = options.effective_order ? known.size() : orders;
  double log_sum = 0;  // log(0) is -inf, which makes the score 0
  for (size_t order = 0; order < used; ++order) log_sum += std::log(bleu.precisions[order]);
  bleu.score = bleu.brevity_penalty * std::exp(log_sum / static_cast<double>(used));
  return bleu;
}

std::string bleu_signature(const References& references, const BleuOptions& options) {
  const bool moses = options.tokenizer == Tokenizer::moses_lc;
  std::string tokenizer = tokenizer_name(options.tokenizer);
  if (moses && !options.language.empty()) tokenizer += "-" + options.language;
  if (options.references_tokenized) tokenizer += "|ref:tok";
  std::string smoothing = smoothing_name(options.smoothing);
  if (has_smooth_value(options.smoothing)) smoothing += format("[{:.2f}]", smooth_value(options));
  return format("nrefs:{}|case:{}|eff:{}|tok:{}|smooth:{}|version:{}", references.number(),
                options.lowercase || moses ? "lc" : "mixed", options.effective_order ? "yes" : "no", tokenizer,
                smoothing, moses ? std::string("libtr-") + version() : kSacrebleuVersion);
}

BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const References& references,
                      const BleuOptions& options) {
  auto bleu = bleu_of_sum(bleu_counts(hypotheses, references, options).sum(), options);
  bleu.signature = bleu_signature(references, options);
  return bleu;
}

BleuScore sentence_bleu(const std::string& hypothesis, const std::vector<std::string>& references,
                        const BleuOptions& options) {
  return corpus_bleu({hypothesis}, References::of_sentences({references}), options);
}

std::vector<int64_t> default_length_limits() { return {5, 10, 15, 20, 30}; }

std::vector<BleuOfLength> bleu_by_length(const std::vector<std::string>& sources, const SentenceCounts& counts,
                                         const BleuOptions& options, const std::vector<int64_t>& limits) {
  if (static_cast<int64_t>(sources.size()) != counts.sentences())
    throw DataError("sources",
                    format("{} sources, {} hypotheses, expected equal counts", sources.size(), counts.sentences()));
  if (!std::is_sorted(limits.begin(), limits.end(), std::less_equal<>()))
    throw UsageError("length limits", "not rising, expected each larger than the one before");

  std::vector<SentenceCounts> buckets(limits.size() + 1, SentenceCounts(counts.columns()));
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto length = static_cast<int64_t>(split_at_white_space(sources[i]).size());
    const auto bucket = std::lower_bound(limits.begin(), limits.end(), length) - limits.begin();
    buckets[static_cast<size_t>(bucket)].add(counts.row(static_cast<int64_t>(i)));
  }
  std::vector<BleuOfLength> result;
  for (size_t k = 0; k < buckets.size(); ++k) {
    if (buckets[k].sentences() == 0) continue;
    result.push_back({k == 0 ? 1 : limits[k - 1] + 1, k == limits.size() ? 0 : limits[k], buckets[k].sentences(),
                      bleu_of_sum(buckets[k].sum(), options)});
  }
  return result;
}

}  // namespace tr::metrics
