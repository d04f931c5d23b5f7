// Text in, text out: what `libtr translate` does with a loaded model.
#pragma once

#include <functional>
#include <iosfwd>

#include "libtr/experiment/saved_model.h"

namespace tr::experiment {

/// One list of hypotheses a line.
using Translations = std::vector<decode::Hypotheses>;

class Translator {
 public:
  /// `warn` is told what a reader should know: a line that is cut, say.
  Translator(SavedModel saved, std::function<void(const std::string&)> warn);

  /// The first line has the number `first_line`, counted from 0, in warnings. `progress` is told how many are done.
  Translations translate(const std::vector<std::string>& lines, size_t first_line = 0,
                         std::function<void(int64_t)> progress = {});
  /// One line each; with n_best above 1 "number ||| text ||| score" for each hypothesis, numbers from `first_line`.
  std::string text(const Translations& translations, size_t first_line) const;
  /// Translates blocks of `block` lines as they arrive until the end of `input`.
  void translate_stream(std::istream& input, std::ostream& output, size_t block);
  /// Attention of the best outputs, in the shape of samples.json.
  config::Json attention(const std::vector<std::string>& lines, const Translations& translations) const;

 private:
  SavedModel saved_;
  std::function<void(const std::string&)> warn_;
};

}  // namespace tr::experiment
