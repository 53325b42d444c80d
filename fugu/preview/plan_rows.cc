#include "fugu/preview/plan_rows.h"

#include <algorithm>

#include "fugu/core/error.h"
#include "fugu/scenario/bags.h"

namespace fugu::inline in_preview {
namespace {

// Whether every mass is a number of rows or weights, as it was counted.
bool is_counted(const std::vector<const Prior*>& priors) {
  return std::all_of(priors.begin(), priors.end(), [](const Prior* prior) {
    return std::all_of(prior->by_secret.begin(), prior->by_secret.end(),
                       [](const Distribution& law) { return law.blur() == 0; });
  });
}

void add_entry(const Scenario& scenario, int64_t atom, size_t first, PlanRows& rows) {
  if (!scenario.is_joint()) {
    rows.values.front().push_back(atom);
    return;
  }
  const Point& point = scenario.points[static_cast<size_t>(atom)];
  for (size_t c = 0; c < rows.values.size(); ++c) rows.values[c].push_back(point[first + c]);
}

void add_prior(const Scenario& scenario, const Prior& prior, PlanRows& rows) {
  const auto& laws = prior.by_secret;
  const bool computed =
      std::any_of(laws.begin(), laws.end(), [](const Distribution& law) { return law.blur() != 0; });
  const size_t columns = rows.values.size();
  // Behind a person's rows there is padding, which is no row.
  const size_t of_person = scenario.rows_per_person() > 1 ? rows_of(prior) : 1;
  for (uint32_t s = 0; s < laws.size(); ++s) {
    const std::vector<double> masses = computed ? laws[s].approximate_masses() : std::vector<double>{};
    for (size_t k = 0; k < laws[s].size(); ++k) {
      const double weight = computed ? masses[k] : static_cast<double>(laws[s].weights().at(k));
      for (size_t row = 0; row < of_person; ++row) {
        add_entry(scenario, laws[s].atoms()[k], row * columns, rows);
        rows.secret.push_back(s);
        rows.prior.push_back(&prior);
        rows.weights.push_back(weight);
        rows.total += weight;
      }
    }
  }
}

// Between 0 and 1, without 1.
double uniform(SecureRandom& random) { return static_cast<double>(random.word() >> 11) * 0x1p-53; }

// The entries at these places of the running sum of weights, which increase.
template <class Places>
std::vector<uint32_t> entries_at(const PlanRows& rows, size_t count, const Places& place) {
  std::vector<uint32_t> result;
  result.reserve(count);
  uint32_t entry = 0;
  double end = rows.weights.front();
  for (size_t k = 0; k < count; ++k) {
    while (place(k) >= end && entry + 1 < rows.size()) end += rows.weights[++entry];
    result.push_back(entry);
  }
  return result;
}

}  // namespace

PlanRows plan_rows(const Scenario& scenario) {
  PlanRows rows;
  rows.values.resize(scenario.released_columns());
  const std::vector<const Prior*> priors = scenario.own_priors();
  for (const Prior* prior : priors) add_prior(scenario, *prior, rows);
  if (!scenario.source || !is_counted(priors)) return rows;
  if (!scenario.source->weight) {
    rows.rows = static_cast<uint64_t>(rows.total);
  } else {
    rows.rows = 0;
    for (const auto& [index, times] : scenario.source->weight->rows.front()) *rows.rows += times;
  }
  return rows;
}

std::vector<uint32_t> spread_rows(const PlanRows& rows, size_t count, SecureRandom& random) {
  const double start = uniform(random), each = rows.total / static_cast<double>(count);
  return entries_at(rows, count, [&](size_t k) { return (static_cast<double>(k) + start) * each; });
}

std::vector<uint32_t> random_rows(const PlanRows& rows, size_t count, SecureRandom& random) {
  std::vector<std::pair<double, size_t>> places;
  for (size_t k = 0; k < count; ++k) places.emplace_back(uniform(random) * rows.total, k);
  std::sort(places.begin(), places.end());
  const auto found = entries_at(rows, count, [&](size_t k) { return places[k].first; });
  std::vector<uint32_t> result(count);
  for (size_t k = 0; k < count; ++k) result[places[k].second] = found[k];
  return result;
}

RowSimulation::RowSimulation(const Plan& plan, const PlanRows& rows)
    : rows_(rows), columns_(column_releases(plan)), draw_(plan) {
  if (!draw_.is_whole()) return;
  Point value(rows.values.size());
  for (size_t entry = 0; entry < rows.size(); ++entry) {
    for (size_t c = 0; c < value.size(); ++c) value[c] = rows.values[c][entry];
    const auto place = draw_.place(&rows.prior[entry]->known, value);
    if (!place)
      throw Error(ErrorKind::kGuarantee, "the plan does not say what happens to one of its values",
                  "calibrate again");
    places_.push_back(*place);
  }
}

std::vector<std::vector<int64_t>> RowSimulation::release(SecureRandom& random,
                                                         const std::vector<uint32_t>& entries) const {
  std::vector<std::vector<int64_t>> index(rows_.values.size());
  if (draw_.is_whole()) {
    for (uint32_t entry : entries) index[0].push_back(places_[entry]);
  } else {
    for (size_t c = 0; c < index.size(); ++c) {
      for (uint32_t entry : entries) index[c].push_back(rows_.values[c][entry]);
    }
  }
  release(random, index);
  return index;
}

void RowSimulation::release(SecureRandom& random, std::vector<std::vector<int64_t>>& index) const {
  draw_.release(random, index);
  for (size_t c = 0; c < index.size(); ++c) {
    const ColumnMap& map = columns_[c].map;
    if (!map.clamps) continue;
    for (int64_t& value : index[c]) value = std::clamp(value, map.range.first, map.range.second);
  }
}

}  // namespace fugu::inline in_preview
