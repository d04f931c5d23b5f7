#include "libtr/data/corpus.h"

#include <filesystem>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/base/sha256.h"
#include "libtr/data/text.h"
#include "libtr/data/toy_corpus.h"

namespace tr::data {
namespace {

void check_file(const config::Path& path, const std::string& at) {
  if (path.empty()) throw UsageError(at, "no file is named");
  const std::filesystem::file_status status = std::filesystem::status(path.value);
  if (!std::filesystem::exists(status)) throw DataError(at, "no such file: " + path.value);
  if (std::filesystem::is_directory(status)) throw DataError(at, "expected a file, got a folder: " + path.value);
}

FileRecord record_of(const std::string& path, size_t lines) {
  return {.path = path, .lines = static_cast<int64_t>(lines), .sha256 = sha256_of_file(path)};
}

ParallelText read_parallel(const ParallelFiles& files, const std::string& at) {
  check_file(files.source, at + "/source");
  check_file(files.target, at + "/target");
  ParallelText text{.source = read_lines(files.source.value), .target = read_lines(files.target.value), .files = {}};
  if (text.source.size() != text.target.size()) {
    throw DataError(at, format("{} has {} lines, {} has {}; expected as many", files.source.value, text.source.size(),
                               files.target.value, text.target.size()));
  }
  text.files = {record_of(files.source.value, text.source.size()), record_of(files.target.value, text.target.size())};
  return text;
}

std::vector<std::string_view> columns_of(std::string_view line) {
  std::vector<std::string_view> columns;
  for (size_t tab = line.find('\t'); tab != line.npos; tab = line.find('\t')) {
    columns.push_back(line.substr(0, tab));
    line.remove_prefix(tab + 1);
  }
  columns.push_back(line);
  return columns;
}

ParallelText read_tsv(const TsvFile& options, const std::string& at) {
  check_file(options.file, at + "/file");
  ParallelText text;
  const std::vector<std::string> lines = read_lines(options.file.value);
  const auto last_needed = static_cast<size_t>(std::max(options.source_column, options.target_column));
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto columns = columns_of(lines[i]);
    if (columns.size() < last_needed) {
      throw DataError(format("{}:{}", options.file.value, i + 1),
                      format("{} columns, expected {} or more", columns.size(), last_needed));
    }
    text.source.emplace_back(columns[static_cast<size_t>(options.source_column - 1)]);
    text.target.emplace_back(columns[static_cast<size_t>(options.target_column - 1)]);
  }
  text.files = {record_of(options.file.value, lines.size())};
  return text;
}

ParallelText generate_toy(const ToyOptions& options, const std::string&) {
  ParallelText text;
  Sha256 hash;
  for (auto& pair : toy_corpus(options.split, options.pairs, static_cast<uint64_t>(options.seed))) {
    hash.update(pair.english + "\t" + pair.korean + "\n");
    text.source.push_back(std::move(pair.english));
    text.target.push_back(std::move(pair.korean));
  }
  const auto split = config::write_value(options.split).get<std::string>();
  text.files = {{.path = format("toy {} pairs {} seed {}", split, options.pairs, options.seed),
                 .lines = static_cast<int64_t>(text.size()),
                 .sha256 = hash.hex()}};
  return text;
}

}  // namespace

CorpusTable& corpora() {
  static CorpusTable table = [] {
    CorpusTable types("corpus");
    types.add<ParallelFiles>("parallel", "two files, line by line", "", read_parallel);
    types.add<TsvFile>("tsv", "one file, columns separated by tabs", "", read_tsv);
    types.add<ToyOptions>("toy", "English-Korean sentences of the built-in grammar", "", generate_toy);
    return types;
  }();
  return table;
}

config::Json to_json(const ParallelText& text) {
  config::Json files = config::Json::array();
  for (const auto& file : text.files) {
    files.push_back({{"path", file.path}, {"lines", file.lines}, {"sha256", file.sha256}});
  }
  return {{"lines", text.size()}, {"files", files}};
}

}  // namespace tr::data
