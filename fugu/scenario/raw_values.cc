#include "fugu/scenario/raw_values.h"

#include <fmt/format.h>

#include "fugu/core/json_read.h"
#include "fugu/scenario/columns.h"

namespace fugu {

size_t count_columns(const RawPriors& raw, const std::string& place) {
  size_t columns = 0;
  for (const auto& prior : raw) {
    for (const RawDistribution& given : prior) {
      auto agree = [&](size_t here) {
        if (columns == 0) columns = here;
        if (columns != here) {
          throw data_error(place + ".priors", "the values do not all have the same columns",
                           "write every value as a number, or every one as a list of as many numbers");
        }
      };
      if (!given.values.empty()) agree(1);
      for (const auto& tuple : given.tuples) {
        if (tuple.size() < 2 || tuple.size() > kMaxColumns) {
          throw data_error(place + ".priors", fmt::format("a value has {} columns", tuple.size()),
                           fmt::format("a list has 2 to {} numbers", kMaxColumns));
        }
        agree(tuple.size());
      }
    }
  }
  return columns;
}

void check_labels(const std::vector<std::string>& labels, int64_t low, int64_t high,
                  const std::string& place) {
  if (labels.empty() || (low >= 1 && high <= static_cast<int64_t>(labels.size()))) return;
  throw data_error(place + ".source.labels", "a value has no label", "labels name the values 1, 2, …");
}

const Json::Array* per_column(const Json* json, size_t columns, const std::string& place) {
  if (!json || json->is_null()) return nullptr;
  const Json::Array& items = need_array(*json, place);
  if (items.size() != columns)
    throw data_error(place, "there is not one item for each column", "write a list with one for each");
  return &items;
}

Rational need_step(const Json& json, const std::string& place) {
  const Rational step = need_number(json, place);
  if (step <= 0) throw data_error(place, "the step must be greater than 0", "for example 0.01");
  return step;
}

namespace {

Error off_lattice(const std::string& place, const Scenario& scenario, size_t prior, size_t secret, size_t k) {
  return data_error(
      fmt::format("{}.priors[{}].given[\"{}\"].values[{}]", place, prior, scenario.secrets[secret], k),
      "the value is not on the lattice", "change \"lattice\", leave it out, or give --step");
}

// The lattice of these values: the step that was asked for, the one that the file has, or the coarsest.
Lattice lattice_of(const std::vector<Rational>& values, const std::optional<Rational>& step,
                   const Json* written, const std::string& place) {
  try {
    Lattice lattice = step                             ? Lattice{*step, Rational(0)}
                      : written && !written->is_null() ? lattice_from_json(*written, "lattice")
                                                       : coarsest_lattice(values);
    check_span(lattice, values, step.has_value());
    return lattice;
  } catch (const Error& error) {
    throw error.at(place);
  }
}

// The axes as the file has them, without their lattices.
std::vector<Axis> read_axes(const Json& json, size_t columns, const ScenarioOverrides& overrides,
                            const std::string& place) {
  std::vector<Axis> axes(columns);
  const Json* source = json.find("source");
  const Json::Array* labels =
      per_column(source ? source->find("labels") : nullptr, columns, place + ".source.labels");
  const Json::Array* steps =
      per_column(source ? source->find("step") : nullptr, columns, place + ".source.step");
  for (size_t c = 0; c < columns; ++c) {
    if (labels) axes[c].labels = need_strings((*labels)[c], place + ".source.labels");
    if (steps && !(*steps)[c].is_null()) axes[c].step = need_step((*steps)[c], place + ".source.step");
    if (overrides.step && axes[c].labels.empty()) axes[c].step = overrides.step;
  }
  return axes;
}

Atoms place_tuples(Scenario& scenario, const RawPriors& raw, const Json& json,
                   const ScenarioOverrides& overrides, const std::string& place) {
  const size_t columns = count_columns(raw, place);
  scenario.axes = read_axes(json, columns, overrides, place);
  const Json::Array* lattices = per_column(json.find("lattice"), columns, place + ".lattice");
  for (size_t c = 0; c < columns; ++c) {
    std::vector<Rational> values;
    for (const auto& prior : raw) {
      for (const RawDistribution& given : prior) {
        for (size_t k = 0; k < given.tuples.size(); ++k) {
          if (given.masses[k] != 0) values.push_back(given.tuples[k][c]);
        }
      }
    }
    const bool snaps = overrides.step && scenario.axes[c].labels.empty();
    scenario.axes[c].lattice = lattice_of(values, snaps ? overrides.step : std::nullopt,
                                          lattices ? &(*lattices)[c] : nullptr, place);
  }
  std::vector<std::vector<std::vector<Point>>> found(raw.size());
  for (size_t p = 0; p < raw.size(); ++p) {
    for (size_t s = 0; s < raw[p].size(); ++s) {
      found[p].emplace_back();
      for (size_t k = 0; k < raw[p][s].tuples.size(); ++k) {
        Point& point = found[p].back().emplace_back();
        if (raw[p][s].masses[k] == 0) continue;
        for (size_t c = 0; c < columns; ++c) {
          const Axis& axis = scenario.axes[c];
          const Rational& value = raw[p][s].tuples[k][c];
          const bool snaps = overrides.step && axis.labels.empty();
          const auto index = snaps ? axis.lattice.nearest(value) : axis.lattice.index(value);
          if (!index) throw off_lattice(place, scenario, p, s, k);
          check_labels(axis.labels, *index, *index, place);
          point.push_back(*index);
        }
        scenario.points.push_back(point);
      }
    }
  }
  sort_points(scenario.points);
  Atoms atoms(raw.size());
  for (size_t p = 0; p < raw.size(); ++p) {
    for (const auto& points : found[p]) {
      atoms[p].emplace_back();
      for (const Point& point : points)
        atoms[p].back().push_back(point.empty() ? 0 : index_of(scenario.points, point));
    }
  }
  return atoms;
}

Atoms place_numbers(Scenario& scenario, const RawPriors& raw, const Json& json,
                    const ScenarioOverrides& overrides, const std::string& place) {
  std::vector<Rational> values;
  for (const auto& prior : raw) {
    for (const RawDistribution& distribution : prior) {
      for (size_t k = 0; k < distribution.values.size(); ++k) {
        if (distribution.masses[k] != 0) values.push_back(distribution.values[k]);
      }
    }
  }
  scenario.lattice = lattice_of(values, overrides.step, json.find("lattice"), place);
  if (overrides.step) {
    if (!scenario.source) scenario.source.emplace();
    scenario.source->step = *overrides.step;
  }
  Atoms atoms(raw.size());
  for (size_t p = 0; p < raw.size(); ++p) {
    for (size_t s = 0; s < raw[p].size(); ++s) {
      atoms[p].emplace_back();
      for (size_t k = 0; k < raw[p][s].values.size(); ++k) {
        const Rational& value = raw[p][s].values[k];
        const bool counts = raw[p][s].masses[k] != 0;
        const auto index =
            overrides.step || !counts ? scenario.lattice.nearest(value) : scenario.lattice.index(value);
        if (!index && counts) throw off_lattice(place, scenario, p, s, k);
        atoms[p].back().push_back(index.value_or(0));
      }
    }
  }
  return atoms;
}

}  // namespace

Atoms place_values(Scenario& scenario, const RawPriors& raw, const Json& json,
                   const ScenarioOverrides& overrides, const std::string& place) {
  return count_columns(raw, place) > 1 ? place_tuples(scenario, raw, json, overrides, place)
                                       : place_numbers(scenario, raw, json, overrides, place);
}

}  // namespace fugu
