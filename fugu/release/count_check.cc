#include "fugu/release/count_check.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace fugu {
namespace {

using SecretCounts = std::map<std::pair<std::string, int64_t>, uint64_t>;  // by label and lattice index

// What was counted, under the names of the priors that it should make.
std::map<std::string, SecretCounts> by_prior(const Scenario& scenario, const CellCounts& counts) {
  const Source& source = *scenario.source;
  const std::set<std::string> merged(source.merged.begin(), source.merged.end()),
      left_out(source.left_out.begin(), source.left_out.end());
  std::map<std::string, SecretCounts> result;
  for (const auto& [cell, count] : counts) {
    const auto& [group, secret, value] = cell;
    result[scenario.priors.front().name][{secret, value}] += count;
    if (source.given.empty() || left_out.contains(group)) continue;
    result[merged.contains(group) ? kOtherGroups : group][{secret, value}] += count;
  }
  return result;
}

bool agrees(const std::vector<std::string>& secrets, const Prior& prior, const SecretCounts& counts) {
  size_t cells = 0;
  for (size_t s = 0; s < secrets.size(); ++s) {
    const Distribution& given = prior.given[s];
    cells += given.size();
    for (size_t k = 0; k < given.size(); ++k) {
      const auto found = counts.find({secrets[s], given.atoms()[k]});
      if (found == counts.end() || given.weights().at(k) != found->second) return false;
    }
  }
  return cells == counts.size();
}

}  // namespace

bool are_counts_of(const Scenario& scenario, const CellCounts& counts) {
  if (scenario.blur() != 0) return false;  // a model was not counted
  const auto counted = by_prior(scenario, counts);
  size_t found = 0;
  for (const Prior& prior : scenario.priors) {
    const auto table = counted.find(prior.name);
    if (table == counted.end()) continue;
    if (!agrees(scenario.secrets, prior, table->second)) return false;
    ++found;
  }
  return found > 0 && found == counted.size();
}

bool are_values_of(const Scenario& scenario, const std::vector<std::pair<int64_t, uint64_t>>& counts) {
  if (scenario.blur() != 0) return false;
  std::map<int64_t, Integer> expected;
  for (const Distribution& given : scenario.priors.front().given) {
    for (size_t k = 0; k < given.size(); ++k) expected[given.atoms()[k]] += given.weights().at(k);
  }
  if (expected.size() != counts.size()) return false;
  return std::all_of(counts.begin(), counts.end(), [&](const auto& value) {
    const auto found = expected.find(value.first);
    return found != expected.end() && found->second == value.second;
  });
}

}  // namespace fugu
