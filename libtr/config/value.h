// Where a configuration value stands and where it came from: the first half of every error message.
#pragma once

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tr::config {

/// Keys keep the order in which options structs declare them.
using Json = nlohmann::ordered_json;

/// Which file (or "--set") gave each value, by JSON path; and what is known, to say where a misplaced key belongs.
struct Sources {
  std::map<std::string, std::string> origin_of_path;
  std::vector<std::string> known_paths;

  /// Origin of the value at `path`: that of the path itself or of the nearest one above it; empty if unknown.
  std::string origin(const std::string& path) const;
};

/// One value's JSON path together with the sources.
class Place {
 public:
  explicit Place(const Sources& sources, std::string path = "") : sources_(&sources), path_(std::move(path)) {}

  Place child(const std::string& key) const;
  Place child(size_t index) const { return child(std::to_string(index)); }
  const std::string& path() const { return path_; }
  const Sources& sources() const { return *sources_; }
  /// Folder against which a relative file path at this place is resolved: that of the file which gave the value, the
  /// current one for --set.
  std::string folder() const;
  /// Throws UsageError "ORIGIN: PATH: problem".
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  const Sources* sources_;
  std::string path_;
};

/// Numbers allowed; the default allows all.
struct Limits {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool without_low = false;   ///< low itself is not allowed
  bool without_high = false;  ///< high itself is not allowed

  bool allow(double value) const;
  /// "at least 1", "above 0", "from 0 to below 1"
  std::string text() const;
};
constexpr Limits at_least(double low) { return {.low = low}; }
constexpr Limits above(double low) { return {.low = low, .without_low = true}; }
constexpr Limits between(double low, double high) { return {.low = low, .high = high}; }
/// A probability that may not be 1, such as a dropout rate.
constexpr Limits below_one() { return {.low = 0, .high = 1, .without_high = true}; }

/// A file or folder. In a configuration file it may be relative to that file; read, it is absolute.
struct Path {
  std::string value;
  bool empty() const { return value.empty(); }
};

/// "/a~1b" escaping of RFC 6901.
std::string escape_pointer(const std::string& key);

/// The value at a JSON path, or null.
Json value_at(const Json& json, const std::string& path);

/// A JSON value on one line, cut after about 60 characters, for messages.
std::string shown(const Json& json);

}  // namespace tr::config
