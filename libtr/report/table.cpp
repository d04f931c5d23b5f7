// The result of a comparison, or of one run, as a table for the terminal.
#include "libtr/report/table.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <set>
#include <vector>

#include "libtr/base/format.h"
#include "libtr/config/value.h"
#include "libtr/report/run_files.h"

namespace tr::report {
namespace {

using Json = nlohmann::ordered_json;
using config::value_at;
using Row = std::vector<std::string>;

// Cells that a character takes in a terminal: two for Hangul, Han, Kana; none for marks on the letter before.
size_t width_of(UChar32 character) {
  const auto kind = u_charType(character);
  if (kind == U_NON_SPACING_MARK || kind == U_ENCLOSING_MARK || kind == U_FORMAT_CHAR) return 0;
  const int width = u_getIntPropertyValue(character, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

size_t width_of(const std::string& text) {
  size_t width = 0;
  for (int32_t i = 0, size = static_cast<int32_t>(text.size()); i < size;) {
    UChar32 character;
    U8_NEXT_OR_FFFD(text.data(), i, size, character);
    width += width_of(character);
  }
  return width;
}

// The first column holds names and is flush left, the others hold numbers.
std::string aligned(const Row& row, const std::vector<size_t>& widths) {
  std::string line;
  for (size_t column = 0; column < row.size(); ++column) {
    const std::string padding(widths[column] - width_of(row[column]), ' ');
    if (column > 0) line += "  ";
    line += column == 0 ? row[column] + padding : padding + row[column];
  }
  return line + "\n";
}

std::string drawn(const std::vector<Row>& rows) {
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], width_of(row[column]));
    }
  }
  Row rule;
  for (const size_t width : widths) rule.push_back(std::string(width, '-'));
  std::string text = aligned(rows.front(), widths) + aligned(rule, widths);
  for (size_t i = 1; i < rows.size(); ++i) text += aligned(rows[i], widths);
  return text;
}

std::string number(const Json& value, int decimals) {
  return value.is_number() ? tr::format("{:.{}f}", value.get<double>(), decimals) : "-";
}

std::string whole(const Json& value) {
  std::string digits = number(value, 0);
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) digits.insert(static_cast<size_t>(i), 1, ',');
  return digits;
}

std::string mean_and_sd(const Json& statistic, int decimals) {
  const std::string mean = number(value_at(statistic, "/mean"), decimals);
  const Json sd = value_at(statistic, "/sd");
  return sd.is_number() ? mean + " ± " + number(sd, decimals) : mean;
}

std::string whole_mean_and_sd(const Json& statistic) {
  const std::string mean = whole(value_at(statistic, "/mean"));
  const Json sd = value_at(statistic, "/sd");
  return sd.is_number() ? mean + " ± " + whole(sd) : mean;
}

Json tokens_per_second(const Json& model) {
  if (model.contains("target_tokens_per_second")) return model["target_tokens_per_second"];
  Json values = Json::array();
  for (const Json& run : model.value("runs", Json::array())) {
    values.push_back(value_at(run, "/target_tokens_per_second"));
  }
  return statistic(values);
}

Row model_row(const Json& model) {
  return {value_at(model, "/name").is_string() ? model["name"].get<std::string>() : "-",
          mean_and_sd(value_at(model, "/bleu"), 1),
          mean_and_sd(value_at(model, "/chrf"), 1),
          mean_and_sd(value_at(model, "/perplexity"), 2),
          whole(value_at(model, "/parameters")),
          mean_and_sd(value_at(model, "/train_seconds"), 1),
          whole_mean_and_sd(tokens_per_second(model))};
}

Row run_row(const std::string& name, const Json& metrics) {
  return {name, number(value_at(metrics, "/bleu"), 1), number(value_at(metrics, "/chrf"), 1),
          number(value_at(metrics, "/perplexity"), 2), whole(value_at(metrics, "/tokens"))};
}

std::string note_on_dashes(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    if (std::find(row.begin(), row.end(), "-") != row.end())
      return "- not measured, or not finite: training diverged\n";
  }
  return "";
}

std::string note_on_seeds(const Json& models) {
  std::set<size_t> counts;
  for (const Json& model : models) counts.insert(value_at(model, "/bleu/values").size());
  if (counts.empty() || *counts.rbegin() < 2) return "";
  const std::string fewest = std::to_string(*counts.begin()), most = std::to_string(*counts.rbegin());
  return "mean ± standard deviation over " + (fewest == most ? most : fewest + " to " + most) + " seeds\n";
}

std::string note_on_differences(const Json& differences) {
  std::string text;
  for (const Json& difference : differences.is_array() ? differences : Json::array()) {
    const Json values = value_at(difference, "/values");
    std::string listed;
    for (const auto& [model, value] : values.items())
      listed += (listed.empty() ? "" : ", ") + model + " " + value.dump();
    text += "differs: " + difference.value("path", "-") + ": " + listed + "\n";
  }
  return text;
}

std::string table_of_comparison(const Json& result) {
  std::vector<Row> rows = {{"model", "BLEU", "chrF", "perplexity", "parameters", "train seconds", "tokens/s"}};
  for (const Json& model : result["models"]) rows.push_back(model_row(model));
  return drawn(rows) + note_on_dashes(rows) + note_on_seeds(result["models"]) +
         note_on_differences(value_at(result, "/differences"));
}

std::string table_of_run(const Json& result) {
  std::vector<Row> rows = {{"set", "BLEU", "chrF", "perplexity", "tokens"}};
  if (result.contains("valid")) rows.push_back(run_row("valid", result["valid"]));
  const Json tests = result.value("test", Json::object());
  for (const auto& [name, metrics] : tests.items()) rows.push_back(run_row(name, metrics));
  return drawn(rows) + note_on_dashes(rows) + whole(value_at(result, "/parameters")) + " parameters, " +
         whole(value_at(result, "/updates")) + " updates, " + number(value_at(result, "/wall_time_seconds/train"), 1) +
         " train seconds, " + whole(value_at(result, "/target_tokens_per_second")) + " target tokens/s\n";
}

}  // namespace

std::string table(const Json& result) {
  return value_at(result, "/models").is_array() ? table_of_comparison(result) : table_of_run(result);
}

}  // namespace tr::report
