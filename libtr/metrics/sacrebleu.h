// The version of sacreBLEU whose scores are reproduced, as signatures name it.
#pragma once

namespace tr::metrics {

inline constexpr const char* kSacrebleuVersion = "2.6.0";

}  // namespace tr::metrics
