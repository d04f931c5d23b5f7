// Configuration: reading, defaults, errors with their path, extends, --set, choices, schema.
#include <fstream>

#include "libtr/config/json_file.h"
#include "libtr/config/registry.h"
#include "tests/support.h"

namespace tr::config {
namespace {

const std::string kRelative = "; a name is relative to the file that it stands in";

enum class Placement { before, after };
auto names_of(Placement) {
  return std::vector<std::pair<Placement, const char*>>{{Placement::before, "before"}, {Placement::after, "after"}};
}

struct ScaleOptions {
  double factor = 2.0;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("factor", self.factor, "what it multiplies by", above(0));
  }
};
using Functions = Registry<std::function<double(double)>>;
Functions& functions() {
  static Functions table = [] {
    Functions all("function");
    all.add<NoOptions>("identity", "leaves it as it is", "folklore",
                       [](const NoOptions&) { return [](double x) { return x; }; });
    all.add<ScaleOptions>("scale", "multiplies", "folklore", [](const ScaleOptions& options) {
      return [factor = options.factor](double x) { return factor * x; };
    });
    return all;
  }();
  return table;
}

struct Layer {
  int64_t width = 8, heads = 2;
  double dropout = 0.1;
  bool bias = true;
  Placement placement = Placement::before;
  Choice<functions> function{"identity"};
  std::vector<int64_t> sizes;
  Path file;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("width", self.width, "width", at_least(1));
    field("heads", self.heads, "heads", at_least(1));
    field("dropout", self.dropout, "rate", below_one());
    field("bias", self.bias, "whether there is a bias");
    field("placement", self.placement, "where");
    field("function", self.function, "what it does");
    field("sizes", self.sizes, "sizes", at_least(0));
    field("file", self.file, "a file");
  }
  void validate(const std::string& at) const {
    if (width % heads != 0) {
      throw UsageError(at + "/heads",
                       std::to_string(heads) + " does not divide " + at + "/width = " + std::to_string(width));
    }
  }
};

struct Root {
  int64_t seed = 1;
  Layer layer;
  std::vector<std::pair<std::string, Layer>> others;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("seed", self.seed, "seed");
    field("layer", self.layer, "a layer");
    field("others", self.others, "more layers");
  }
};

Root root_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Document document = document_of(Json::parse(text), "");
  apply_overrides(document, overrides);
  return read<Root>(document);
}

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

using test::error_of;

TEST_CASE("a configuration that was written is read back as it was", "[F33]") {
  const Root root =
      root_of(R"({"layer": {"placement": "after", "function": {"type": "scale", "factor": 3}, "sizes": [1, 2]},
                               "others": {"b": {"width": 4}, "a": {}}})");
  CHECK(root.layer.placement == Placement::after);
  CHECK(root.layer.function.make()(2.0) == 6.0);
  REQUIRE(root.others.size() == 2);
  CHECK(root.others[0].first == "b");
  CHECK(root.others[0].second.width == 4);
  const Json written = write_value(root);
  CHECK(written["layer"]["heads"] == 2);
  CHECK(write_value(read<Root>(document_of(written, ""))) == written);
}

TEST_CASE("a misspelt key is refused with its path, the nearest key and the known keys", "[F32]") {
  CHECK(error_of([] { root_of(R"({"layer": {"droput": 0.1}})"); }) ==
        "/layer/droput: unknown key; did you mean dropout? known keys: width, heads, dropout, bias, placement, "
        "function, sizes, file");
  CHECK(error_of([] { root_of(R"({"heads": 1})"); }) ==
        "/heads: unknown key; known keys: seed, layer, others; there is a key of that name at /layer/heads");
  CHECK(error_of([] { root_of(R"({"layer": {"function": {"type": "scale", "faktor": 1}}})"); }) ==
        "/layer/function/faktor: unknown key; did you mean factor? known keys: type, factor");
}

