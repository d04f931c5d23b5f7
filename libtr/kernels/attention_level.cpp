// Compiled once for each instruction set (CMakeLists.txt): TR_ATTENTION_LEVEL names the table that it fills. No
// function of the standard library that would be emitted here may be called: the linker could take this copy for the
// whole program.
#include <cmath>
#include <cstring>
#include <limits>

#include "libtr/kernels/attention_loops.h"
#include "libtr/kernels/dropout.h"
#include "libtr/kernels/exponential.h"

namespace tr::kernels {
namespace {

#if defined(__AVX512F__)
constexpr int64_t kLanes = 16;  ///< float32 numbers that an instruction takes
#elif defined(__AVX__)
constexpr int64_t kLanes = 8;
#else
constexpr int64_t kLanes = 4;
#endif
constexpr int64_t kBlock = kAttentionBlock;
constexpr int64_t kPair = 2;  ///< vectors of lanes in work at once: kBlock * kPair sums fit the registers
constexpr int64_t kStep = kPair * kLanes;
static_assert(kStep <= kMostAttentionStep);
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

TR_INLINE_LOOP Lanes load(const float* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
TR_INLINE_LOOP void store(float* to, const Lanes& lanes) { std::memcpy(to, &lanes, sizeof lanes); }
TR_INLINE_LOOP Lanes all(float value) { return Lanes{} + value; }

TR_INLINE_LOOP int64_t rounded_up(int64_t count) { return (count + kStep - 1) / kStep * kStep; }
TR_INLINE_LOOP constexpr int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

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
TR_INLINE_LOOP void transpose(const float* rows, int64_t stride, int64_t count, float* columns, int64_t padded) {
  for (int64_t i = 0; i < kWidth; ++i) {
    for (int64_t t = count; t < padded; ++t) columns[i * padded + t] = 0;
  }
  for (int64_t t = 0; t < count; ++t) {
    for (int64_t i = 0; i < kWidth; ++i) columns[i * padded + t] = rows[t * stride + i];
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

/// products[r][t] = sum over i of block[r][i] * columns[i][t]
template <int64_t kWidth>
TR_INLINE_LOOP void multiply(const Block<kWidth>& block, const float* columns, int64_t padded, int64_t seen,
                             float* products) {
  for (int64_t t = 0; t < seen; t += kStep) {
    Lanes sum[kBlock][kPair] = {};
    for (int64_t i = 0; i < kWidth; ++i) {
      const Lanes column[kPair] = {load(columns + i * padded + t), load(columns + i * padded + t + kLanes)};
      for (int64_t r = 0; r < kBlock; ++r) {
        for (int64_t p = 0; p < kPair; ++p) sum[r][p] += column[p] * block.row[r][i];
      }
    }
    for (int64_t r = 0; r < kBlock; ++r) {
      for (int64_t p = 0; p < kPair; ++p) store(products + r * padded + t + p * kLanes, sum[r][p]);
    }
  }
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

/// Softmax of the first `seen` scores, zeros up to `padded`.
TR_INLINE_LOOP void softmax(float* scores, int64_t seen, int64_t padded) {
  float highest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : highest)
  for (int64_t t = 0; t < seen; ++t) highest = scores[t] > highest ? scores[t] : highest;
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t t = 0; t < seen; ++t) sum += scores[t] = exponential(scores[t] - highest);
  const float scale = 1.0f / sum;
#pragma omp simd
  for (int64_t t = 0; t < seen; ++t) scores[t] *= scale;
  for (int64_t t = seen; t < padded; ++t) scores[t] = 0;
}

TR_INLINE_LOOP void drop(const AttentionShape& shape, const Head& head, int64_t query, int64_t seen, float* factors) {
  const uint64_t key = shape.dropout_keys[head.number * shape.query_time + query];
  const uint32_t threshold = mask_threshold(shape.dropout);
  const auto scale = static_cast<float>(1.0 / (1.0 - shape.dropout));
  for (int64_t t = 0; t < seen; ++t) {
    const float kept = factors[t] * scale;
    factors[t] = mask_bits(key, static_cast<uint32_t>(t)) < threshold ? 0.0f : kept;
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
  const int64_t most = rounded_up(shape.key_time);
  const auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(kWidth)));
  float* columns = memory;
  float* factors = columns + kWidth * most;
  for (int64_t number = first; number < last; ++number) {
    const Head head = head_at(shape, number);
    const int64_t padded = rounded_up(head.keys);
    const float* query = rows_of(heads.query, head, kWidth);
    const float* value = rows_of(heads.value, head, kWidth);
    float* output = rows_of(heads.output, head, kWidth);
    float* weights = heads.weights + number * shape.query_time * shape.key_time;
    transpose<kWidth>(rows_of(heads.key, head, kWidth), heads.key.row, head.keys, columns, padded);
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
        if (shape.dropout_keys != nullptr) drop(shape, head, begin + r, seen, row);
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
  const int64_t most = rounded_up(shape.key_time);
  const auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(kWidth)));
  float* columns = memory;                    // of the values
  float* key_sums = columns + kWidth * most;  // [keys, width]
  float* value_sums = key_sums + kWidth * most;
  float* score_gradient = value_sums + kWidth * most;
  float* factors = score_gradient + kBlock * most;  // weights after dropout
  for (int64_t number = first; number < last; ++number) {
    const Head head = head_at(shape, number);
    const int64_t padded = rounded_up(head.keys);
    const float* query = rows_of(heads.query, head, kWidth);
    const float* key = rows_of(heads.key, head, kWidth);
    const float* arriving = rows_of(heads.output_gradient, head, kWidth);
    float* query_gradient = rows_of(heads.query_gradient, head, kWidth);
    const float* weights = heads.weights + number * shape.query_time * shape.key_time;
    transpose<kWidth>(rows_of(heads.value, head, kWidth), heads.value.row, head.keys, columns, padded);
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
        const float* weight = weights + (begin + r) * shape.key_time;
        std::memcpy(factor, weight, static_cast<size_t>(seen) * sizeof(float));
        std::memset(factor + seen, 0, static_cast<size_t>(padded - seen) * sizeof(float));
        if (shape.dropout_keys != nullptr) {
          drop(shape, head, begin + r, seen, factor);
          drop(shape, head, begin + r, seen, of_scores);
        }
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t t = 0; t < seen; ++t) sum += weight[t] * of_scores[t];
#pragma omp simd
        for (int64_t t = 0; t < seen; ++t) of_scores[t] = weight[t] * (of_scores[t] - sum);
        for (int64_t t = seen; t < padded; ++t) of_scores[t] = 0;
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
