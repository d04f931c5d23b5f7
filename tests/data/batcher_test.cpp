#include "libtr/data/batcher.h"

#include <algorithm>
#include <set>

#include "libtr/base/random.h"
#include "tests/support.h"

using namespace tr;
using namespace tr::test;
using data::BatchOptions;
using data::IndexBatch;
using data::Lengths;

namespace {

std::vector<Lengths> random_lengths(size_t count) {
  Random random(5);
  std::vector<Lengths> lengths(count);
  for (auto& one : lengths) {
    one.target = 2 + static_cast<int64_t>(random.below(30));
    one.source = 2 + static_cast<int64_t>(random.below(30));
  }
  return lengths;
}

std::vector<int64_t> sorted_indices(const std::vector<IndexBatch>& batches) {
  std::vector<int64_t> all;
  for (const auto& batch : batches) all.insert(all.end(), batch.begin(), batch.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<int64_t> first_numbers(int64_t count) {
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

int64_t padded_target(const std::vector<Lengths>& lengths, const IndexBatch& batch) {
  int64_t longest = 0;
  for (const int64_t index : batch) longest = std::max(longest, lengths[static_cast<size_t>(index)].target);
  return longest * std::ssize(batch);
}

data::BatchStream stream_of(const std::vector<Lengths>& lengths, const BatchOptions& options, uint64_t seed = 1) {
  return data::BatchStream([lengths](int64_t) { return lengths; }, options, seed);
}

}  // namespace

TEST_CASE("an epoch holds each index once, within the budget") {
  const auto lengths = random_lengths(1000);
  for (const int64_t window : {0, 1, 7, 100, 999, 5000}) {
    const BatchOptions options{.batch_tokens = 200, .batch_window = window};
    const auto batches = epoch_batches(lengths, options, 1, 0);
    CHECK(sorted_indices(batches) == first_numbers(1000));
    for (const auto& batch : batches) CHECK(padded_target(lengths, batch) <= 200);
  }
  const BatchOptions by_count{.batch_tokens = 0, .batch_sentences = 16};
  const auto batches = epoch_batches(lengths, by_count, 1, 0);
  CHECK(batches.size() == 63);
  for (const auto& batch : batches) CHECK(batch.size() <= 16);
}

TEST_CASE("a sentence over the budget is a batch of its own", "[F11]") {
  const std::vector<Lengths> lengths{{3, 4}, {3, 50}, {3, 4}, {2, 300}, {3, 4}};
  const auto batches = epoch_batches(lengths, {.batch_tokens = 20}, 3, 0);
  CHECK(sorted_indices(batches) == first_numbers(5));
  for (const auto& batch : batches) {
    const bool large = std::count(batch.begin(), batch.end(), 1) + std::count(batch.begin(), batch.end(), 3) > 0;
    CHECK(batch.size() == (large ? 1 : 3));
  }
}

TEST_CASE("batches are a function of lengths, options, seed and epoch", "[F41]") {
  const auto lengths = random_lengths(500);
  const BatchOptions options{.batch_tokens = 200, .batch_window = 100};
  const auto batches = epoch_batches(lengths, options, 1, 0);
  CHECK(batches == epoch_batches(lengths, options, 1, 0));
  CHECK(batches != epoch_batches(lengths, options, 1, 1));
  CHECK(batches != epoch_batches(lengths, options, 2, 0));
  // Not sorted from batch to batch, and other company in another epoch.
  std::vector<int64_t> longest;
  for (const auto& batch : batches) longest.push_back(padded_target(lengths, batch) / std::ssize(batch));
  CHECK(!std::is_sorted(longest.begin(), longest.end()));
  const auto others = epoch_batches(lengths, options, 1, 1);
  const std::set<IndexBatch> these(batches.begin(), batches.end()), those(others.begin(), others.end());
  std::vector<IndexBatch> common;
  std::set_intersection(these.begin(), these.end(), those.begin(), those.end(), std::back_inserter(common));
  CHECK(common.size() < batches.size() / 10);
}

TEST_CASE("the same batches on every machine") {
  const std::vector<Lengths> lengths{{3, 4}, {5, 6}, {7, 3}, {4, 4}, {9, 9}, {2, 2}};
  CHECK(epoch_batches(lengths, {.batch_tokens = 12}, 1, 0) == std::vector<IndexBatch>{{4}, {1, 2}, {5, 3, 0}});
}

TEST_CASE("sorted batches hold little padding, on both sides") {
  const auto lengths = random_lengths(20000);
  const auto sorted = padding_share(lengths, epoch_batches(lengths, {.batch_tokens = 2000}, 1, 0));
  CHECK(sorted.source < 0.15);
  CHECK(sorted.target < 0.15);
  const auto unsorted = padding_share(lengths, epoch_batches(lengths, {.batch_tokens = 2000, .batch_window = 1}, 1, 0));
  CHECK(unsorted.both == 0);  // batches of one
  const std::vector<Lengths> three{{4, 2}, {2, 1}, {1, 7}};
  const auto share = padding_share(three, {{0, 1}, {2}});
  CHECK(share.source == Approx(1 - 7.0 / 9));
  CHECK(share.target == Approx(1 - 10.0 / 11));
  CHECK(share.both == Approx(1 - 17.0 / 20));
  CHECK(data::padding_share({}, {}).both == 0);
}

TEST_CASE("evaluation batches hold each line once, longest first, the budget on both sides", "[F3][F19]") {
  auto lengths = random_lengths(300);
  lengths[17] = {1, 1};  // an empty line: eos alone
  lengths[18] = {5000, 2};
  const auto batches = evaluation_batches(lengths, {.batch_tokens = 200});
  CHECK(sorted_indices(batches) == first_numbers(300));
  CHECK(batches.front() == IndexBatch{18});
  CHECK(batches.size() < 60);  // the long one fills no other batch
  int64_t before = 5000;
  for (const auto& batch : batches) {
    int64_t longest = 0;
    for (const int64_t index : batch) {
      const auto [source, target] = lengths[static_cast<size_t>(index)];
      CHECK(source <= before);
      before = source;
      longest = std::max({longest, source, target});
    }
    CHECK((longest * std::ssize(batch) <= 200 || batch.size() == 1));
  }
  CHECK(data::evaluation_batches({}, {}).empty());
}

TEST_CASE("a stream goes through the epochs with right totals", "[F35]") {
  const auto lengths = random_lengths(50);
  const BatchOptions options{.batch_tokens = 100};
  auto stream = stream_of(lengths, options);
  for (int64_t epoch = 0; epoch < 3; ++epoch) {
    const auto expected = epoch_batches(lengths, options, 1, epoch);
    for (size_t i = 0; i < expected.size(); ++i) {
      CHECK(stream.next() == expected[i]);
      CHECK(stream.epoch() == epoch);
      CHECK(stream.position() == static_cast<int64_t>(i) + 1);
      CHECK(stream.batches_in_epoch() == std::ssize(expected));
    }
    CHECK(stream.epochs() == Approx(double(epoch + 1)));
  }
  auto tiny = stream_of({{2, 3}}, options);
  for (int64_t epoch = 0; epoch < 5; ++epoch) {
    CHECK(tiny.next() == IndexBatch{0});
    CHECK(tiny.epoch() == epoch);
    CHECK(tiny.epochs() == Approx(double(epoch + 1)));
  }
}

TEST_CASE("a restored stream goes on with the next batch, at every position", "[F27]") {
  const auto lengths = random_lengths(60);
  const BatchOptions options{.batch_tokens = 150};
  auto whole = stream_of(lengths, options);
  const int64_t per_epoch = whole.batches_in_epoch();
  for (int64_t done = 0; done <= 2 * per_epoch + 1; ++done) {
    auto resumed = stream_of(lengths, options);
    resumed.restore(config::Json::parse(whole.state().dump()));
    CHECK(resumed.epochs() == whole.epochs());
    auto copy = whole;
    for (int64_t i = 0; i < per_epoch + 2; ++i) {
      CHECK(resumed.next() == copy.next());
      CHECK(resumed.state() == copy.state());
    }
    whole.next();
  }
}

TEST_CASE("a stream is not restored on other data, seed or options", "[F29]") {
  auto lengths = random_lengths(60);
  const auto state = stream_of(lengths, {.batch_tokens = 150}).state();
  const std::string others =
      "/data/train: the batches of epoch 0 are not those of the run to resume: data, tokenizer, filter or batch "
      "options "
      "have changed";
  CHECK(error_of([&] { stream_of(lengths, {.batch_tokens = 150}, 2).restore(state); }) ==
        "/seed: got 2, but the run to resume has 1");
  CHECK(error_of([&] { stream_of(lengths, {.batch_tokens = 140}).restore(state); }) == others);
  auto beyond = state;
  beyond["position"] = 1000;
  CHECK(error_of([&] { stream_of(lengths, {.batch_tokens = 150}).restore(beyond); }) == others);
  ++lengths[7].source;
  CHECK(error_of([&] { stream_of(lengths, {.batch_tokens = 150}).restore(state); }) == others);
}

TEST_CASE("lengths are asked for anew in each epoch") {
  std::vector<int64_t> asked;
  data::BatchStream stream(
      [&](int64_t epoch) {
        asked.push_back(epoch);
        return std::vector<Lengths>(2, Lengths{2, 2 + epoch});
      },
      {.batch_tokens = 4}, 1);
  for (int i = 0; i < 3; ++i) stream.next();
  CHECK(asked == std::vector<int64_t>{0, 1});
  CHECK(stream.epoch() == 1);
}

TEST_CASE("a stream without limit or examples is an error") {
  CHECK(error_of([] {
          stream_of({{2, 2}}, {.batch_tokens = 0});
        }) == "/train/batch_tokens: got 0, and batch_sentences is 0 too; expected one of them to be a limit");
  CHECK(error_of([] { stream_of({}, {}); }) == "/data/train: no examples to make batches of");
}
