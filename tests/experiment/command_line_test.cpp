// The command line: exit status, one clear line for each error, results on standard output alone.
#include <nlohmann/json.hpp>
#include <set>

#include "libtr/experiment/compare.h"
#include "libtr/experiment/result.h"
#include "tests/experiment/program.h"

namespace tr::test {
namespace {

using Json = nlohmann::json;

void check_error(const Finished& finished, int status, const std::string& line) {
  CHECK(finished.status == status);
  CHECK(finished.output.empty());
  CHECK(finished.errors == "error: " + line + "\n");
}

const std::string kConfigs = std::string(LIBTR_SOURCE_FOLDER) + "/configs/";

TEST_CASE("a misspelt key exits 2 with one line that names path, nearest key and known keys", "[F32]") {
  ScratchFolder folder;
  const Finished finished =
      libtr("train " + kConfigs + "compare/transformer.json --run " + (folder / "r") + " --set /model/headz=3");
  CHECK(finished.status == 2);
  CHECK(finished.errors.starts_with(
      "error: --set /model/headz: unknown key; did you mean heads? known keys: type, d_model,"));
  CHECK(std::count(finished.errors.begin(), finished.errors.end(), '\n') == 1);
  CHECK_FALSE(std::filesystem::exists(folder / "r"));
}

TEST_CASE("wrong use exits 2 and says what is right") {
  CHECK(libtr("").status == 2);
  CHECK(libtr("trian x").errors.starts_with(
      "error: libtr: unknown command \"trian\"; did you mean train? known commands: train, compare,"));
  CHECK(libtr("train").status == 2);
  CHECK(libtr("train --nonsense").errors.find("see libtr train --help") != std::string::npos);
  CHECK(libtr("components activaton")
            .errors.starts_with("error: libtr components: unknown family \"activaton\"; did you mean activation? known "
                                "families: corpus, tokenizer,"));
  check_error(libtr("config none.json"), 2, "none.json: there is no such file");
  check_error(libtr("score --hypothesis none --reference none"), 1,
              "none: cannot be opened: No such file or directory");
  CHECK(libtr("translate none").errors.starts_with("error: none: "));
}

TEST_CASE("an unknown command is an error whatever stands behind it") {
  CHECK(libtr("bench --help").status == 2);
  CHECK(libtr("trian --help").errors.starts_with("error: libtr: unknown command \"trian\"; did you mean train?"));
  check_error(libtr("tokenizer trian --help"), 2,
              "libtr tokenizer: unknown command \"trian\"; did you mean train? known commands: train, encode, decode");
}

TEST_CASE("a test set has the name of a file") {
  const ScratchFolder folder;
  const std::string config = folder / "c.json";
  write_text(config, tiny_config());
  for (const std::string name : {"a~1b", ".hidden", "valid"}) {
    const Finished refused = libtr("config " + config + " --set '/data/test/" + name + R"(={"type": "toy"}')");
    CHECK(refused.status == 2);
    CHECK(last_line(refused.errors).find("/data/test/" + name + ": a test set's name is that of a file") !=
          std::string::npos);
  }
}

TEST_CASE("an empty name is refused with the argument that has it") {
  check_error(libtr("train '' --run r"), 2, "libtr train: CONFIG: got an empty name; see libtr train --help");
  check_error(libtr("config ''"), 2, "libtr config: CONFIG: got an empty name; see libtr config --help");
  check_error(libtr("translate ''"), 2, "libtr translate: RUN: got an empty name; see libtr translate --help");
}

TEST_CASE("a message keeps the name of an argument as it is written") {
  check_error(libtr("config"), 2, "libtr config: CONFIG is required; see libtr config --help");
  check_error(libtr("tokenizer"), 2, "libtr tokenizer: a subcommand is required; see libtr tokenizer --help");
}

TEST_CASE("nested commands take --quiet and --json") {
  ScratchFolder folder;
  CHECK(libtr("corpus toy --quiet --json --pairs 5 -o " + (folder / "c")).status == 0);
  for (const std::string command : {"train", "encode", "decode"}) {
    CHECK(libtr("tokenizer " + command + " --quiet --json --help").status == 0);
    CHECK(libtr("tokenizer " + command + " --quiet --json").errors.find("is required") != std::string::npos);
  }
}

TEST_CASE("help and version go to standard output and exit 0") {
  for (const std::string command : {"--help", "--version", "train --help", "tokenizer encode --help"}) {
    const Finished finished = libtr(command);
    CHECK(finished.status == 0);
    CHECK_FALSE(finished.output.empty());
    CHECK(finished.errors.empty());
  }
}

TEST_CASE("config and schema work on a machine without any data", "[F33]") {
  const Finished config = libtr("config " + kConfigs + "multi30k/transformer.json");
  CHECK(config.status == 0);
  const Json resolved = Json::parse(config.output);
  CHECK(resolved["model"]["type"] == "transformer");
  CHECK(resolved["decode"].contains("length_penalty"));
  const Finished schema = libtr("schema");
  CHECK(schema.status == 0);
  CHECK(Json::parse(schema.output)["properties"]["train"]["properties"]["batch_tokens"]["type"] == "integer");
}

TEST_CASE("a resolved configuration is a configuration and resolves to itself", "[F33]") {
  ScratchFolder folder;
  const Finished first = libtr("config " + kConfigs + "compare/seq2seq_attention.json");
  write_text(folder / "c.json", first.output);
  CHECK(libtr("config " + (folder / "c.json")).output == first.output);
}

TEST_CASE("every configuration of the project resolves") {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kConfigs)) {
    if (entry.path().extension() != ".json") continue;
    INFO(entry.path());
    if (Json::parse(read_file(entry.path())).contains("models")) {
      CHECK(experiment::load_experiment(entry.path(), {}).models.size() >= 2);
    } else {
      CHECK(libtr("config " + entry.path().string()).status == 0);
    }
  }
}

