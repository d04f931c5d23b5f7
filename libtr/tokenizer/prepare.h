// What is done to a line before it is cut into pieces; off unless asked.
#pragma once

#include "libtr/base/unicode.h"
#include "libtr/config/fields.h"

namespace tr {
inline auto names_of(NormalForm) {
  return std::vector<std::pair<NormalForm, const char*>>{{NormalForm::none, "none"},
                                                         {NormalForm::nfc, "nfc"},
                                                         {NormalForm::nfd, "nfd"},
                                                         {NormalForm::nfkc, "nfkc"},
                                                         {NormalForm::nfkd, "nfkd"}};
}
}  // namespace tr

namespace tr::tokenizer {

struct TextOptions {
  bool lowercase = false;
  NormalForm unicode = NormalForm::none;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("lowercase", self.lowercase, "lower-case source and target (full Unicode mapping, no locale)");
    field("unicode", self.unicode, "Unicode normal form that lines are brought into");
  }
  friend bool operator==(const TextOptions&, const TextOptions&) = default;
};

/// Unicode form first, lower case second. Throws DataError if a form is asked for and `line` is not UTF-8.
std::string prepare(const std::string& line, const TextOptions& options);

}  // namespace tr::tokenizer