TEST_CASE("wrong types and values are refused with path, value and range") {
  CHECK(error_of([] { root_of(R"({"seed": 2.5})"); }) == "/seed: expected an integer, got 2.5");
  CHECK(error_of([] { root_of(R"({"seed": 18446744073709551615})"); }) ==
        "/seed: expected an integer, got 18446744073709551615");
  CHECK(error_of([] { root_of(R"({"seed": "1"})"); }) == "/seed: expected an integer, got \"1\"");
  CHECK(error_of([] { root_of(R"({"layer": {"heads": 0}})"); }) == "/layer/heads: got 0, expected a number at least 1");
  CHECK(error_of([] { root_of(R"({"layer": {"dropout": 1}})"); }) ==
        "/layer/dropout: got 1, expected a number from 0 to below 1");
  CHECK(error_of([] { root_of(R"({"layer": {"bias": 1}})"); }) == "/layer/bias: expected true or false, got 1");
  CHECK(error_of([] { root_of(R"({"layer": 3})"); }) == "/layer: expected an object, got 3");
  CHECK(error_of([] { root_of(R"({"layer": {"sizes": 3}})"); }) == "/layer/sizes: expected a list, got 3");
  CHECK(error_of([] { root_of(R"({"layer": {"sizes": [1, 2.5]}})"); }) ==
        "/layer/sizes/1: expected an integer, got 2.5");
  CHECK(error_of([] { root_of(R"({"layer": {"file": 1}})"); }) == "/layer/file: expected a string, got 1");
  CHECK(error_of([] { root_of(R"({"layer": {"placement": "befor"}})"); }) ==
        "/layer/placement: got \"befor\"; did you mean before? known values: before, after");
  CHECK(error_of([] { root_of(R"({"layer": {"function": "scale"}})"); }) ==
        "/layer/function: expected an object such as {\"type\": \"identity\"}, got \"scale\"");
  CHECK(error_of([] { root_of(R"({"layer": {"function": {"type": "skale"}}})"); }) ==
        "/layer/function/type: unknown function \"skale\"; did you mean scale? known types: identity, scale");
  CHECK(error_of([] { root_of(R"({"seed": null})"); }) ==
        "/seed: null is not a value; to choose none write a type such as {\"type\": \"none\"}");
}

TEST_CASE("an integer may be written as 8e6") { CHECK(root_of(R"({"seed": 8e6})").seed == 8000000); }

TEST_CASE("conditions between fields name both") {
  CHECK(error_of([] { root_of(R"({"layer": {"heads": 3}})"); }) == "/layer/heads: 3 does not divide /layer/width = 8");
  CHECK(error_of([] { root_of(R"({"others": {"x": {"heads": 3}}})"); }) ==
        "/others/x/heads: 3 does not divide /others/x/width = 8");
}

TEST_CASE("options that a program set are held to the limits of a file") {
  const auto error_with = [](auto change) {
    Root root;
    root.others.emplace_back("x", Layer{});
    validate(root);
    change(root);
    return error_of([&] { validate(root, "/here"); });
  };
  CHECK(error_with([](Root& root) { root.layer.heads = 0; }) ==
        "/here/layer/heads: got 0, expected a number at least 1");
  CHECK(error_with([](Root& root) { root.others[0].second.dropout = 1; }) ==
        "/here/others/x/dropout: got 1, expected a number from 0 to below 1");
  CHECK(error_with([](Root& root) {
          root.layer.function = {"scale", ScaleOptions{.factor = 0}};
        }) == "/here/layer/function/factor: got 0, expected a number above 0");
  CHECK(error_with([](Root& root) {
          root.layer.sizes = {1, -1};
        }) == "/here/layer/sizes/1: got -1, expected a number at least 0");
}

TEST_CASE("an override by --set changes one value and is named in errors") {
  CHECK(root_of("{}", {"/layer/heads=4"}).layer.heads == 4);
  CHECK(root_of("{}", {"/layer/function/type=scale"}).layer.function.type() == "scale");
  CHECK(root_of("{}", {"/others/a~1b/width=6"}).others[0].first == "a/b");
  CHECK(error_of([] {
          root_of("{}", {"/layer/headz=3"});
        }).starts_with("--set /layer/headz: unknown key; did you mean heads?"));
  CHECK(error_of([] { root_of("{}", {"layer=3"}); }) == "--set: got \"layer=3\", expected /path/to/key=value");
  CHECK(error_of([] { root_of("{}", {"/layer"}); }) == "--set: got \"/layer\", expected /path/to/key=value");
}

TEST_CASE("a patch that changes the type replaces the object and says so") {
  Document document = document_of(Json::parse(R"({"layer": {"function": {"type": "scale", "factor": 3}}})"), "");
  apply_overrides(document, {"/layer/function/type=identity"});
  CHECK(read<Root>(document).layer.function.type() == "identity");
  REQUIRE(document.notes.size() == 1);
  CHECK(document.notes[0] ==
        "/layer/function: type \"identity\" replaces \"scale\"; its other settings are the defaults of the new type");
}

TEST_CASE("a budget in another unit replaces the one of the base") {
  Document document = document_of(Json::parse(R"({"train": {"budget": {"updates": 100}}})"), "");
  apply_overrides(document, {"/train/budget/seconds=5"});
  CHECK(document.json()["train"]["budget"] == Json({{"seconds", 5}}));
}

TEST_CASE("files extend each other, and paths are relative to the file they stand in") {
  test::ScratchFolder folder;
  std::filesystem::create_directory(folder / "base");
  write(folder / "base/a.json", R"({"seed": 1, "layer": {"heads": 4, "file": "text.en"}})");
  write(folder / "b.json", R"({"extends": "base/a.json", "seed": 2, "others": {"x": {"file": "text.de"}}})");
  const Root root = read<Root>(load(folder / "b.json"));
  CHECK(root.seed == 2);
  CHECK(root.layer.heads == 4);
  CHECK(root.layer.file.value == folder / "base/text.en");
  CHECK(root.others[0].second.file.value == folder / "text.de");
}