TEST_CASE("the three models of the built-in comparison are of one size, whatever the vocabularies") {
  const auto comparison = experiment::load_experiment(kConfigs + "compare.json", {});
  for (const auto& vocabularies : {models::Vocabularies{1000, 1000, false}, {400, 700, false}}) {
    std::set<int64_t> sizes;
    for (const auto& [name, options] : comparison.models) {
      sizes.insert(experiment::count_parameters(*options.model.make(vocabularies)));
    }
    CHECK(comparison.models.size() == 3);
    CHECK(sizes.size() == 1);
  }
}

TEST_CASE("components lists every family with a line for each entry") {
  const Finished all = libtr("components");
  for (const char* word : {"transformer", "rms_norm", "noam", "gnmt", "additive", "n_best"}) {
    INFO(word);
    CHECK(all.output.find(word) != std::string::npos);
  }
  const Json one = Json::parse(libtr("components activation --json").output);
  REQUIRE(one.size() == 1);
  CHECK(one[0]["path"] == "/model/activation");
}

TEST_CASE("a family is asked for by the configuration's own word") {
  for (const std::string word :
       {"positions", "cell", "attention_score", "length_penalty", "early_stopping", "export"}) {
    INFO(word);
    const Finished family = libtr("components " + word);
    CHECK(family.status == 0);
    CHECK(family.output.starts_with(word + "   "));
  }
  CHECK(Json::parse(libtr("components cell --json").output)[0]["family"] == "cell");
  CHECK(libtr("components postions").errors.find("did you mean positions? known families: ") != std::string::npos);
}

TEST_CASE("score prints both metrics with their signatures", "[F22]") {
  ScratchFolder folder;
  write_text(folder / "h", "the cat sat on the mat\n");
  write_text(folder / "r", "the cat sat on a mat\n");
  const Json json =
      Json::parse(libtr("score --hypothesis " + (folder / "h") + " --reference " + (folder / "r")).output);
  CHECK(json["bleu"]["signature"] == "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0");
  CHECK(json["bleu"]["hypothesis_length"] == 6);
  CHECK(json["chrf"]["score"].get<double>() > 50);
  write_text(folder / "r2", "one\ntwo\n");
  const Finished uneven = libtr("score --hypothesis " + (folder / "h") + " --reference " + (folder / "r2"));
  CHECK(uneven.status == 1);
  CHECK(uneven.errors ==
        "error: " + (folder / "r2") + ": 2 lines, " + (folder / "h") + " has 1, expected equal counts\n");
}

TEST_CASE("numbers have a point whatever the locale") {
  ScratchFolder folder;
  write_text(folder / "h", "the cat sat on the mat\n");
  const Finished finished =
      libtr("score --hypothesis " + (folder / "h") + " --reference " + (folder / "h"), "LC_ALL=de_DE.UTF-8");
  CHECK(Json::parse(finished.output)["bleu"]["score"].is_number());
}

TEST_CASE("the built-in corpus is written as eight files of the right length") {
  ScratchFolder folder;
  CHECK(libtr("corpus toy -o " + (folder / "c") + " --pairs 50").status == 0);
  const std::string train = read_file(folder / "c/train.en");
  CHECK(std::count(train.begin(), train.end(), '\n') == 50);
  for (const char* name : {"train.ko", "valid.en", "test.ko", "compositional.en"})
    CHECK(std::filesystem::exists(folder / ("c/" + std::string(name))));
}

TEST_CASE("neither a corpus nor a tokenizer overwrites what is there") {
  ScratchFolder folder;
  write_text(folder / "train.en", "mine\n");
  const std::string refusal = folder.path() + ": exists, expected a new or an empty folder";
  check_error(libtr("corpus toy --pairs 5 -o " + folder.path()), 2, refusal);
  const std::string text = folder / "train.en";
  check_error(libtr("tokenizer train --source " + text + " --target " + text + " -o " + folder.path()), 2, refusal);
  CHECK(read_file(text) == "mine\n");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a tokenizer is trained, encodes and decodes", "[F20]") {
  ScratchFolder folder;
  libtr("corpus toy -o " + (folder / "c") + " --pairs 300");
  const Finished trained =
      libtr("tokenizer train --source " + (folder / "c/train.en") + " --target " + (folder / "c/train.ko") + " -o " +
            (folder / "t") + " --set /tokenizer/vocab_size=400");
  INFO(trained.errors);
  REQUIRE(trained.status == 0);
  write_text(folder / "text", "I like to go to school .\n\n");
  const Finished pieces = libtr("tokenizer encode " + (folder / "t") + " " + (folder / "text"));
  write_text(folder / "pieces", pieces.output);
  CHECK(libtr("tokenizer decode " + (folder / "t") + " " + (folder / "pieces")).output ==
        "I like to go to school .\n\n");
  const Finished ids = libtr("tokenizer encode --ids " + (folder / "t") + " " + (folder / "text"));
  write_text(folder / "ids", ids.output);
  CHECK(libtr("tokenizer decode --ids " + (folder / "t") + " " + (folder / "ids")).output ==
        "I like to go to school .\n\n");
  write_text(folder / "bad", "12 x\n");
  check_error(libtr("tokenizer decode --ids " + (folder / "t") + " " + (folder / "bad")), 1,
              "libtr tokenizer decode: expected ids, got \"x\"");
}

}  // namespace
}  // namespace tr::test
