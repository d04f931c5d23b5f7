// Lower-cased Moses text, as the files *.lc.norm.tok.* of Multi30k hold it and as many papers score it: lower-casing,
// then the rules of normalize-punctuation and of the tokenizer of the Moses toolkit (Koehn et al. 2007).
#pragma once

#include <string>
#include <string_view>

namespace tr::metrics {

/// Raw text to tokens with one space between them. Hyphens are not split; & | < > ' " [ ] are escaped as entities
/// ("&apos;"). Languages with rules of their own: "de", "en", "fr"; any other gets the rules that they share.
/// Meant for raw text: an entity or a split-off apostrophe of text that is tokenized already would be split again.
std::string moses_lower_cased(std::string_view line, const std::string& language);

// The two steps, for text that is lower-cased already.
std::u32string moses_normalize_punctuation(std::u32string_view line, const std::string& language);
std::u32string moses_tokenize(std::u32string_view line, const std::string& language);

}  // namespace tr::metrics
