// From a line of text to ids and back. The tokenizer owns all preparation of text (case, Unicode form), so that whoever
// has a checkpoint has it too.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "libtr/config/value.h"

namespace tr::tokenizer {

using Ids = std::vector<int64_t>;

/// Ids with a meaning of their own, the same in every model; checked when a model is trained or loaded.
constexpr int64_t kPad = 0;
constexpr int64_t kBos = 1;
constexpr int64_t kEos = 2;
constexpr int64_t kUnk = 3;
constexpr bool is_special(int64_t id) { return id >= kPad && id <= kUnk; }

/// One way to cut a line into pieces and its log probability under the tokenizer's model.
struct Segmentation {
  Ids ids;
  double log_probability = 0;
};

/// All functions may be called from several threads at once.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Ids of the best segmentation, neither bos nor eos among them; an empty line gives none. Never a control id, even
  /// if the text holds "</s>" or "<pad>".
  virtual Ids encode(const std::string& line) const = 0;
  /// The best n segmentations or as many as there are, best first. Throws UsageError if the type has but one (all but
  /// unigram).
  virtual std::vector<Segmentation> n_best(const std::string& line, int64_t n) const = 0;
  /// Detokenised text up to the first eos. Pad, bos and unk leave nothing behind: a placeholder would be scored as if
  /// the model had written it. tokens() shows them. Ids outside the vocabulary throw DataError.
  virtual std::string decode(const Ids& ids) const = 0;

  /// Number of ids, the four special ones counted.
  virtual int64_t size() const = 0;
  /// The piece as the model spells it, '▁' (U+2581) for a space. Throws DataError outside 0 … size()-1.
  virtual std::string piece_of(int64_t id) const = 0;
  /// kUnk if there is no such piece.
  virtual int64_t id_of(const std::string& piece) const = 0;
  /// The model as a SentencePiece .model file holds it.
  virtual std::string serialized() const = 0;

  /// Pieces of all ids, special ones included, for display.
  std::vector<std::string> tokens(const Ids& ids) const;
  /// Of serialized().
  std::string sha256() const;
  void save(const std::string& file) const;
};

class Sampling;

/// The tokenizers of both sides: one object where they are joint.
struct Tokenizers {
  std::shared_ptr<const Tokenizer> source, target;
  std::shared_ptr<const Sampling> sampling;  ///< how training examples are segmented (sampling.h)
  config::Json settings;                     ///< the options that they were made with, as in a configuration

  bool joint() const { return source == target; }
  /// Writes joint.model, or source.model and target.model, and tokenizer.json (settings, sizes, sha256) into `folder`,
  /// which is made if it is not there.
  void save(const std::string& folder) const;
};

/// Reads what save() wrote. `path` is that folder, a checkpoint with tokenizer/ inside, or the folder of a run, whose
/// best checkpoint counts. Throws DataError if a file is missing, changed (sha256) or has other special ids.
Tokenizers load(const std::string& path);

/// One line for each vocabulary of bpe or unigram that is smaller than its settings ask for: text yields only so many
/// pieces. Other types take vocab_size as an upper limit.
std::vector<std::string> notes_of_size(const Tokenizers& tokenizers);

}  // namespace tr::tokenizer
