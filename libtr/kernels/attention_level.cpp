// Compiled once for each instruction set (CMakeLists.txt): TR_ATTENTION_LEVEL names the table that it fills. No
// function of the standard library that would be emitted here may be called: the linker could take this copy for the
// whole program.
#include <cmath>
#include <cstring>

#include "libtr/kernels/attention_loops.h"
#include "libtr/kernels/dropout.h"
#include "libtr/kernels/softmax_lanes.h"

namespace tr::kernels {
namespace {

constexpr int64_t kBlock = kAttentionBlock;
constexpr int64_t kPair = 2;  ///< vectors of lanes in work at once: kBlock * kPair sums fit the registers
static_assert(kLanes <= kMostAttentionStep);

/// One head of one sentence.
struct Head {
  int64_t sentence, head, number;
  int64_t queries, keys;  ///< real ones
};
TR_INLINE_LOOP Head head_at(const AttentionShape& shape, int64_t number) {
  const int64_t sentence = number / shape.heads;
  return {sentence, number % shape.heads, number,
          shape.query_lengths == nullptr ? shape.query_time : shape.query_lengths[sentence],
          shape.key_lengths == nullptr ? shape.key_time : shape.key_lengths[sentence]};
}

template <class Element>
TR_INLINE_LOOP Element* rows_of(const HeadRows<Element>& all_rows, const Head& head, int64_t width) {
  return all_rows.data + head.sentence * all_rows.sentence + head.head * width;
}

/// Keys that query t sees.
TR_INLINE_LOOP int64_t seen_by(const AttentionShape& shape, const Head& head, int64_t t) {
  return shape.causal ? least(head.keys, t + 1) : head.keys;
}

/// [rows, width] -> [width, padded rows], zeros behind: so that lanes run over the rows.
template <int64_t kWidth>
TR_INLINE_LOOP void transpose_rows(const float* rows, int64_t stride, int64_t count, float* columns, int64_t padded) {
  for (int64_t t = 0; t < padded; t += kLanes) {
    for (int64_t i = 0; i < kWidth; i += kLanes) {
      Lanes square[kLanes];
#pragma GCC unroll 16
      for (int64_t j = 0; j < kLanes; ++j) square[j] = t + j < count ? load(rows + (t + j) * stride + i) : Lanes{};
      transpose(square);
#pragma GCC unroll 16
      for (int64_t j = 0; j < kLanes; ++j) store(columns + (i + j) * padded + t, square[j]);
    }
  }
}

/// Up to kBlock rows, zeros in place of the missing ones.
template <int64_t kWidth>
struct Block {
  float row[kBlock][kWidth];
  TR_INLINE_LOOP Block(const float* rows, int64_t stride, int64_t count, float scale) {
    for (int64_t r = 0; r < kBlock; ++r) {
      for (int64_t i = 0; i < kWidth; ++i) row[r][i] = r < count ? rows[r * stride + i] * scale : 0.0f;
    }
  }
};

/// kParts vectors of products[r][t] = sum over i of block[r][i] * columns[i][t]
template <int64_t kParts, int64_t kWidth>
TR_INLINE_LOOP void multiply_lanes(const Block<kWidth>& block, const float* columns, int64_t padded, float* products) {
  Lanes sum[kBlock][kParts] = {};
  for (int64_t i = 0; i < kWidth; ++i) {
    Lanes column[kParts];
    for (int64_t p = 0; p < kParts; ++p) column[p] = load(columns + i * padded + p * kLanes);
    for (int64_t r = 0; r < kBlock; ++r) {
      for (int64_t p = 0; p < kParts; ++p) sum[r][p] += column[p] * block.row[r][i];
    }
  }
  for (int64_t r = 0; r < kBlock; ++r) {
    for (int64_t p = 0; p < kParts; ++p) store(products + r * padded + p * kLanes, sum[r][p]);
  }
}

/// The products of the first `seen` columns, and of those that share a vector with them.
template <int64_t kWidth>
TR_INLINE_LOOP void multiply(const Block<kWidth>& block, const float* columns, int64_t padded, int64_t seen,
                             float* products) {
  int64_t t = 0;
  for (; t + kLanes < seen; t += kPair * kLanes) multiply_lanes<kPair>(block, columns + t, padded, products + t);
  if (t < seen) multiply_lanes<1>(block, columns + t, padded, products + t);
}

/// sums[r][i] = sum over t of factors[r][t] * rows[t][i]
template <int64_t kWidth>
TR_INLINE_LOOP void average(const float* factors, int64_t padded, int64_t seen, const float* rows, int64_t stride,
                            float (*sums)[kWidth]) {
  constexpr int64_t kParts = least(kPair, kWidth / kLanes);
  for (int64_t i = 0; i < kWidth; i += kParts * kLanes) {
    Lanes sum[kBlock][kParts] = {};
    for (int64_t t = 0; t < seen; ++t) {
      for (int64_t p = 0; p < kParts; ++p) {
        const Lanes row = load(rows + t * stride + i + p * kLanes);
        for (int64_t r = 0; r < kBlock; ++r) sum[r][p] += row * factors[r * padded + t];
      }
    }
    for (int64_t r = 0; r < kBlock; ++r) {
      for (int64_t p = 0; p < kParts; ++p) store(sums[r] + i + p * kLanes, sum[r][p]);
    }
  }
}

/// rows[t][i] += sum over r of factors[r][t] * block[r][i]
template <int64_t kWidth>
TR_INLINE_LOOP void spread(const float* factors, int64_t padded, int64_t seen, const Block<kWidth>& block,
                           float* rows) {
  constexpr int64_t kParts = kWidth / kLanes;
  for (int64_t p = 0; p < kParts; ++p) {
    Lanes from[kBlock];
    for (int64_t r = 0; r < kBlock; ++r) from[r] = load(block.row[r] + p * kLanes);
    for (int64_t t = 0; t < seen; ++t) {
      float* row = rows + t * kWidth + p * kLanes;
      Lanes sum = load(row);
      for (int64_t r = 0; r < kBlock; ++r) sum += from[r] * factors[r * padded + t];
      store(row, sum);
    }
  }
}

/// The mask of one query's weights.
struct Mask {
  bool drops;
  uint64_t key = 0;
  uint32_t threshold = 0;
  float scale = 1;
  TR_INLINE_LOOP Mask(const AttentionShape& shape, const Head& head, int64_t query)
      : drops(shape.dropout_keys != nullptr) {
    if (!drops) return;
    key = shape.dropout_keys[head.number * shape.query_time + query];
    threshold = mask_threshold(shape.dropout);
    scale = static_cast<float>(1.0 / (1.0 - shape.dropout));
  }
  /// What is left of the lanes that begin at key t.
  TR_INLINE_LOOP Lanes kept(int64_t t, const Lanes& lanes) const {
    if (!drops) return lanes;
    return mask_bits(key, __builtin_bit_cast(Bits, places_from(t))) < threshold ? Lanes{} : lanes * scale;
  }
};

/// The weights of one query, zeros behind the first `seen`, and in `gradient` that of what dropout left of them: it
/// becomes the gradient of the scores; `dropped` becomes the weights after dropout. Zeros up to `padded`.
TR_INLINE_LOOP void softmax_gradient(const float* weights, const Mask& mask, int64_t seen, int64_t padded,
                                     float* gradient, float* dropped) {
  Lanes products{};
  for (int64_t t = 0; t < seen; t += kLanes) {
    const Lanes weight = load(weights + t), of_weight = mask.kept(t, load(gradient + t));
    store(dropped + t, mask.kept(t, weight));
    store(gradient + t, of_weight);
    products += weight * of_weight;
  }
  const float sum = sum_of(products);
  int64_t t = 0;
  for (; t < seen; t += kLanes) store(gradient + t, load(weights + t) * (load(gradient + t) - sum));
  for (; t < padded; t += kLanes) {
    store(dropped + t, Lanes{});
    store(gradient + t, Lanes{});
  }
}

template <int64_t kWidth>
TR_INLINE_LOOP void write_rows(const float* from, int64_t count, float scale, float* to, int64_t stride) {
  for (int64_t t = 0; t < count; ++t) {
    for (int64_t i = 0; i < kWidth; ++i) to[t * stride + i] = from[t * kWidth + i] * scale;
  }
}
template <int64_t kWidth>
TR_INLINE_LOOP void zero_rows(int64_t begin, int64_t end, float* to, int64_t stride) {
  for (int64_t t = begin; t < end; ++t) std::memset(to + t * stride, 0, kWidth * sizeof(float));
}

template <int64_t kWidth>
TR_INLINE_LOOP void forward_heads(const AttentionShape& shape, const AttentionForward& heads, int64_t first,
                                  int64_t last, float* memory) {
  const int64_t most = whole_lanes(shape.key_time);
  const auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(kWidth)));
  float* columns = memory;
  float* factors = columns + kWidth * most;
  for (int64_t number = first; number < last; ++number) {
    const Head head = head_at(shape, number);
    const int64_t padded = whole_lanes(head.keys);
    const float* query = rows_of(heads.query, head, kWidth);
    const float* value = rows_of(heads.value, head, kWidth);
    float* output = rows_of(heads.output, head, kWidth);
    float* weights = heads.weights + number * shape.query_time * shape.key_time;
    transpose_rows<kWidth>(rows_of(heads.key, head, kWidth), heads.key.row, head.keys, columns, padded);
    for (int64_t begin = 0; begin < head.queries; begin += kBlock) {
      const int64_t count = least(kBlock, head.queries - begin);
      const int64_t seen_by_last = seen_by(shape, head, begin + count - 1);
      multiply(Block<kWidth>(query + begin * heads.query.row, heads.query.row, count, scale), columns, padded,
               seen_by_last, factors);
      for (int64_t r = 0; r < count; ++r) {
        const int64_t seen = seen_by(shape, head, begin + r);
        float* row = factors + r * padded;
        softmax(row, seen, padded);
        float* kept = weights + (begin + r) * shape.key_time;
        std::memcpy(kept, row, static_cast<size_t>(head.keys) * sizeof(float));
        std::memset(kept + head.keys, 0, static_cast<size_t>(shape.key_time - head.keys) * sizeof(float));
        const Mask mask(shape, head, begin + r);
        for (int64_t t = 0; t < seen; t += kLanes) store(row + t, mask.kept(t, load(row + t)));
      }
      float sums[kBlock][kWidth];
      average<kWidth>(factors, padded, seen_by_last, value, heads.value.row, sums);
      write_rows<kWidth>(sums[0], count, 1.0f, output + begin * heads.output.row, heads.output.row);
    }
    zero_rows<kWidth>(head.queries, shape.query_time, output, heads.output.row);
    std::memset(weights + head.queries * shape.key_time, 0,
                static_cast<size_t>((shape.query_time - head.queries) * shape.key_time) * sizeof(float));
  }
}

