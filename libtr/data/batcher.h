// Batches as lists of indices, from lengths, seed and epoch alone: every model sees the same ones in the same order.
#pragma once

#include <functional>

#include "libtr/config/fields.h"

namespace tr::data {

/// Tokens of a pair, eos counted.
struct Lengths {
  int64_t source = 0;
  int64_t target = 0;
};

/// Indices of examples.
using IndexBatch = std::vector<int64_t>;

/// Belongs into the section "train": its fields stand there beside the others.
struct BatchOptions {
  int64_t batch_tokens = 4096;
  int64_t batch_sentences = 0;
  int64_t batch_window = 0;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("batch_tokens", self.batch_tokens,
          "target tokens of a batch, pads and eos counted; a longer sentence is a batch of its own; 0: no such limit",
          config::at_least(0));
    field("batch_sentences", self.batch_sentences, "sentence pairs of a batch at most; 0: no such limit",
          config::at_least(0));
    field("batch_window", self.batch_window, "shuffled pairs that are sorted by length together; 0: all of an epoch",
          config::at_least(0));
  }
  /// One of the two limits must be there.
  void validate(const std::string& at) const;
};

/// Each index once, in batches: shuffled by (seed, epoch), sorted by length within windows, cut at the budget, batches
/// shuffled.
std::vector<IndexBatch> epoch_batches(const std::vector<Lengths>& lengths, const BatchOptions& options, uint64_t seed,
                                      int64_t epoch);

/// Each index once, longest source first, the budget held by both sides: for loss and decoding of a fixed set. Results
/// go back by index.
std::vector<IndexBatch> evaluation_batches(const std::vector<Lengths>& lengths, const BatchOptions& options);

/// Share of places in padded batches that hold no token.
struct PaddingShare {
  double source = 0;
  double target = 0;
  double both = 0;
};
PaddingShare padding_share(const std::vector<Lengths>& lengths, const std::vector<IndexBatch>& batches);

/// Batches of one epoch after the other, without end.
class BatchStream {
 public:
  /// Lengths of the examples in an epoch: they change if subwords are sampled.
  using LengthsOfEpoch = std::function<std::vector<Lengths>(int64_t epoch)>;
  BatchStream(LengthsOfEpoch lengths, const BatchOptions& options, uint64_t seed);

  /// Indices into the examples of epoch(). The first call after the last batch of an epoch starts the next one.
  const IndexBatch& next();
  /// Epoch of the batch that next() gave last, from 0.
  int64_t epoch() const { return epoch_; }
  /// Batches that next() has given in this epoch, of how many.
  int64_t position() const { return position_; }
  int64_t batches_in_epoch() const { return static_cast<int64_t>(batches_.size()); }
  /// Passes over the data so far: 1.5 in the middle of the second.
  double epochs() const { return static_cast<double>(epoch_) + double(position_) / double(batches_in_epoch()); }
  /// Padding of this epoch's batches.
  PaddingShare padding() const { return padding_; }

  /// Where the stream stands; restore() goes on with the batch behind it. Throws DataError if the data, the seed or the
  /// batch options are not those that the state comes from.
  config::Json state() const;
  void restore(const config::Json& state);

 private:
  void start_epoch(int64_t epoch);

  LengthsOfEpoch lengths_;
  BatchOptions options_;
  uint64_t seed_;
  int64_t epoch_ = 0;
  int64_t position_ = 0;
  std::vector<IndexBatch> batches_;
  PaddingShare padding_;
  uint64_t fingerprint_ = 0;
};

}  // namespace tr::data
