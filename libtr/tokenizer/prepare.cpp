#include "libtr/tokenizer/prepare.h"

namespace tr::tokenizer {

std::string prepare(const std::string& line, const TextOptions& options) {
  const std::string in_form = options.unicode == NormalForm::none ? line : normalize(line, options.unicode);
  return options.lowercase ? lower_case(in_form) : in_form;
}

}  // namespace tr::tokenizer