template <int64_t kWidth>
TR_INLINE_LOOP void backward_heads(const AttentionShape& shape, const AttentionBackward& heads, int64_t first,
                                   int64_t last, float* memory) {
  const int64_t most = whole_lanes(shape.key_time);
  const auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(kWidth)));
  float* columns = memory;                    // of the values
  float* key_sums = columns + kWidth * most;  // [keys, width]
  float* value_sums = key_sums + kWidth * most;
  float* score_gradient = value_sums + kWidth * most;
  float* factors = score_gradient + kBlock * most;  // weights after dropout
  float* weight = factors + kBlock * most;          // of one query
  for (int64_t number = first; number < last; ++number) {
    const Head head = head_at(shape, number);
    const int64_t padded = whole_lanes(head.keys);
    const float* query = rows_of(heads.query, head, kWidth);
    const float* key = rows_of(heads.key, head, kWidth);
    const float* arriving = rows_of(heads.output_gradient, head, kWidth);
    float* query_gradient = rows_of(heads.query_gradient, head, kWidth);
    const float* weights = heads.weights + number * shape.query_time * shape.key_time;
    transpose_rows<kWidth>(rows_of(heads.value, head, kWidth), heads.value.row, head.keys, columns, padded);
    std::memset(key_sums, 0, static_cast<size_t>(2 * kWidth * most) * sizeof(float));
    for (int64_t begin = 0; begin < head.queries; begin += kBlock) {
      const int64_t count = least(kBlock, head.queries - begin);
      const int64_t seen_by_last = seen_by(shape, head, begin + count - 1);
      const Block<kWidth> gradient(arriving + begin * heads.output_gradient.row, heads.output_gradient.row, count,
                                   1.0f);
      multiply(gradient, columns, padded, seen_by_last, score_gradient);  // of the weights after dropout, so far
      for (int64_t r = 0; r < kBlock; ++r) {
        float* of_scores = score_gradient + r * padded;
        float* factor = factors + r * padded;
        if (r >= count) {
          std::memset(of_scores, 0, static_cast<size_t>(padded) * sizeof(float));
          std::memset(factor, 0, static_cast<size_t>(padded) * sizeof(float));
          continue;
        }
        const int64_t seen = seen_by(shape, head, begin + r);
        std::memcpy(weight, weights + (begin + r) * shape.key_time, static_cast<size_t>(seen) * sizeof(float));
        std::memset(weight + seen, 0, static_cast<size_t>(padded - seen) * sizeof(float));
        softmax_gradient(weight, Mask(shape, head, begin + r), seen, padded, of_scores, factor);
      }
      float sums[kBlock][kWidth];
      average<kWidth>(score_gradient, padded, seen_by_last, key, heads.key.row, sums);
      write_rows<kWidth>(sums[0], count, scale, query_gradient + begin * heads.query_gradient.row,
                         heads.query_gradient.row);
      const Block<kWidth> queries(query + begin * heads.query.row, heads.query.row, count, scale);
      spread(score_gradient, padded, seen_by_last, queries, key_sums);
      spread(factors, padded, seen_by_last, gradient, value_sums);
    }
    zero_rows<kWidth>(head.queries, shape.query_time, query_gradient, heads.query_gradient.row);
    float* key_gradient = rows_of(heads.key_gradient, head, kWidth);
    write_rows<kWidth>(key_sums, head.keys, 1.0f, key_gradient, heads.key_gradient.row);
    zero_rows<kWidth>(head.keys, shape.key_time, key_gradient, heads.key_gradient.row);
    float* value_gradient = rows_of(heads.value_gradient, head, kWidth);
    write_rows<kWidth>(value_sums, head.keys, 1.0f, value_gradient, heads.value_gradient.row);
    zero_rows<kWidth>(head.keys, shape.key_time, value_gradient, heads.value_gradient.row);
  }
}

void forward(const AttentionShape& shape, const AttentionForward& heads, int64_t first, int64_t last, float* memory) {
  switch (shape.d_head) {
    case 16:
      return forward_heads<16>(shape, heads, first, last, memory);
    case 32:
      return forward_heads<32>(shape, heads, first, last, memory);
    case 64:
      return forward_heads<64>(shape, heads, first, last, memory);
    default:
      break;
  }
}

void backward(const AttentionShape& shape, const AttentionBackward& heads, int64_t first, int64_t last, float* memory) {
  switch (shape.d_head) {
    case 16:
      return backward_heads<16>(shape, heads, first, last, memory);
    case 32:
      return backward_heads<32>(shape, heads, first, last, memory);
    case 64:
      return backward_heads<64>(shape, heads, first, last, memory);
    default:
      break;
  }
}

}  // namespace

extern const AttentionLoops TR_ATTENTION_LEVEL;
const AttentionLoops TR_ATTENTION_LEVEL{forward, backward};

}  // namespace tr::kernels
