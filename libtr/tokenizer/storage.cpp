// The folder tokenizer/ of a checkpoint: tokenizer.json and one or two model files.
#include <filesystem>

#include "libtr/base/error.h"
#include "libtr/base/files.h"
#include "libtr/base/format.h"
#include "libtr/base/sha256.h"
#include "libtr/config/json_text.h"
#include "libtr/tokenizer/options.h"
#include "libtr/tokenizer/sentencepiece.h"

namespace tr::tokenizer {
namespace {

constexpr int64_t kFormat = 1;
constexpr const char* kDescription = "tokenizer.json";

std::filesystem::path folder_of(const std::filesystem::path& path) {
  for (const auto* inside : {"", "tokenizer", "checkpoints/best/tokenizer"}) {
    if (std::filesystem::exists(path / inside / kDescription)) return path / inside;
  }
  throw DataError(path.string(), "no tokenizer.json here, in tokenizer/ or in checkpoints/best/tokenizer/");
}

config::Json describe(const Tokenizer& tokenizer, const std::string& name) {
  return {{"file", name + ".model"}, {"size", tokenizer.size()}, {"sha256", tokenizer.sha256()}};
}

std::shared_ptr<const Tokenizer> load_model(const std::filesystem::path& folder, const config::Json& description,
                                            const TextOptions& text) {
  const std::string file = (folder / description.at("file").get<std::string>()).string();
  const std::string model = read_file(file);
  const std::string found = sha256_of_text(model), expected = description.at("sha256").get<std::string>();
  if (found != expected) throw DataError(file, format("changed: sha256 is {}, tokenizer.json has {}", found, expected));
  return sentencepiece_tokenizer(model, text, file);
}

Tokenizers read_description(const std::filesystem::path& folder, const config::Json& json) {
  if (const int64_t version = json.at("format").get<int64_t>(); version != kFormat) {
    throw DataError((folder / kDescription).string(), format("format {}, expected {}", version, kFormat));
  }
  Tokenizers tokenizers;
  tokenizers.settings = json.at("settings");
  TextOptions text;
  config::Choice<samplings> sampling{"none"};
  const config::Sources sources;
  const config::Place place(sources, "/settings");
  config::FieldReader reader(tokenizers.settings, place);  // the settings of training are for the record
  TextOptions::fields(text, reader);
  reader("sampling", sampling, "");
  tokenizers.sampling = sampling.make();
  const config::Json& models = json.at("models");
  const bool joint = models.contains("joint");
  tokenizers.source = load_model(folder, models.at(joint ? "joint" : "source"), text);
  tokenizers.target = joint ? tokenizers.source : load_model(folder, models.at("target"), text);
  return tokenizers;
}

}  // namespace

void Tokenizers::save(const std::string& folder) const {
  std::filesystem::create_directories(folder);
  config::Json models = config::Json::object();
  const auto save_one = [&](const Tokenizer& tokenizer, const std::string& name) {
    tokenizer.save((std::filesystem::path(folder) / (name + ".model")).string());
    models[name] = describe(tokenizer, name);
  };
  if (joint()) {
    save_one(*source, "joint");
  } else {
    save_one(*source, "source");
    save_one(*target, "target");
  }
  config::write_json(std::filesystem::path(folder) / kDescription,
                     {{"format", kFormat}, {"settings", settings}, {"models", models}});
}

Tokenizers load(const std::string& path) {
  const std::filesystem::path folder = folder_of(path);
  const std::string file = (folder / kDescription).string();
  const std::string text = read_file(file);
  try {
    return read_description(folder, config::Json::parse(text));
  } catch (const config::Json::exception& problem) {
    throw DataError(file, std::string("not as libtr writes it: ") + problem.what());
  } catch (const UsageError& problem) {
    throw DataError(file, problem.what());
  }
}

}  // namespace tr::tokenizer
