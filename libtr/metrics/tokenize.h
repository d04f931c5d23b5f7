// Tokenizers of BLEU: those of sacreBLEU 2.6.0 (Post 2018, "A Call for Clarity in Reporting BLEU Scores") and moses-lc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tr::metrics {

enum class Tokenizer {
  mteval_13a,  ///< "13a": mteval-v13a, the default of WMT: ASCII punctuation, not inside numbers; four entities decoded
  none,        ///< "none": white space alone
  character,   ///< "char": every code point
  intl,        ///< "intl": mteval-v14: Unicode punctuation, not inside numbers, and symbols
  zh,          ///< "zh": every CJK character, the rest as 13a
  moses_lc,    ///< "moses-lc": lower-cased, Moses punctuation and tokens (moses.h); what many papers score
};

/// "13a", "none", …
const std::string& tokenizer_name(Tokenizer tokenizer);
/// Throws UsageError at `where` with the known names.
Tokenizer tokenizer_of_name(std::string_view name, const std::string& where = "--tokenize");

/// Tokens of one line; white space at the end of the line is dropped first, as sacreBLEU does. `language` matters to
/// moses-lc alone ("de", "en", "fr"; others fall back to plain rules).
std::vector<std::string> tokenize(std::string_view line, Tokenizer tokenizer, const std::string& language = "");

}  // namespace tr::metrics
