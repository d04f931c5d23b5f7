// One list of fields per options struct serves reading, writing, schema and validation.
//
//   struct Options {
//     int64_t heads = 8;  ///< divides d_model
//     template <class Self, class Field> static void fields(Self& self, Field&& field) {
//       field("heads", self.heads, "number of attention heads", at_least(1));
//     }
//     void validate(const std::string& at) const;   // optional: conditions between fields; throws UsageError
//   };
//
// Types of fields: bool, int64_t, double, std::string, Path, enums with names_of(), options structs,
// std::vector and std::map<std::string, …> of these, and Choice (registry.h).
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <type_traits>

#include "libtr/base/nearest.h"
#include "libtr/config/value.h"

namespace tr::config {

struct AnyField {
  template <class T>
  void operator()(const char*, T&, const char*, Limits = {}) const {}
};
template <class T>
concept HasFields = requires(T& value) {
  T::fields(value, AnyField{});
};

/// An enum of a configuration: `inline auto names_of(Norm) { return std::vector<std::pair<Norm, const char*>>{…}; }`
template <class T>
concept NamedEnum = std::is_enum_v<T> && requires(T value) {
  names_of(value);
};

/// A type that brings its own read, write, schema and validation: Choice of registry.h.
template <class T>
concept SelfReading = requires(T& value, const Json& json, const Place& place) {
  value.read(json, place);
};

inline std::string type_name(const Json& json) {
  return json.is_object() ? "an object" : json.is_array() ? "a list" : json.is_null() ? "null" : shown(json);
}

// ---- reading ----
void read_value(const Json& json, const Place& place, Limits limits, bool& value);
void read_value(const Json& json, const Place& place, Limits limits, int64_t& value);
void read_value(const Json& json, const Place& place, Limits limits, double& value);
void read_value(const Json& json, const Place& place, Limits limits, std::string& value);
void read_value(const Json& json, const Place& place, Limits limits, Path& value);

template <HasFields T>
void read_value(const Json& json, const Place& place, Limits limits, T& value);
template <SelfReading T>
void read_value(const Json& json, const Place& place, Limits, T& value) {
  value.read(json, place);
}

template <NamedEnum T>
void read_value(const Json& json, const Place& place, Limits, T& value) {
  std::vector<std::string> names;
  for (const auto& [candidate, name] : names_of(T{})) {
    names.push_back(name);
    if (json == name) {
      value = candidate;
      return;
    }
  }
  const std::string got = json.is_string() ? json.get<std::string>() : type_name(json);
  place.fail("got " + type_name(json) + suggestion(got, names, "values"));
}

template <class T>
void read_value(const Json& json, const Place& place, Limits limits, std::vector<T>& values) {
  if (!json.is_array()) place.fail("expected a list, got " + type_name(json));
  values.assign(json.size(), T{});
  for (size_t i = 0; i < json.size(); ++i) read_value(json[i], place.child(i), limits, values[i]);
}

template <class T>
void read_value(const Json& json, const Place& place, Limits limits, std::map<std::string, T>& values) {
  if (!json.is_object()) place.fail("expected an object, got " + type_name(json));
  values.clear();
  for (const auto& [key, item] : json.items()) read_value(item, place.child(key), limits, values[key]);
}

/// An ordered map, for objects whose first entry matters.
template <class T>
void read_value(const Json& json, const Place& place, Limits limits, std::vector<std::pair<std::string, T>>& values) {
  if (!json.is_object()) place.fail("expected an object, got " + type_name(json));
  values.clear();
  for (const auto& [key, item] : json.items())
    read_value(item, place.child(key), limits, values.emplace_back(key, T{}).second);
}

/// Throws for the first key of `json` that is not among `known`: nearest key, known keys, and where it would belong.
void refuse_unknown_keys(const Json& json, const Place& place, const std::vector<std::string>& known);

class FieldReader {
 public:
  FieldReader(const Json& json, const Place& place, std::vector<std::string> known = {})
      : json_(json), place_(place), known_(std::move(known)) {}
  template <class T>
  void operator()(const char* name, T& value, const char*, Limits limits = {}) {
    known_.emplace_back(name);
    const auto found = json_.find(name);
    if (found != json_.end()) read_value(*found, place_.child(name), limits, value);
  }
  void finish() const { refuse_unknown_keys(json_, place_, known_); }

