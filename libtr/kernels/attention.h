// Scaled dot-product attention for short sentences, Vaswani et al. 2017, section 3.2.1: every head of every sentence by
// itself, read where the projections left it. Padding is never touched and no mask tensor exists.
#pragma once

#include <cstdint>

namespace tr::kernels {

/// Rows with all heads side by side: element i of head h at time t of sentence b is
/// data[b * sentence + t * row + h * d_head + i].
template <class Element>
struct HeadRows {
  Element* data = nullptr;
  int64_t sentence = 0;
  int64_t row = 0;
};

struct AttentionShape {
  int64_t heads = 1;
  int64_t d_head = 16;
  int64_t query_time = 0;                  ///< places of a sentence, padding counted
  int64_t key_time = 0;                    ///< the same of the keys
  const int64_t* query_lengths = nullptr;  ///< [batch] real queries, at least 1; null: all
  const int64_t* key_lengths = nullptr;    ///< [batch] real keys, at least 1; null: all
  bool causal = false;                     ///< query t sees keys 0 … t
  const uint64_t* dropout_keys = nullptr;  ///< [batch * heads * query_time], as DropoutRows::keys; null: no dropout
  double dropout = 0;                      ///< of the weights
};

/// Widths of a head that the kernel is made for: 16, 32, 64.
bool attention_serves(int64_t d_head);

struct AttentionForward {
  HeadRows<const float> query, key, value;
  HeadRows<float> output;  ///< zeros for padding
  float* weights;          ///< [batch, heads, query_time, key_time], before dropout; zeros for what is not seen
};
/// Heads first … last-1 of all batch * heads, sentence by sentence: each is computed by itself.
void attention(const AttentionShape& shape, const AttentionForward& heads, int64_t first, int64_t last);

struct AttentionBackward {
  HeadRows<const float> query, key, value, output_gradient;
  const float* weights;                                          ///< that the forward pass wrote
  HeadRows<float> query_gradient, key_gradient, value_gradient;  ///< overwritten; zeros for padding
};
void attention_gradient(const AttentionShape& shape, const AttentionBackward& heads, int64_t first, int64_t last);

}  // namespace tr::kernels
