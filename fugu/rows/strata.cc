#include "fugu/rows/strata.h"

#include "fugu/rows/joined_label.h"

namespace fugu::inline in_rows {

std::vector<std::string> group_prefixes(const std::vector<std::string>& columns, bool header) {
  std::vector<std::string> prefixes;
  for (const std::string& name : columns) prefixes.push_back(given_prefix(header ? name : "column " + name));
  return prefixes;
}

std::string group_name(const std::vector<std::string>& columns, bool header,
                       const std::vector<std::string>& texts) {
  const std::vector<std::string> prefixes = group_prefixes(columns, header);
  JoinedLabel joined;
  for (size_t k = 0; k < prefixes.size() && k < texts.size(); ++k) joined.add(prefixes[k], texts[k]);
  return joined.label;
}

Strata::Strata(const Scenario& scenario) {
  const Source& source = *scenario.source;
  const std::vector<std::string> others{kOtherGroups};
  for (const Prior* prior : scenario.own_priors()) {
    if (prior->known != others) places_[prior->name] = {Stratum::kOwn, prior->known};
  }
  for (const std::string& name : source.merged) places_[name] = {Stratum::kMerged, others};
  for (const std::string& name : source.left_out) places_[name] = {Stratum::kLeftOut, {}};
}

Strata::Strata(const std::vector<StratumPlace>& places) {
  for (const StratumPlace& place : places) places_[place.name] = {place.kind, place.known};
}

std::vector<StratumPlace> Strata::all() const {
  std::vector<StratumPlace> result;
  for (const auto& [name, place] : places_) result.push_back({name, place.kind, place.known});
  return result;
}

Stratum Strata::of(const std::string& name) const {
  const auto found = places_.find(name);
  if (found == places_.end()) return {};
  const auto& [kind, known] = found->second;
  return {kind, kind == Stratum::kLeftOut ? nullptr : &known};
}

}  // namespace fugu::inline in_rows
