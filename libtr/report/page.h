// The page of results: one self-contained HTML file, made from the files of runs alone, that works without a network.
//
// A folder is a run (result.json, and if they are there config.json, events.jsonl, samples.json) or one that `compare`
// left (result.json with "models", and the runs in MODEL/seed-N/). samples.json holds test sentences to look at:
//   {"samples": [{
//     "source_text": "I like tea .", "reference": "나는 차를 좋아한다 .", "hypothesis": "나는 차를 좋아한다 .",
//     "source": ["▁I", "▁like", "▁tea", "▁.", "</s>"],            tokens that the encoder read
//     "target": ["▁나는", "▁차를", "▁좋아한다", "▁.", "</s>"],    tokens that were written; [] for an empty hypothesis
//     "attention": {"cross, layer 1, head 1": [[0.9, …], …]}      for each map target × source weights, rows sum to 1
//   }, …]}
// A model without attention writes "attention": {} or leaves it out. The maps are shown in the order of the file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tr::report {

/// The page as HTML in UTF-8. Of several folders each model is one row, called by the shortest ending of its path that
/// tells it from the others. Of the logged training losses of a run at most 500 are kept, evenly spaced, and
/// attention weights are rounded to 4 decimals; all other numbers are embedded as they are.
/// Throws UsageError without folders or for one given twice; DataError naming a folder without result.json, or a file
/// that is not what it should be.
std::string page(const std::vector<std::filesystem::path>& folders);

/// Writes page(folders); throws also if the file cannot be written.
void write_page(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& output_file);

}  // namespace tr::report
