// One substitution of the regular-expression kind that tokenizers are made of: two neighbouring characters.
#pragma once

#include <string>
#include <string_view>

namespace tr::metrics {

/// What is written around and between the two characters of a match.
struct Spacing {
  std::u32string_view before, between, after;
};

/// Left to right, without overlap: wherever first(text[i]) and second(text[i + 1]) hold, the pair is written with
/// `spacing` and the search goes on behind it. As in the tools that are reproduced here, the second character of a
/// match cannot be the first of the next.
template <class First, class Second>
std::u32string space_pairs(std::u32string_view text, First first, Second second, const Spacing& spacing) {
  std::u32string result;
  result.reserve(text.size() + text.size() / 4);
  size_t i = 0;
  while (i < text.size()) {
    if (i + 1 < text.size() && first(text[i]) && second(text[i + 1])) {
      result.append(spacing.before).push_back(text[i]);
      result.append(spacing.between).push_back(text[i + 1]);
      result.append(spacing.after);
      i += 2;
    } else {
      result.push_back(text[i++]);
    }
  }
  return result;
}

/// A space on both sides of every character for which separate(c) holds.
template <class Separate>
std::u32string space_around(std::u32string_view text, Separate separate) {
  std::u32string result;
  result.reserve(text.size() + text.size() / 4);
  for (const char32_t c : text) {
    if (separate(c)) {
      result.append({U' ', c, U' '});
    } else {
      result.push_back(c);
    }
  }
  return result;
}

/// Every occurrence of `from`, left to right.
inline std::u32string replace_all(std::u32string_view text, std::u32string_view from, std::u32string_view to) {
  std::u32string result;
  size_t start = 0;
  for (size_t at; (at = text.find(from, start)) != text.npos; start = at + from.size())
    result.append(text.substr(start, at - start)).append(to);
  return result.append(text.substr(start));
}

}  // namespace tr::metrics
