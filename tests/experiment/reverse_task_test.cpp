// The reverse task of JoeyNMT (Kreutzer et al. 2019, synthetic data): random sequences of the integers 0 to 49, the
// target is the source backwards. Only a model that finds each word's place in the source solves it.
#include <nlohmann/json.hpp>

#include "libtr/base/random.h"
#include "tests/experiment/program.h"

namespace tr::test {
namespace {

void write_sequences(const std::string& stem, int count, uint64_t longest, uint64_t seed) {
  Random random(stream_seed(seed, stem.substr(stem.rfind('/') + 1)));
  std::string sources, targets;
  for (int i = 0; i < count; ++i) {
    std::string source, target;
    for (uint64_t length = 1 + random.below(longest); length > 0; --length) {
      const std::string word = std::to_string(random.below(50));
      source += (source.empty() ? "" : " ") + word;
      target = word + (target.empty() ? "" : " ") + target;
    }
    sources += source + '\n';
    targets += target + '\n';
  }
  write_text(stem + ".src", sources);
  write_text(stem + ".trg", targets);
}

double bleu_of(const std::string& model) {
  const ScratchFolder folder;
  write_sequences(folder / "train", 50000, 25, 1);
  write_sequences(folder / "valid", 500, 25, 1);
  write_sequences(folder / "test", 1000, 25, 1);
  const auto files = [](const std::string& stem) {
    return R"({"type": "parallel", "source": ")" + stem + R"(.src", "target": ")" + stem + R"(.trg"})";
  };
  write_text(folder / "config.json", R"({"threads": 2, "data": {"train": )" + files("train") + R"(, "valid": )" +
                                         files("valid") + R"(, "test": {"test": )" + files("test") + R"(}},
    "tokenizer": {"type": "word"},
    "train": {"batch_tokens": 1000, "budget": {"updates": 2000}, "valid_every": 500, "checkpoint_every": 1000,
              "label_smoothing": 0, "optimizer": {"type": "adam", "learning_rate": 0.003, "beta2": 0.98},
              "schedule": {"type": "linear", "warmup": 200}},
    "decode": {"beam": 1}, "evaluate": {"bleu": {"tokenize": "none"}}, "model": )" +
                                         model + "}");
  const Finished run = libtr("train " + folder / "config.json" + " --run " + folder / "run" + " --json --quiet");
  INFO(run.errors);
  REQUIRE(run.status == 0);
  return nlohmann::json::parse(run.output)["test"]["test"]["bleu"];
}

}  // namespace

TEST_CASE("seq2seq_attention learns the reverse task", "[slow]") {
  CHECK(bleu_of(R"({"type": "seq2seq_attention", "d_embedding": 32, "d_hidden": 64, "bidirectional": true,
                    "dropout": 0})") > 95);
}

TEST_CASE("transformer learns the reverse task", "[slow]") {
  CHECK(bleu_of(R"({"type": "transformer", "d_model": 64, "encoder_layers": 2, "decoder_layers": 2, "heads": 4,
                    "d_hidden": 256, "dropout": 0})") > 95);
}

}  // namespace tr::test
