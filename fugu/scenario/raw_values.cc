#include "fugu/scenario/raw_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "fugu/core/json_read.h"
#include "fugu/scenario/columns.h"
#include "fugu/scenario/shape.h"

namespace fugu::inline in_scenario {

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

bool has_laws(const std::vector<RawDistribution>& given) {
  return std::any_of(given.begin(), given.end(), [](const auto& secret) { return secret.law.has_value(); });
}

bool has_laws(const RawPriors& priors) {
  return std::any_of(priors.begin(), priors.end(), [](const auto& given) { return has_laws(given); });
}

std::vector<std::string> need_labels(const Json& json, const std::string& place) {
  std::vector<std::string> labels = need_strings(json, place);
  if (std::set<std::string>(labels.begin(), labels.end()).size() != labels.size())
    throw data_error(place, "a label comes twice", "each names one value");
  return labels;
}

void check_labels(const std::vector<std::string>& labels, int64_t low, int64_t high,
                  const std::string& place) {
  if (labels.empty() || (low >= 1 && high <= static_cast<int64_t>(labels.size()))) return;
  throw data_error(place + ".source.labels", "a value has no label", "labels name the values 1, 2, …");
}

std::string place_of_given(const std::string& prior, size_t secret) {
  return fmt::format("{}.given[{}]", prior, secret);
}

const Json::Array* per_column(const Json* json, size_t columns, const std::string& place) {
  if (!json || json->is_null()) return nullptr;
  const Json::Array& items = need_array(*json, place);
  if (items.size() != columns)
    throw data_error(place, "there is not one item for each column", "write a list with one for each");
  return &items;
}

Rational need_step(const Json& json, const std::string& place) {
  Rational step = need_number(json, place);
  if (step <= 0) throw data_error(place, "the step must be greater than 0", "for example 0.01");
  return step;
}

namespace {

Error off_lattice(const std::string& place, size_t prior, size_t secret, size_t k) {
  return data_error(
      fmt::format("{}.values[{}]", place_of_given(fmt::format("{}.priors[{}]", place, prior), secret), k),
      "the value is not on the lattice", "change \"lattice\", leave it out, or give --step");
}

// The lattice of these values: the step that was asked for, the one that the file has, or the coarsest; a law
// has none of its own.
Lattice lattice_of(const std::vector<Rational>& values, const std::optional<Rational>& step,
                   const Json* written, bool laws, const std::string& place) {
  try {
    const bool given = written && !written->is_null();
    if (laws && !step && !given) {
      throw Error(ErrorKind::kData, "a law needs a lattice that its values are moved to",
                  "give \"lattice\": {\"step\": 1, \"origin\": 0}, or --step");
    }
    Lattice lattice = step    ? Lattice{*step, Rational(0)}
                      : given ? lattice_from_json(*written, "lattice")
                              : coarsest_lattice(values);
    if (!values.empty()) check_span(lattice, values, step.has_value());
    return lattice;
  } catch (const Error& error) {
    throw error.at(place);
  }
}

Atoms place_tuples(Scenario& scenario, const RawPriors& raw, const Json& json,
                   const ScenarioOverrides& overrides, const std::string& place) {
  const size_t columns = count_columns(raw, place);
  scenario.axes.resize(columns);
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
    const bool snaps = overrides.step && !scenario.shape(c).is_categorical();
    if (snaps && scenario.source) scenario.source->columns[c].step = overrides.step;
    scenario.axes[c].lattice = lattice_of(values, snaps ? overrides.step : std::nullopt,
                                          lattices ? &(*lattices)[c] : nullptr, false, place);
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
          const std::vector<std::string>& labels = scenario.shape(c).labels;
          const bool snaps = overrides.step && labels.empty();
          const auto index = snaps ? axis.lattice.nearest(value) : axis.lattice.index(value);
          if (!index) throw off_lattice(place, p, s, k);
          check_labels(labels, *index, *index, place);
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

// Where values are held: as the source says, or where every law is natural and every value lies.
std::pair<Rational, Rational> range_of(const Scenario& scenario, const RawPriors& priors,
                                       const std::vector<Rational>& values) {
  if (scenario.source && scenario.source->shape().clip) return *scenario.source->shape().clip;
  std::vector<Rational> ends = values;
  for (const auto& given : priors) {
    for (const RawDistribution& secret : given) {
      if (!secret.law) continue;
      const auto [low, high] = natural_range(*secret.law);
      ends.push_back(low);
      ends.push_back(high);
    }
  }
  const auto [low, high] = std::minmax_element(ends.begin(), ends.end());
  const Lattice& lattice = scenario.lattice;
  auto outward = [&](const Rational& end, int side) {
    const Rational steps = (end - lattice.origin) / lattice.step;
    const Integer whole = side < 0 ? floor(steps) : Integer(-floor(Rational(-steps)));
    return Rational(lattice.origin + lattice.step * whole);
  };
  return {outward(*low, -1), outward(*high, 1)};
}

// The lattice points where values may be: with laws or a clip, those between its ends.
std::optional<PointRange> grid_of(Scenario& scenario, const RawPriors& priors,
                                  const std::vector<Rational>& values, bool step_given,
                                  const std::string& place) {
  const bool laws = has_laws(priors);
  if (scenario.source && scenario.source->shape().bin)
    return std::nullopt;  // the values are those of the bins
  if (!laws && !(scenario.source && scenario.source->shape().clip)) return std::nullopt;
  if (scenario.source && !scenario.source->shape().labels.empty()) {
    throw data_error(
        place + ".source.labels",
        laws ? "categories have no normal law" : "categories are not held within a clip",
        laws ? "give values and masses, or leave out the labels" : "leave out the clip or the labels");
  }
  const auto range = range_of(scenario, priors, values);
  try {
    check_span(scenario.lattice, std::vector{range.first, range.second}, step_given);
  } catch (const Error& error) {
    throw error.at(place);
  }
  const auto low = scenario.lattice.nearest(range.first), high = scenario.lattice.nearest(range.second);
  if (!low || !high)
    throw data_error(place + ".source.clip", "the range lies too far out", "give smaller numbers");
  if (laws) {  // what a release needs to apply the same map
    if (!scenario.source) scenario.source.emplace();
    scenario.source->columns[0].clip = range;
    scenario.source->columns[0].step = scenario.lattice.step;
  }
  return PointRange{*low, *high};
}

// Whether a bin holds values within the clip.
bool is_kept(const Scenario& scenario, int64_t index) {
  if (!scenario.source->columns[0].bin || !scenario.source->shape().clip) return true;
  return Shape(scenario.source->columns[0], scenario.lattice).index(scenario.lattice.value(index)) == index;
}

// One column: the lattice, where its values lie, and the grid that a law or a clip holds them in.
Atoms place_numbers(Scenario& scenario, const RawPriors& raw, const Json& json,
                    const ScenarioOverrides& overrides, const std::string& place,
                    std::optional<PointRange>& grid) {
  // With a confidence a value without mass may occur, and is a value like the others.
  auto has_place = [&](const Rational& mass) { return mass != 0 || scenario.confidence; };
  std::vector<Rational> values;
  for (const auto& prior : raw) {
    for (const RawDistribution& distribution : prior) {
      for (size_t k = 0; k < distribution.values.size(); ++k) {
        if (has_place(distribution.masses[k])) values.push_back(distribution.values[k]);
      }
    }
  }
  const bool binned =
      scenario.source && (scenario.source->columns[0].bin || !scenario.source->shape().edges.empty());
  if (binned && (overrides.step || has_laws(raw))) {
    throw data_error(place + ".source", "values in bins have no other step, and no normal law",
                     "leave out --step, or the bins");
  }
  scenario.lattice = lattice_of(values, overrides.step, json.find("lattice"), has_laws(raw), place);
  if (overrides.step) {
    if (!scenario.source) scenario.source.emplace();
    scenario.source->columns[0].step = *overrides.step;
  }
  grid = grid_of(scenario, raw, values, overrides.step.has_value(), place);
  Atoms atoms(raw.size());
  for (size_t p = 0; p < raw.size(); ++p) {
    for (size_t s = 0; s < raw[p].size(); ++s) {
      atoms[p].emplace_back();
      for (size_t k = 0; k < raw[p][s].values.size(); ++k) {
        const Rational& value = raw[p][s].values[k];
        const bool counts = has_place(raw[p][s].masses[k]);
        const bool held =
            grid && scenario.source->shape().clip &&
            (value < scenario.source->shape().clip->first || value > scenario.source->shape().clip->second);
        const auto index = overrides.step || !counts || held ? scenario.lattice.nearest(value)
                                                             : scenario.lattice.index(value);
        if (!index && counts) throw off_lattice(place, p, s, k);
        if (counts && binned && !is_kept(scenario, *index)) {
          throw data_error(place + ".source.clip", "a bin lies outside the clip",
                           "give the values as they are after the clip");
        }
        const int64_t at = index.value_or(0);
        atoms[p].back().push_back(grid ? std::clamp(at, grid->low, grid->high) : at);
      }
    }
  }
  return atoms;
}

}  // namespace

Atoms place_values(Scenario& scenario, const RawPriors& raw, const Json& json,
                   const ScenarioOverrides& overrides, const std::string& place,
                   std::optional<PointRange>& grid) {
  return count_columns(raw, place) > 1 ? place_tuples(scenario, raw, json, overrides, place)
                                       : place_numbers(scenario, raw, json, overrides, place, grid);
}

}  // namespace fugu::inline in_scenario
