#include "libtr/config/json_file.h"

#include <algorithm>
#include <set>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/base/format.h"

namespace tr::config {
namespace fs = std::filesystem;
namespace {

int64_t line_of(const std::string& text, size_t byte) {
  return 1 + std::count(text.begin(), text.begin() + static_cast<int64_t>(std::min(byte, text.size())), '\n');
}

/// Parser callback that refuses a key given twice in one object.
class DuplicateKeys {
 public:
  explicit DuplicateKeys(std::string file) : file_(std::move(file)) {}
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    const auto level = static_cast<size_t>(depth);
    if (event == Json::parse_event_t::object_start) {
      seen_.resize(level + 1);
      seen_[level].clear();
      path_.resize(level);
    } else if (event == Json::parse_event_t::key) {
      const auto key = parsed.get<std::string>();
      path_.resize(level);
      path_[level - 1] = key;
      if (!seen_[level - 1].insert(key).second)
        throw UsageError(file_ + ": /" + join(path_, "/"), "the key is given twice");
    }
    return true;
  }

 private:
  std::string file_;
  std::vector<std::set<std::string>> seen_;  // keys of each open object
  std::vector<std::string> path_;
};

// The library's message without its tag and position: "[json.exception…] parse error at line 1, column 2: what".
std::string syntax_problem(const Json::parse_error& error) {
  const std::string text = error.what();
  const size_t colon = text.find(": ");
  return colon == std::string::npos ? text : text.substr(colon + 2);
}

/// Patches `target` in place and notes where the new values come from.
class Merger {
 public:
  Merger(const Sources& patch_sources, Stage& target, std::vector<std::string>& notes)
      : patch_sources_(patch_sources), target_(target), notes_(notes) {}

  void merge(Json& target, const Json& patch, const std::string& path) {
    if (!patch.is_object()) {
      replace(target, patch, path);
      return;
    }
    if (!target.is_object() || is_replaced(target, patch, path)) replace(target, Json::object(), path);
    target_.sources.origin_of_path.try_emplace(path, patch_sources_.origin(path));
    for (const auto& [key, value] : patch.items()) {
      const std::string at = path + "/" + escape_pointer(key);
      if (value.is_null()) {
        target.erase(key);
      } else {
        merge(target[key], value, at);
      }
    }
  }

 private:
  bool is_replaced(const Json& target, const Json& patch, const std::string& path) {
    if (target.contains("type") && patch.contains("type") && target["type"] != patch["type"]) {
      if (target.size() > 1) {
        notes_.push_back(format("{}: type {} replaces {}; its other settings are the defaults of the new type", path,
                                shown(patch["type"]), shown(target["type"])));
      }
      return true;
    }
    return path == "/train/budget" && !patch.empty();
  }
  void replace(Json& target, const Json& value, const std::string& path) {
    auto& origins = target_.sources.origin_of_path;
    std::erase_if(origins,
                  [&](const auto& entry) { return entry.first == path || entry.first.starts_with(path + "/"); });
    origins[path] = patch_sources_.origin(path);
    target = value;
  }

  const Sources& patch_sources_;
  Stage& target_;
  std::vector<std::string>& notes_;
};

void refuse_null(const Json& json, const Place& place) {
  if (json.is_null()) place.fail("null is not a value; to choose none write a type such as {\"type\": \"none\"}");
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) refuse_null(value, place.child(key));
  }
}

Document load_chain(const fs::path& file, std::vector<std::string> chain);

// `json` as it stands in `file`, over what it extends.
Document extended(Json json, const fs::path& file, std::vector<std::string> chain) {
  const std::string name = file.lexically_normal().string();
  if (!json.is_object()) throw UsageError(name, "expected an object, got " + type_name(json));
  const auto extends = json.find("extends");
  if (extends == json.end()) return document_of(json, name);
  if (!extends->is_string()) throw UsageError(name + ": /extends", "expected a file name, got " + type_name(*extends));
  const fs::path base = file.parent_path() / extends->get<std::string>();
  if (!fs::exists(base)) {
    throw UsageError(name + ": /extends", "there is no file " + fs::absolute(base).lexically_normal().string() +
                                              "; a name is relative to the file that it stands in");
  }
  json.erase("extends");
  Document patch;
  patch.stages.push_back({json, {{{"", name}}, {}}});
  return merge(load_chain(base, std::move(chain)), patch);
}

Document load_chain(const fs::path& file, std::vector<std::string> chain) {
  const bool cycle = std::find(chain.begin(), chain.end(), fs::weakly_canonical(file).string()) != chain.end();
  chain.push_back(fs::weakly_canonical(file).string());
  if (cycle) {
    throw UsageError(file.lexically_normal().string() + ": /extends",
                     "files extend each other in a circle: " + join(chain, " -> "));
  }
  return extended(parse_file(file), file, std::move(chain));
}

}  // namespace

Json parse_file(const fs::path& file) {
  if (!fs::exists(file)) throw UsageError(file.string(), "there is no such file");
  const std::string text = read_file(file);
  try {
    return Json::parse(text, DuplicateKeys(file.string()));
  } catch (const Json::parse_error& error) {
    throw UsageError(format("{}:{}", file.string(), line_of(text, error.byte)), syntax_problem(error));
  }
}

Document document_of(const Json& json, const std::string& origin) {
  Document document;
  document.stages.push_back({json, {{{"", origin}}, {}}});
  refuse_null(json, Place(document.stages.back().sources));
  return document;
}

Document load_part(const Json& json, const fs::path& file) { return extended(json, file, {}); }

Document load(const fs::path& file, const std::vector<std::string>& overrides) {
  Document document = load_chain(file, {});
  apply_overrides(document, overrides);
  return document;
}

Document merge(const Document& base, const Document& patch) {
  Document merged = base;
  merged.notes.insert(merged.notes.end(), patch.notes.begin(), patch.notes.end());
  for (const Stage& stage : patch.stages) {
    Stage next = base.stages.back();
    const bool last = &stage == &patch.stages.back();
    std::vector<std::string> ignored;
    Merger(stage.sources, next, last ? merged.notes : ignored).merge(next.json, stage.json, "");
    refuse_null(next.json, Place(next.sources));
    merged.stages.push_back(std::move(next));
  }
  return merged;
}

void apply_overrides(Document& document, const std::vector<std::string>& overrides) {
  for (const auto& text : overrides) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || text.empty() || text[0] != '/') {
      throw UsageError("--set", "got \"" + text + "\", expected /path/to/key=value");
    }
    Json value = Json::parse(text.substr(equals + 1), nullptr, /*allow_exceptions=*/false);
    if (value.is_discarded()) value = text.substr(equals + 1);
    const std::string pointer = text.substr(0, equals);
    Json patch;
    try {
      // Built from the inside out: each key is an object's, never an index of a list.
      patch = value;
      for (Json::json_pointer at(pointer); !at.empty(); at.pop_back()) patch = Json{{at.back(), patch}};
    } catch (const Json::exception&) {
      throw UsageError("--set", "got \"" + pointer + "\", expected a JSON path such as /model/dropout");
    }
    document = merge(document, document_of(patch, "--set"));
  }
}

}  // namespace tr::config
