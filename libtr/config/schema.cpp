#include "libtr/config/schema.h"

namespace tr::config {

Json number_schema(const char* type, Limits limits) {
  Json schema = {{"type", type}};
  if (std::isfinite(limits.low)) schema[limits.without_low ? "exclusiveMinimum" : "minimum"] = limits.low;
  if (std::isfinite(limits.high)) schema[limits.without_high ? "exclusiveMaximum" : "maximum"] = limits.high;
  return schema;
}

}  // namespace tr::config
