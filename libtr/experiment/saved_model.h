// A trained model as a checkpoint holds it, ready to translate.
#pragma once

#include <filesystem>
#include <memory>

#include "libtr/experiment/options.h"

namespace tr::experiment {

struct SavedModel {
  std::filesystem::path checkpoint;  ///< the folder that was chosen
  RunOptions options;
  tokenizer::Tokenizers tokenizers;
  train::Runtime runtime;
  std::shared_ptr<models::EncoderDecoder> model;  ///< in evaluation mode, on its device

  /// Search for the lines, prepared as in training. A blank line gives one empty hypothesis.
  std::vector<decode::Hypotheses> translate(const std::vector<std::string>& lines,
                                            const decode::DecodeOptions& decoding,
                                            const decode::TranslateExtras& extras = {}) const;
  /// Lines longer than the model's positions allow, counted from 0: translate cuts them.
  std::vector<size_t> too_long(const std::vector<std::string>& lines) const;
};

/// `run_or_checkpoint` as in io::find_checkpoint. Settings of the run hold (threads, device, precision) unless
/// `overrides` ("/threads=1", "/decode/beam=1") say otherwise. Sets up the process (threads, device).
SavedModel load_model(const std::filesystem::path& run_or_checkpoint, const std::vector<std::string>& overrides = {});

}  // namespace tr::experiment
