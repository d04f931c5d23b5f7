#include "libtr/tokenizer/sentencepiece.h"

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <regex>
#include <unordered_map>

#include "libtr/base/error.h"
#include "libtr/base/format.h"

namespace tr::tokenizer {
namespace {

namespace library = ::sentencepiece;

class LineIterator : public library::SentenceIterator {
 public:
  explicit LineIterator(const std::vector<std::string>& lines) : lines_(lines) {}
  bool done() const override { return next_ >= lines_.size(); }
  void Next() override { ++next_; }
  const std::string& value() const override { return lines_[next_]; }
  library::util::Status status() const override { return {}; }

 private:
  const std::vector<std::string>& lines_;
  size_t next_ = 0;
};

/// Turns a message of the trainer, which starts with a place in its sources, into one about our options.
[[noreturn]] void fail_training(const std::string& message) {
  std::smatch numbers;
  if (std::regex_search(message, numbers, std::regex("required_chars. ([0-9]+) vs ([0-9]+)"))) {
    throw UsageError("/tokenizer/vocab_size",
                     format("got {}, but single characters and special pieces alone take {}; raise it or lower "
                            "character_coverage",
                            numbers[1].str(), numbers[2].str()));
  }
  if (std::regex_search(message, numbers, std::regex("too high \\(([0-9]+)\\).*<= ([0-9]+)"))) {
    throw UsageError("/tokenizer/vocab_size", format("got {}, but the text yields {} pieces at most; lower it or set "
                                                     "hard_vocab_limit to false",
                                                     numbers[1].str(), numbers[2].str()));
  }
  throw UsageError("/tokenizer",
                   "SentencePiece cannot train: " + message.substr(std::min(message.find('['), message.size())));
}

Ids to_ids(const std::vector<int>& ids) { return Ids(ids.begin(), ids.end()); }

class SentencePieceTokenizer : public Tokenizer {
 public:
  SentencePieceTokenizer(const std::string& model, const TextOptions& text, const std::string& name)
      : model_(model), text_(text), name_(name) {
    if (!processor_.LoadFromSerializedProto(model).ok()) throw DataError(name, "not a model of SentencePiece");
    check_special("pad", processor_.pad_id(), kPad);
    check_special("bos", processor_.bos_id(), kBos);
    check_special("eos", processor_.eos_id(), kEos);
    check_special("unk", processor_.unk_id(), kUnk);
  }

  Ids encode(const std::string& line) const override {
    std::vector<int> ids;
    check(processor_.Encode(prepare(line, text_), &ids));
    return to_ids(ids);
  }

  std::vector<Segmentation> n_best(const std::string& line, int64_t n) const override {
    library::ImmutableNBestSentencePieceText found;
    if (!processor_.NBestEncode(prepare(line, text_), static_cast<int>(n), found.mutable_proto()).ok()) {
      throw UsageError("/tokenizer/sampling",
                       "this tokenizer has one segmentation of a line; only unigram has several");
    }
    std::vector<Segmentation> all;
    for (const auto& candidate : found.nbests()) {
      Segmentation segmentation{.ids = {}, .log_probability = candidate.score()};
      for (const auto& piece : candidate.pieces()) segmentation.ids.push_back(piece.id());
      all.push_back(std::move(segmentation));
    }
    return all;
  }

  std::string decode(const Ids& ids) const override {
    std::vector<int> real;
    for (const int64_t id : ids) {
      check_range(id);
      if (id == kEos) break;
      if (!is_special(id)) real.push_back(static_cast<int>(id));
    }
    std::string line;
    check(processor_.Decode(real, &line));
    // Byte pieces can spell line ends, but a translation is one line.
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return line;
  }

  int64_t size() const override { return processor_.GetPieceSize(); }
  std::string piece_of(int64_t id) const override {
    check_range(id);
    return processor_.IdToPiece(static_cast<int>(id));
  }
  int64_t id_of(const std::string& piece) const override { return processor_.PieceToId(piece); }
  std::string serialized() const override { return model_; }

 private:
  void check_special(const char* what, int64_t id, int64_t expected) const {
    if (id == expected) return;
    const std::string got = id < 0 ? "has no id" : format("has id {}", id);
    throw DataError(name_, format("{} {}, expected {} (train with --pad_id={} --bos_id={} --eos_id={} --unk_id={})",
                                  what, got, expected, kPad, kBos, kEos, kUnk));
  }
  void check_range(int64_t id) const {
    if (id < 0 || id >= size()) throw DataError(name_, format("id {} is outside the vocabulary of {}", id, size()));
  }
  void check(const library::util::Status& status) const {
    if (!status.ok()) throw DataError(name_, status.ToString());
  }

  library::SentencePieceProcessor processor_;
  std::string model_;
  TextOptions text_;
  std::string name_;
};

}  // namespace

std::string train_sentencepiece(const std::map<std::string, std::string>& settings,
                                const std::vector<std::string>& lines) {
  std::unordered_map<std::string, std::string> flags(settings.begin(), settings.end());
  flags.merge(std::unordered_map<std::string, std::string>{{"pad_id", std::to_string(kPad)},
                                                           {"bos_id", std::to_string(kBos)},
                                                           {"eos_id", std::to_string(kEos)},
                                                           {"unk_id", std::to_string(kUnk)},
                                                           {"num_threads", "1"},
                                                           {"minloglevel", "2"}});
  LineIterator iterator(lines);
  std::string model;
  const auto status = library::SentencePieceTrainer::Train(flags, &iterator, &model);
  if (!status.ok()) fail_training(status.ToString());
  return model;
}

std::shared_ptr<const Tokenizer> sentencepiece_tokenizer(const std::string& model, const TextOptions& text,
                                                         const std::string& name) {
  return std::make_shared<SentencePieceTokenizer>(model, text, name);
}

}  // namespace tr::tokenizer
