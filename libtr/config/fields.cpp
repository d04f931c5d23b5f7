#include "libtr/config/fields.h"

#include "libtr/base/error.h"
#include "libtr/base/format.h"

namespace tr::config {
namespace {

/// What is wrong with a number; empty if nothing is.
template <class Number>
std::string problem_of(Number value, Limits limits) {
  return limits.allow(static_cast<double>(value)) ? "" : format("got {}, expected a number {}", value, limits.text());
}

template <class Number>
void check_read(const Place& place, Limits limits, Number value) {
  if (const std::string problem = problem_of(value, limits); !problem.empty()) place.fail(problem);
}

template <class Number>
void check_number(const std::string& at, Limits limits, Number value) {
  if (const std::string problem = problem_of(value, limits); !problem.empty()) throw UsageError(at, problem);
}

}  // namespace

void check_limits(const std::string& at, Limits limits, int64_t value) { check_number(at, limits, value); }
void check_limits(const std::string& at, Limits limits, double value) { check_number(at, limits, value); }

void read_value(const Json& json, const Place& place, Limits, bool& value) {
  if (!json.is_boolean()) place.fail("expected true or false, got " + type_name(json));
  value = json.get<bool>();
}

void read_value(const Json& json, const Place& place, Limits limits, int64_t& value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53: up to here a double holds every integer
  const bool integral_float = json.is_number_float() && std::floor(json.get<double>()) == json.get<double>() &&
                              std::abs(json.get<double>()) <= kExact;
  const bool too_large = json.is_number_unsigned() && json.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX);
  if ((!json.is_number_integer() && !integral_float) || too_large) {
    place.fail("expected an integer, got " + type_name(json));
  }
  value = integral_float ? static_cast<int64_t>(json.get<double>()) : json.get<int64_t>();
  check_read(place, limits, value);
}

void read_value(const Json& json, const Place& place, Limits limits, double& value) {
  if (!json.is_number()) place.fail("expected a number, got " + type_name(json));
  value = json.get<double>();
  check_read(place, limits, value);
}

void read_value(const Json& json, const Place& place, Limits, std::string& value) {
  if (!json.is_string()) place.fail("expected a string, got " + type_name(json));
  value = json.get<std::string>();
}

void read_value(const Json& json, const Place& place, Limits limits, Path& value) {
  read_value(json, place, limits, value.value);
  if (value.empty()) return;
  const std::filesystem::path file(value.value);
  value.value = std::filesystem::absolute(file.is_absolute() ? file : std::filesystem::path(place.folder()) / file)
                    .lexically_normal()
                    .string();
}

void refuse_unknown_keys(const Json& json, const Place& place, const std::vector<std::string>& known) {
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    std::string message = "unknown key" + suggestion(key, known, "keys");
    for (const auto& path : place.sources().known_paths) {
      if (path.size() > key.size() && path.ends_with("/" + key)) {
        message += "; there is a key of that name at " + path;
        break;
      }
    }
    place.child(key).fail(message);
  }
}

}  // namespace tr::config
