// Where parallel text comes from: two files, one file with columns, or the built-in grammar.
#pragma once

#include "libtr/config/registry.h"

namespace tr::data {

/// What a result records of a file.
struct FileRecord {
  std::string path;
  int64_t lines = 0;
  std::string sha256;  ///< of the file as it lies on the disk, packed or not; of generated text: "SOURCE\tTARGET\n" …
};

/// source[i] translates to target[i].
struct ParallelText {
  std::vector<std::string> source, target;
  std::vector<FileRecord> files;

  size_t size() const { return source.size(); }
};

struct ParallelFiles {
  config::Path source, target;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("source", self.source, "file of source sentences, one a line, .gz allowed");
    field("target", self.target, "file of their translations, line by line");
  }
};

struct TsvFile {
  config::Path file;
  int64_t source_column = 1;
  int64_t target_column = 2;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("file", self.file, "file with one pair a line, columns separated by tabs, .gz allowed");
    field("source_column", self.source_column, "column of the source, counted from 1", config::at_least(1));
    field("target_column", self.target_column, "column of the target, counted from 1", config::at_least(1));
  }
};

/// The second argument of making one is where it stands in the configuration, such as "/data/train", for messages.
using CorpusTable = config::Registry<ParallelText, const std::string&>;
/// parallel, tsv, toy. Making one throws UsageError if a file is not named, DataError if it is missing, malformed or
/// the sides differ in length.
CorpusTable& corpora();

/// {"lines": …, "files": [{"path", "lines", "sha256"}, …]}
config::Json to_json(const ParallelText& text);

}  // namespace tr::data
