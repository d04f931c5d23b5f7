// Tables of components that a configuration chooses by name, and the field type that holds such a choice.
//
//   using Activations = config::Registry<std::shared_ptr<Activation>>;
//   Activations& activations();                       // filled in one function; open: activations().add(…)
//   config::Choice<activations> activation{"relu"};   // in an options struct; JSON: {"type": "relu", …}
//   auto module = options.activation.make();
#pragma once

#include <any>
#include <functional>

#include "libtr/config/fields.h"
#include "libtr/config/schema.h"

namespace tr::config {

/// Options of a component that has none.
struct NoOptions {
  template <class Self, class Field>
  static void fields(Self&, Field&&) {}
};

/// What every table can say of its entries without making one.
struct EntryInformation {
  std::string name;
  std::string description;  ///< one line
  std::string source;       ///< paper and section, or where the idea is from
  Json options;             ///< defaults
};

/// `Product` is what an entry makes (a shared pointer to an interface, say) from its options and `Arguments`.
template <class Product, class... Arguments>
class Registry {
 public:
  struct Entry {
    std::string name, description, source;
    std::any defaults;
    std::function<void(const Json&, const Place&, std::any&)> read;  ///< the object's keys beside "type"
    std::function<Json(const std::any&)> write;
    std::function<Json()> schema;
    std::function<void(const std::any&, const std::string&)> validate;
    std::function<Product(const std::any&, Arguments...)> make;
  };

  /// `family` as users name it, in the singular: "activation".
  explicit Registry(std::string family) : family_(std::move(family)) {}

  /// `make` is called as make(const Options&, Arguments…). A name that is there already is replaced.
  template <class Options, class Make>
  Registry& add(const std::string& name, const std::string& description, const std::string& source, Make make) {
    Entry entry{.name = name, .description = description, .source = source, .defaults = Options{}};
    entry.read = [](const Json& json, const Place& place, std::any& options) {
      FieldReader reader(json, place, {"type"});
      Options::fields(*std::any_cast<Options>(&options), reader);
      reader.finish();
    };
    entry.write = [](const std::any& options) { return write_value(*std::any_cast<Options>(&options)); };
    entry.schema = [] { return schema_value(Options{}, {}); };
    entry.validate = [](const std::any& options, const std::string& at) {
      config::validate(*std::any_cast<Options>(&options), at);
    };
    entry.make = [make](const std::any& options, Arguments... arguments) -> Product {
      return make(*std::any_cast<Options>(&options), arguments...);
    };
    std::erase_if(entries_, [&](const Entry& other) { return other.name == name; });
    entries_.push_back(std::move(entry));
    return *this;
  }

  const std::string& family() const { return family_; }
  const std::vector<Entry>& entries() const { return entries_; }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : entries_) names.push_back(entry.name);
    return names;
  }
  std::vector<EntryInformation> information() const {
    std::vector<EntryInformation> all;
    for (const auto& entry : entries_) {
      all.push_back({entry.name, entry.description, entry.source, entry.write(entry.defaults)});
    }
    return all;
  }
  const Entry* find(const std::string& name) const {
    for (const auto& entry : entries_) {
      if (entry.name == name) return &entry;
    }
    return nullptr;
  }

 private:
  std::string family_;
  std::vector<Entry> entries_;
};

/// A field that names one entry of a table and holds its options. `Table` is the function that returns the table.
template <auto Table>
class Choice {
 public:
  explicit Choice(const std::string& type) : type_(type), options_(entry().defaults) {}
  Choice() : type_(Table().entries().front().name), options_(entry().defaults) {}
  /// With options other than the defaults; `Options` must be those of the entry.
  template <class Options>
  Choice(const std::string& type, Options options) : type_(type), options_(std::move(options)) {}

  const std::string& type() const { return type_; }
  template <class Options>
  const Options& as() const {
    return *std::any_cast<Options>(&options_);
  }
  template <class... Arguments>
  auto make(Arguments&&... arguments) const {
    return entry().make(options_, std::forward<Arguments>(arguments)...);
  }

  void read(const Json& json, const Place& place) {
    const std::string example = "{\"type\": \"" + type_ + "\"}";
    if (!json.is_object()) place.fail("expected an object such as " + example + ", got " + type_name(json));
    if (const auto named = json.find("type"); named != json.end()) {
      std::string type;
      read_value(*named, place.child("type"), {}, type);
      if (Table().find(type) == nullptr) {
        const std::string& family = Table().family();
        place.child("type").fail("unknown " + family + " \"" + type + "\"" +
                                 suggestion(type, Table().names(), "types"));
      }
      if (type != type_) {
        type_ = type;
        options_ = entry().defaults;
      }
    }
    entry().read(json, place, options_);
  }
  Json write() const {
    Json json = {{"type", type_}};
    json.update(entry().write(options_));
    return json;
  }
  Json schema() const {
    Json alternatives = Json::array();
    for (const auto& entry : Table().entries()) {
      Json schema = entry.schema();
      Json properties = {{"type", {{"const", entry.name}, {"description", entry.description}}}};
      properties.update(schema["properties"]);
      schema["properties"] = properties;
      schema["required"] = {"type"};
      alternatives.push_back(schema);
    }
    return {{"oneOf", alternatives}};
  }
  void validate(const std::string& at) const { entry().validate(options_, at); }

 private:
  const auto& entry() const { return *Table().find(type_); }

  std::string type_;
  std::any options_;
};

}  // namespace tr::config
