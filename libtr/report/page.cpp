// The page of results: the template with the data as JSON, which its script draws.
#include "libtr/report/page.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "libtr/base/files.h"
#include "libtr/report/page_data.h"
#include "libtr/report/page_template.h"
#include "libtr/report/table.h"

namespace tr::report {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
namespace {

std::string replaced(std::string_view text, const std::map<char, std::string>& characters) {
  std::string result;
  for (const char character : text) {
    const auto found = characters.find(character);
    if (found == characters.end()) {
      result += character;
    } else {
      result += found->second;
    }
  }
  return result;
}

std::string html_text(const std::string& text) {
  return replaced(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}});
}

// Inside <script>, "</script>" and "<!--" end or change the element even within a JSON string: '<' occurs only there.
std::string script_text(const Json& data) {
  return replaced(data.dump(-1, ' ', false, Json::error_handler_t::replace), {{'<', "\\u003c"}});
}

// One pass, so that a value which holds "{{data}}" stays as it is.
std::string filled(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string result;
  while (true) {
    const size_t open = text.find("{{"), close = text.find("}}", open);
    if (close == std::string_view::npos) return result.append(text);
    const auto found = values.find(std::string(text.substr(open + 2, close - open - 2)));
    const size_t next = found == values.end() ? open + 2 : close + 2;
    result.append(found == values.end() ? text.substr(0, next) : text.substr(0, open));
    if (found != values.end()) result += found->second;
    text.remove_prefix(next);
  }
}

}  // namespace

std::string page(const std::vector<fs::path>& folders) {
  const Json data = page_data(folders);
  return filled(page_template(),
                {{"title", html_text(data["title"])}, {"table", html_text(table(data))}, {"data", script_text(data)}});
}

void write_page(const std::vector<fs::path>& folders, const fs::path& output_file) {
  write_file(output_file, page(folders));
}

}  // namespace tr::report
