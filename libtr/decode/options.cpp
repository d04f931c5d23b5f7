#include "libtr/decode/options.h"

#include "libtr/base/error.h"
#include "libtr/base/format.h"

namespace tr::decode {

void DecodeOptions::validate(const std::string& at) const {
  if (search.type() == "beam" && n_best > beam) {
    throw UsageError(at + "/n_best", format("got {}, expected at most beam, which is {}", n_best, beam));
  }
}

}  // namespace tr::decode
