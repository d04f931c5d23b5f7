// Suggestions for misspelt names.
#pragma once

#include <string>
#include <vector>

namespace tr {

/// The known name with the smallest edit distance (insert, delete, replace, swap of neighbours) to `name`; empty if
/// none is near enough to be meant (distance above 2 and above a third of the longer name).
std::string nearest(const std::string& name, const std::vector<std::string>& known);

/// "a, b, c"; an empty name keeps its place.
std::string join(const std::vector<std::string>& names, const std::string& separator = ", ");

/// "; did you mean heads? known keys: d_model, heads" with `kind` "keys"; the question only if a name is near.
std::string suggestion(const std::string& name, const std::vector<std::string>& known, const std::string& kind);

}  // namespace tr
