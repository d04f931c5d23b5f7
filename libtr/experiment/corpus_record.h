// RUN/corpus.json: which text a run began with, so that it goes on with no other.
#pragma once

#include <filesystem>

#include "libtr/config/value.h"

namespace tr::experiment {

constexpr const char* kCorpus = "corpus.json";

/// Holds the sha256 of everything in `corpus` (Inputs::corpus) against those that the run in `run` began with. Throws
/// DataError for the first that differs, naming file and place in the configuration.
void check_corpus(const std::filesystem::path& run, const config::Json& corpus);

}  // namespace tr::experiment
