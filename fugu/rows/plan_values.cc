#include "fugu/rows/plan_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fugu/scenario/domain.h"

#include "fugu/law/boxes.h"

namespace fugu::inline in_rows {

Runs runs_of(const std::vector<int64_t>& numbers) {
  Runs runs;
  for (int64_t number : numbers) {
    if (runs.empty() || runs.back().second + 1 != number) runs.emplace_back(number, number);
    runs.back().second = number;
  }
  return runs;
}

bool is_among(const Runs& runs, int64_t number) {
  const auto after = std::upper_bound(runs.begin(), runs.end(), number,
                                      [](int64_t n, const auto& run) { return n < run.first; });
  return after != runs.begin() && number <= std::prev(after)->second;
}

PlanValues::PlanValues(const Scenario& scenario) : points_(scenario.points) {
  for (size_t c = 0; c < scenario.axes.size() && !points_.empty(); ++c) {
    const auto [least, most] = std::minmax_element(
        points_.begin(), points_.end(), [c](const Point& a, const Point& b) { return a[c] < b[c]; });
    ranges_.push_back(scenario.shape(c).is_categorical() ? 0 : static_cast<double>((*most)[c] - (*least)[c]));
  }
  if (scenario.confidence) {  // which leaves every value of its domain some mass, in every group
    all_ = runs_of(boxes_of(scenario).domain);
    return;
  }
  std::vector<Distribution> everybody, others;  // others: of priors that are no group's, nor the whole table
  for (size_t p = 0; p < scenario.priors.size(); ++p) {
    const Prior& prior = scenario.priors[p];
    everybody.insert(everybody.end(), prior.by_secret.begin(), prior.by_secret.end());
    if (p > 0 && scenario.source && !prior.is_group())
      others.insert(others.end(), prior.by_secret.begin(), prior.by_secret.end());
  }
  all_ = runs_of(union_support(everybody));
  if (scenario.source && scenario.source->has_strata()) {
    for (const Prior* own : scenario.own_priors()) {
      std::vector<Distribution> laws;
      for (const Prior& prior : scenario.priors) {
        if (prior.known == own->known)
          laws.insert(laws.end(), prior.by_secret.begin(), prior.by_secret.end());
      }
      groups_[own->name] = runs_of(union_support(laws));
    }
  }
  for (size_t p = 1; scenario.source && !scenario.source->has_strata() && p < scenario.priors.size(); ++p) {
    const Prior& prior = scenario.priors[p];
    if (!prior.is_group()) continue;
    std::vector<Distribution> laws = others;
    laws.insert(laws.end(), prior.by_secret.begin(), prior.by_secret.end());
    groups_[prior.name] = runs_of(union_support(laws));
  }
  const auto merged = groups_.find(kOtherGroups);
  if (merged == groups_.end()) return;
  const Runs together = merged->second;
  for (const std::string& name : scenario.source->merged) groups_[name] = together;
}

const Runs& PlanValues::of_group(const std::string& group) const {
  const auto found = groups_.find(group);
  return found == groups_.end() ? all_ : found->second;
}

bool PlanValues::has(const std::string& group, int64_t atom) const { return is_among(of_group(group), atom); }

bool PlanValues::has(const std::string& group, const Point& point) const {
  const auto found = std::lower_bound(points_.begin(), points_.end(), point);
  return found != points_.end() && *found == point && has(group, found - points_.begin());
}

double PlanValues::distance(const Point& a, const Point& b) const {
  double sum = 0;
  for (size_t c = 0; c < a.size(); ++c) {
    if (a[c] != b[c]) sum += ranges_[c] == 0 ? 1 : std::abs(static_cast<double>(a[c] - b[c])) / ranges_[c];
  }
  return sum;
}

Point PlanValues::nearest(const std::string& group, const Point& point) const {
  Point best;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [first, last] : of_group(group)) {
    if (points_.empty()) {  // of one column a run has one that is nearest
      const int64_t atom = std::clamp(point.front(), first, last);
      const double away = std::abs(static_cast<double>(atom - point.front()));
      if (away < least) best = {atom};
      least = std::min(least, away);
      continue;
    }
    for (int64_t atom = first; atom <= last; ++atom) {
      const Point& other = points_[static_cast<size_t>(atom)];
      const double away = distance(point, other);
      if (away < least) best = other;
      least = std::min(least, away);
    }
  }
  return best;
}

}  // namespace fugu::inline in_rows
