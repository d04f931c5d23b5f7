#include "libtr/base/nearest.h"

#include <algorithm>

namespace tr {
namespace {

// Damerau-Levenshtein distance in its restricted form (a swapped pair is not edited again).
size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string nearest(const std::string& name, const std::vector<std::string>& known) {
  std::string best;
  size_t best_distance = 0;
  for (const auto& candidate : known) {
    const size_t distance = edit_distance(name, candidate);
    const size_t allowed = std::max<size_t>(2, std::max(name.size(), candidate.size()) / 3);
    if (distance <= allowed && distance < candidate.size() && (best.empty() || distance < best_distance)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string join(const std::vector<std::string>& names, const std::string& separator) {
  std::string all;
  for (size_t i = 0; i < names.size(); ++i) all += (i == 0 ? "" : separator) + names[i];
  return all;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& known, const std::string& kind) {
  const std::string near = nearest(name, known);
  return (near.empty() ? "" : "; did you mean " + near + "?") + std::string(near.empty() ? "; " : " ") + "known " +
         kind + ": " + join(known);
}

}  // namespace tr
