#include "fugu/report/shown_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "fugu/plan/plan.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

int64_t floor_to(int64_t index, int64_t width) {
  const int64_t rest = index % width;
  return index - rest - (rest < 0 ? width : 0);
}

// 1, 2, 5, 10, 20, … steps: the least that makes few enough bins.
int64_t bin_width(int64_t span, size_t most) {
  for (int64_t decade = 1;; decade *= 10) {
    for (int64_t width : {decade, 2 * decade, 5 * decade}) {
      if (span / width + 2 <= static_cast<int64_t>(most)) return width;
    }
  }
}

double number_at(const Scenario& scenario, int64_t index) {
  return static_cast<double>(scenario.lattice.value(index));
}

}  // namespace

std::string value_words(const Scenario& scenario) {
  if (!scenario.source || scenario.source->published.empty()) return "value";
  const std::string words = fmt::format("{}", fmt::join(scenario.source->published, " & "));
  const std::string name = scenario.source->header ? words : "column " + words;
  const auto& date = scenario.source->shape().reads.date;
  return date && !is_categorical(scenario)
             ? fmt::format("{} ({}s since 1970-01-01)", name, word_of(date->unit))
             : name;
}

std::vector<uint32_t> paired_secrets(const Scenario& scenario) {
  std::vector<uint32_t> secrets(scenario.secrets.size());
  std::iota(secrets.begin(), secrets.end(), 0);
  if (scenario.pairs.is_all()) return secrets;
  std::set<uint32_t> found;
  for (auto [a, b] : scenario.pairs.list(secrets.size())) found.insert({a, b});
  return {found.begin(), found.end()};
}

ShownValues::ShownValues(const std::vector<int64_t>& atoms, size_t most) {
  if (atoms.size() <= most) {
    first_ = atoms;
    return;
  }
  width_ = bin_width(atoms.back() - atoms.front(), most);
  for (int64_t low = floor_to(atoms.front(), width_); low <= atoms.back(); low += width_)
    first_.push_back(low);
}

size_t ShownValues::place(int64_t atom) const {
  return static_cast<size_t>(std::upper_bound(first_.begin(), first_.end(), atom) - first_.begin() - 1);
}

Json ShownValues::to_json(const Scenario& scenario) const {
  Json values = Json::array();
  for (int64_t first : first_) {
    Json value = Json::object();
    if (width_ == 0) {
      value.add("value", Json::number(number_at(scenario, first)));
      value.add("label", Json::string(printable(scenario.value_text(first))));
    } else {
      const int64_t last = first + width_ - 1;
      const double low = number_at(scenario, first), high = number_at(scenario, last);
      value.add("value", Json::number((low + high) / 2));
      value.add("label", Json::string(fmt::format("{} to {}", printable(scenario.value_text(first)),
                                                  printable(scenario.value_text(last)))));
      value.add("low", Json::number(low));
      value.add("high", Json::number(high));
    }
    values.if_array()->push_back(std::move(value));
  }
  return values;
}

Json column_to_json(const Scenario& scenario, const ShownValues& values) {
  Json json = Json::object();
  json.add("column", Json::string(printable(value_words(scenario))));
  json.add("categorical", Json::boolean(is_categorical(scenario)));
  json.add("step", Json::number(static_cast<double>(scenario.lattice.step)));
  json.add("bin", values.width() == 0
                      ? Json::null()
                      : Json::number(static_cast<double>(Rational(scenario.lattice.step * values.width()))));
  return json;
}

std::vector<Scenario> columns_of(const Scenario& scenario) {
  if (!scenario.is_joint()) return {scenario};
  std::vector<Scenario> columns;
  for (size_t axis = 0; axis < scenario.axes.size(); ++axis) {
    Scenario column = scenario.column(axis);
    if (!column.source) column.source.emplace();
    if (scenario.rows_per_person() > 1) column.source->published = {column_name(scenario, axis)};
    if (column.source->published.empty()) column.source->published = {fmt::format("column {}", axis + 1)};
    columns.push_back(std::move(column));
  }
  return columns;
}

bool is_categorical(const Scenario& scenario) {
  return scenario.source && !scenario.source->shape().labels.empty();
}

}  // namespace fugu::inline in_report