 private:
  const Json& json_;
  const Place& place_;
  std::vector<std::string> known_;
};

template <HasFields T>
void read_value(const Json& json, const Place& place, Limits, T& value) {
  if (!json.is_object()) place.fail("expected an object, got " + type_name(json));
  FieldReader reader(json, place);
  T::fields(value, reader);
  reader.finish();
}

// ---- writing ----
inline Json write_value(bool value) { return value; }
inline Json write_value(int64_t value) { return value; }
inline Json write_value(double value) { return value; }
inline Json write_value(const std::string& value) { return value; }
inline Json write_value(const Path& value) { return value.value; }
template <HasFields T>
Json write_value(const T& value);
template <SelfReading T>
Json write_value(const T& value) {
  return value.write();
}
template <NamedEnum T>
Json write_value(T value) {
  for (const auto& [candidate, name] : names_of(T{})) {
    if (candidate == value) return name;
  }
  return nullptr;
}
template <class T>
Json write_value(const std::vector<T>& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(write_value(value));
  return list;
}
template <class T>
Json write_value(const std::map<std::string, T>& values) {
  Json object = Json::object();
  for (const auto& [key, value] : values) object[key] = write_value(value);
  return object;
}
template <class T>
Json write_value(const std::vector<std::pair<std::string, T>>& values) {
  Json object = Json::object();
  for (const auto& [key, value] : values) object[key] = write_value(value);
  return object;
}

struct FieldWriter {
  Json json = Json::object();
  template <class T>
  void operator()(const char* name, const T& value, const char*, Limits = {}) {
    json[name] = write_value(value);
  }
};
template <HasFields T>
Json write_value(const T& value) {
  FieldWriter writer;
  T::fields(value, writer);
  return writer.json;
}

// ---- limits, and conditions between fields ----
/// Throws UsageError for a number outside its limits.
void check_limits(const std::string& at, Limits limits, int64_t value);
void check_limits(const std::string& at, Limits limits, double value);

struct FieldValidator {
  std::string at;
  template <class T>
  void operator()(const char* name, const T& value, const char*, Limits limits = {}) {
    validate_value(value, at + "/" + name, limits);
  }
  template <class T>
  static void validate_value(const T& value, const std::string& at, Limits limits = {}) {
    if constexpr (HasFields<T>) {
      FieldValidator inner{at};
      T::fields(value, inner);
      if constexpr (requires { value.validate(at); }) value.validate(at);
    } else if constexpr (SelfReading<T>) {
      value.validate(at);
    } else if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, double>) {
      check_limits(at, limits, value);
    }
  }
  template <class T>
  static void validate_value(const std::vector<T>& values, const std::string& at, Limits limits = {}) {
    for (size_t i = 0; i < values.size(); ++i) validate_value(values[i], at + "/" + std::to_string(i), limits);
  }
  template <class T>
  static void validate_value(const std::map<std::string, T>& values, const std::string& at, Limits limits = {}) {
    for (const auto& [key, value] : values) validate_value(value, at + "/" + escape_pointer(key), limits);
  }
  template <class T>
  static void validate_value(const std::vector<std::pair<std::string, T>>& values, const std::string& at,
                             Limits limits = {}) {
    for (const auto& [key, value] : values) validate_value(value, at + "/" + escape_pointer(key), limits);
  }
};
/// Throws UsageError for the first number outside its limits or condition that does not hold in `value` or in an
/// options struct inside it.
template <class T>
void validate(const T& value, const std::string& at = "") {
  FieldValidator::validate_value(value, at);
}

}  // namespace tr::config
