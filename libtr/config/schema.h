// JSON Schema (draft 2020-12) of an options struct, from the same list of fields.
#pragma once

#include "libtr/config/fields.h"

namespace tr::config {

Json number_schema(const char* type, Limits limits);

inline Json schema_value(bool, Limits) { return {{"type", "boolean"}}; }
inline Json schema_value(int64_t, Limits limits) { return number_schema("integer", limits); }
inline Json schema_value(double, Limits limits) { return number_schema("number", limits); }
inline Json schema_value(const std::string&, Limits) { return {{"type", "string"}}; }
inline Json schema_value(const Path&, Limits) { return {{"type", "string"}}; }
template <HasFields T>
Json schema_value(const T& value, Limits limits);
template <SelfReading T>
Json schema_value(const T& value, Limits) {
  return value.schema();
}
template <NamedEnum T>
Json schema_value(T, Limits) {
  Json names = Json::array();
  for (const auto& entry : names_of(T{})) names.push_back(entry.second);
  return {{"enum", names}};
}
template <class T>
Json schema_value(const std::vector<T>&, Limits limits) {
  return {{"type", "array"}, {"items", schema_value(T{}, limits)}};
}
template <class T>
Json schema_value(const std::map<std::string, T>&, Limits limits) {
  return {{"type", "object"}, {"additionalProperties", schema_value(T{}, limits)}};
}
template <class T>
Json schema_value(const std::vector<std::pair<std::string, T>>&, Limits limits) {
  return {{"type", "object"}, {"additionalProperties", schema_value(T{}, limits)}};
}

struct FieldSchema {
  Json properties = Json::object();
  template <class T>
  void operator()(const char* name, const T& value, const char* description, Limits limits = {}) {
    Json schema = schema_value(value, limits);
    schema["description"] = description;
    // An object's defaults stand at its own fields.
    if (!schema.contains("properties") && !schema.contains("oneOf")) schema["default"] = write_value(value);
    properties[name] = schema;
  }
};
template <HasFields T>
Json schema_value(const T& value, Limits) {
  FieldSchema fields;
  T::fields(value, fields);
  return {{"type", "object"}, {"properties", fields.properties}, {"additionalProperties", false}};
}

}  // namespace tr::config
