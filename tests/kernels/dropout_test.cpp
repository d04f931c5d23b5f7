// The mask kernel against its plain definition, and the quality of its bits.
#include "libtr/kernels/dropout.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "libtr/base/random.h"

using namespace tr;
using namespace tr::kernels;

namespace {

std::vector<uint64_t> make_keys(int64_t rows, uint64_t seed) {
  std::vector<uint64_t> keys;
  for (int64_t row = 0; row < rows; ++row) keys.push_back(mix(mix(seed) ^ static_cast<uint64_t>(row)));
  return keys;
}

/// 1 where the mask keeps.
std::vector<float> mask_of(const std::vector<uint64_t>& keys, int64_t features, double rate) {
  std::vector<float> mask(keys.size() * static_cast<size_t>(features), 1.0f);
  dropout(mask.data(), mask.data(), {keys.data(), static_cast<int64_t>(keys.size()), features, rate});
  for (float& value : mask) value = value != 0.0f ? 1.0f : 0.0f;
  return mask;
}

/// Correlation of two masks with the same rate of zeros, in standard errors: about N(0, 1) if they are independent.
double correlation(const std::vector<float>& a, const std::vector<float>& b, double rate) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - (1 - rate)) * (b[i] - (1 - rate));
  return sum / (rate * (1 - rate) * std::sqrt(static_cast<double>(a.size())));
}

}  // namespace

TEST_CASE("the dropout kernel is its plain definition, for every width and type") {
  const double rate = 0.3;
  for (const int64_t features : {1, 7, 16, 20, 33, 128}) {
    const auto keys = make_keys(5, 42);
    std::vector<float> x(static_cast<size_t>(5 * features)), y(x.size());
    for (size_t i = 0; i < x.size(); ++i) x[i] = 0.25f * static_cast<float>(i) - 3.0f;
    std::vector<double> wide(x.begin(), x.end()), wide_y(x.size());
    std::vector<BFloat16> narrow, narrow_y(x.size());
    for (const float value : x) narrow.push_back({static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16)});
    dropout(x.data(), y.data(), {keys.data(), 5, features, rate});
    dropout(wide.data(), wide_y.data(), {keys.data(), 5, features, rate});
    dropout(narrow.data(), narrow_y.data(), {keys.data(), 5, features, rate});
    for (size_t i = 0; i < x.size(); ++i) {
      const auto row = i / static_cast<size_t>(features), feature = i % static_cast<size_t>(features);
      const bool kept = mask_bits(keys[row], static_cast<uint32_t>(feature)) >= mask_threshold(rate);
      REQUIRE(y[i] == Approx(kept ? x[i] / 0.7 : 0.0).epsilon(1e-6));
      REQUIRE(wide_y[i] == Approx(kept ? x[i] / 0.7 : 0.0).epsilon(1e-6));
      const float from_narrow = std::bit_cast<float>(static_cast<uint32_t>(narrow_y[i].bits) << 16);
      const float given = std::bit_cast<float>(static_cast<uint32_t>(narrow[i].bits) << 16);
      REQUIRE(from_narrow == Approx(kept ? given / 0.7 : 0.0).epsilon(0.004));
    }
  }
}

TEST_CASE("the share of zeros is the rate, overall, in each row and for each feature") {
  for (const double rate : {0.1, 0.3, 0.5, 0.9}) {
    const int64_t rows = 2000, features = 256;
    const auto mask = mask_of(make_keys(rows, 7), features, rate);
    const double deviation = std::sqrt(rate * (1 - rate));
    double kept = 0, worst_row = 0, worst_feature = 0;
    std::vector<double> kept_of_feature(static_cast<size_t>(features));
    for (int64_t row = 0; row < rows; ++row) {
      double kept_of_row = 0;
      for (int64_t feature = 0; feature < features; ++feature) {
        const float value = mask[static_cast<size_t>(row * features + feature)];
        kept_of_row += value;
        kept_of_feature[static_cast<size_t>(feature)] += value;
      }
      kept += kept_of_row;
      worst_row =
          std::max(worst_row, std::abs(kept_of_row - features * (1 - rate)) / (deviation * std::sqrt(features)));
    }
    for (const double count : kept_of_feature) {
      worst_feature = std::max(worst_feature, std::abs(count - rows * (1 - rate)) / (deviation * std::sqrt(rows)));
    }
    CAPTURE(rate);
    CHECK(std::abs(kept - rows * features * (1 - rate)) < 4 * deviation * std::sqrt(rows * features));
    CHECK(worst_row < 5);
    CHECK(worst_feature < 5);
  }
}

TEST_CASE("masks of neighbouring rows, features and keys are independent") {
  const double rate = 0.3;
  const int64_t rows = 1000, features = 512;
  auto keys = make_keys(rows, 3);
  const auto sources = keys;
  for (auto& key : keys) key = mix(key);
  const auto mask = mask_of(keys, features, rate);
  for (const size_t shift : {size_t{1}, size_t{2}, size_t{16}, size_t{512}, size_t{1024}}) {
    auto shifted = mask;
    std::rotate(shifted.begin(), shifted.begin() + static_cast<std::ptrdiff_t>(shift), shifted.end());
    CAPTURE(shift);
    CHECK(std::abs(correlation(mask, shifted, rate)) < 5);
  }
  for (const int bit : {0, 1, 31, 32, 63}) {  // keys are mixes: their sources may differ in one bit
    auto near = sources;
    for (auto& key : near) key = mix(key ^ (uint64_t{1} << bit));
    CAPTURE(bit);
    CHECK(std::abs(correlation(mask, mask_of(near, features, rate), rate)) < 5);
  }
}