TEST_CASE("a configuration inside another file extends files beside that one") {
  const test::ScratchFolder folder;
  write(folder / "base.json", R"({"seed": 3, "threads": 2})");
  const Document document = load_part(Json{{"extends", "base.json"}, {"seed", 4}}, folder / "experiment.json");
  CHECK(document.json() == Json{{"seed", 4}, {"threads", 2}});
  CHECK(error_of([&] {
          load_part(Json{{"extends", "none.json"}}, folder / "experiment.json");
        }) == (folder / "experiment.json") + ": /extends: there is no file " + (folder / "none.json") + kRelative);
}

TEST_CASE("a misspelt key of a base file is found though a later file replaces its object", "[F32]") {
  test::ScratchFolder folder;
  write(folder / "a.json", R"({"layer": {"function": {"type": "scale", "faktor": 3}}})");
  write(folder / "b.json", R"({"extends": "a.json", "layer": {"function": {"type": "identity"}}})");
  CHECK(error_of([&] {
          read<Root>(load(folder / "b.json"));
        }).starts_with((folder / "a.json") + ": /layer/function/faktor: unknown key"));
}

TEST_CASE("broken files are refused with file and line") {
  test::ScratchFolder folder;
  CHECK(error_of([&] { load(folder / "none.json"); }) == (folder / "none.json") + ": there is no such file");
  write(folder / "a.json", "{\"seed\": 1,\n \"seed\": 2}");
  CHECK(error_of([&] { load(folder / "a.json"); }) == (folder / "a.json") + ": /seed: the key is given twice");
  write(folder / "nested.json", R"({"layer": {"heads": 1, "function": {"type": "scale"}, "heads": 2}})");
  CHECK(error_of([&] { load(folder / "nested.json"); }) ==
        (folder / "nested.json") + ": /layer/heads: the key is given twice");
  write(folder / "b.json", "{\"seed\": 1,\n \"x\" 2}");
  CHECK(error_of([&] { load(folder / "b.json"); }).starts_with((folder / "b.json") + ":2: syntax error"));
  write(folder / "c.json", R"({"extends": "d.json"})");
  write(folder / "d.json", R"({"extends": "c.json"})");
  CHECK(error_of([&] { load(folder / "c.json"); }).find("in a circle") != std::string::npos);
  write(folder / "e.json", R"({"extends": "f.json"})");
  CHECK(error_of([&] { load(folder / "e.json"); }) ==
        (folder / "e.json") + ": /extends: there is no file " + (folder / "f.json") + kRelative);
  const auto relative = std::filesystem::relative(folder / "e.json");  // says all the same where it looked
  CHECK(error_of([&] { load(relative); }) ==
        relative.string() + ": /extends: there is no file " + (folder / "f.json") + kRelative);
  write(folder / "g.json", R"({"extends": 1})");
  CHECK(error_of([&] { load(folder / "g.json"); }) == (folder / "g.json") + ": /extends: expected a file name, got 1");
  write(folder / "h.json", "[1]");
  CHECK(error_of([&] { load(folder / "h.json"); }) == (folder / "h.json") + ": expected an object, got a list");
}

TEST_CASE("a byte-order mark before the configuration is accepted", "[F7]") {
  test::ScratchFolder folder;
  write(folder / "a.json", "\xEF\xBB\xBF{\"seed\": 7}");
  CHECK(read<Root>(load(folder / "a.json")).seed == 7);
}

TEST_CASE("the schema knows types, ranges, choices and defaults") {
  const Json schema = schema_value(Root{}, {});
  CHECK(schema["additionalProperties"] == false);
  const Json& layer = schema["properties"]["layer"]["properties"];
  CHECK(layer["heads"] == Json::parse(R"({"type": "integer", "minimum": 1.0, "description": "heads", "default": 2})"));
  CHECK(layer["dropout"]["exclusiveMaximum"] == 1.0);
  CHECK(layer["placement"]["enum"] == Json({"before", "after"}));
  CHECK(layer["function"]["oneOf"][1]["properties"]["type"]["const"] == "scale");
  CHECK(layer["function"]["oneOf"][1]["properties"]["factor"]["exclusiveMinimum"] == 0.0);
}

TEST_CASE("a table is open: an added entry is found, a later one of that name replaces it") {
  Functions table("function");
  table.add<NoOptions>("one", "1", "", [](const NoOptions&) { return [](double) { return 1.0; }; });
  table.add<NoOptions>("one", "2", "", [](const NoOptions&) { return [](double) { return 2.0; }; });
  REQUIRE(table.names() == std::vector<std::string>{"one"});
  CHECK(table.information()[0].description == "2");
}

}  // namespace
}  // namespace tr::config
