// The result of a comparison, or of one run, as a table for the terminal.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tr::report {

/// `result` is what compare writes to result.json (one row a model, "mean ± sd" where there are several seeds) or what
/// train writes (one row for the validation set and each test set). Lines end in '\n'; columns line up in a terminal
/// whatever script the names are written in. A value that is null or missing is shown as "-" and explained below.
std::string table(const nlohmann::ordered_json& result);

}  // namespace tr::report
