#include "libtr/config/value.h"

#include <filesystem>

#include "libtr/base/error.h"
#include "libtr/base/format.h"

namespace tr::config {

std::string Sources::origin(const std::string& path) const {
  for (std::string at = path;; at.resize(at.rfind('/'))) {
    const auto found = origin_of_path.find(at);
    if (found != origin_of_path.end()) return found->second;
    if (at.empty() || at.rfind('/') == std::string::npos) return "";
  }
}

Place Place::child(const std::string& key) const { return Place(*sources_, path_ + "/" + escape_pointer(key)); }

std::string Place::folder() const {
  const std::string origin = sources_->origin(path_);
  return origin.empty() || origin == "--set" ? "." : std::filesystem::path(origin).parent_path().string();
}

void Place::fail(const std::string& problem) const {
  const std::string origin = sources_->origin(path_);
  const std::string path = path_.empty() ? "/" : path_;
  throw UsageError(origin.empty() ? path : origin + (origin == "--set" ? " " : ": ") + path, problem);
}

bool Limits::allow(double value) const {
  return (without_low ? value > low : value >= low) && (without_high ? value < high : value <= high);
}

std::string Limits::text() const {
  const bool has_low = low > -std::numeric_limits<double>::infinity();
  const bool has_high = high < std::numeric_limits<double>::infinity();
  if (has_low && has_high)
    return format("from {}{} to {}{}", without_low ? "above " : "", low, without_high ? "below " : "", high);
  if (has_low) return format("{} {}", without_low ? "above" : "at least", low);
  if (has_high) return format("{} {}", without_high ? "below" : "at most", high);
  return "any number";
}

std::string escape_pointer(const std::string& key) {
  std::string escaped;
  for (const char c : key) escaped += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return escaped;
}

Json value_at(const Json& json, const std::string& path) {
  const Json::json_pointer pointer(path);
  return json.contains(pointer) ? json.at(pointer) : Json(nullptr);
}

std::string shown(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 60) {
    text.resize(57);
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80) != 0)
      text.pop_back();  // no half character
    text += "...";
  }
  return text;
}

}  // namespace tr::config
