#include "fugu/preview/compared_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "fugu/core/error.h"

namespace fugu::inline in_preview {
namespace {

std::vector<std::vector<double>> cell_shares(const ComparedColumn& a, const ComparedColumn& b,
                                             const WeightedValues& of_a, const WeightedValues& of_b) {
  std::vector<std::vector<double>> shares(a.shown.labels().size(),
                                          std::vector<double>(b.shown.labels().size(), 0.0));
  double total = 0;
  for (size_t row = 0; row < of_a.values.size(); ++row) {
    shares[a.shown.group(of_a.values[row])][b.shown.group(of_b.values[row])] += of_a.weights[row];
    total += of_a.weights[row];
  }
  for (auto& line : shares) {
    for (double& share : line) share /= total;
  }
  return shares;
}

// The secret, where there is one, is the last of them in any case.
std::vector<const ComparedColumn*> associated(const std::vector<ComparedColumn>& columns) {
  std::vector<const ComparedColumn*> chosen;
  for (const ComparedColumn& column : columns) {
    const bool secret = column.role == ComparedColumn::kSecret;
    if (secret || chosen.size() + 1 < ComparedColumns::kMostAssociated) chosen.push_back(&column);
  }
  return chosen;
}

}  // namespace

std::string known_text(const Prior& prior, size_t columns, size_t k) {
  const bool own = prior.known.size() == columns && prior.known.front() != kOtherGroups;
  return own ? prior.known[k] : kLeftBlank;
}

void ComparedColumns::add_released(const ColumnMap& map, size_t c, std::vector<int64_t> before,
                                   std::vector<int64_t> after) {
  const ColumnShape& shape = map.source.shape();
  const std::string name =
      map.name.empty() ? column_name(scenario_, c) : listed(*scenario_.source, {map.name});
  const WeightedValues counted{before, weights_before_};
  ShownColumn shown = shape.is_categorical()
                          ? ShownColumn::category(name, shape.labels, 1, counted)
                          : ShownColumn::number(name, shape, map.lattice, counted, {after, weights_after_});
  columns_.push_back(
      {std::move(shown), ComparedColumn::kReleased, {map.name}, std::move(before), std::move(after)});
}

void ComparedColumns::add_known(size_t k, std::vector<std::string> labels, std::vector<int64_t> before,
                                std::vector<int64_t> after) {
  const std::string& name = scenario_.source->known[k];
  ShownColumn shown = ShownColumn::category(listed(*scenario_.source, {name}), std::move(labels), 0,
                                            {before, weights_before_});
  columns_.push_back({std::move(shown), ComparedColumn::kKnown, {name}, std::move(before), std::move(after)});
}

void ComparedColumns::add_secret(std::vector<int64_t> before, std::vector<int64_t> after) {
  const bool is_named = scenario_.source && !scenario_.source->secret.empty();
  const std::string name = is_named ? listed(*scenario_.source, scenario_.source->secret) : "secret";
  std::vector<std::string> called{"secret"};
  if (is_named && scenario_.source->secret.size() == 1) called.push_back(scenario_.source->secret.front());
  ShownColumn shown = ShownColumn::category(name, scenario_.secrets, 0, {before, weights_before_});
  columns_.push_back(
      {std::move(shown), ComparedColumn::kSecret, std::move(called), std::move(before), std::move(after)});
}

PreviewColumn ComparedColumns::facts(const ComparedColumn& column) const {
  PreviewColumn facts{.name = column.shown.name(),
                      .number = column.shown.is_number(),
                      .date = column.shown.is_date(),
                      .known = column.role == ComparedColumn::kKnown,
                      .labels = column.shown.labels()};
  facts.before = column.shown.shares(before(column));
  facts.after = column.shown.shares(after(column));
  if (facts.number) add_numbers(column, facts);
  return facts;
}

void ComparedColumns::add_numbers(const ComparedColumn& column, PreviewColumn& facts) const {
  auto& numbers = facts.numbers.emplace();
  std::tie(numbers.mean_before, numbers.spread_before) = column.shown.moments(before(column));
  std::tie(numbers.mean_after, numbers.spread_after) = column.shown.moments(after(column));
  if (!facts.date) return;
  numbers.mean_before_text = column.shown.text(numbers.mean_before);
  numbers.mean_after_text = column.shown.text(numbers.mean_after);
}

void ComparedColumns::associate(Preview& preview) const {
  const auto chosen = associated(columns_);
  const size_t size = chosen.size();
  std::vector<Coded> of_before, of_after;
  for (const ComparedColumn* column : chosen) {
    preview.names.push_back(column->shown.name());
    of_before.push_back(column->shown.coded(column->before));
    of_after.push_back(column->shown.coded(column->after));
  }
  preview.measures.assign(size, std::vector<Measure>(size));
  preview.before.assign(size, std::vector<std::optional<double>>(size));
  preview.after = preview.before;
  for (size_t a = 0; a < size; ++a) {
    for (size_t b = a; b < size; ++b) {
      preview.measures[a][b] = preview.measures[b][a] =
          measure_of(of_before[a].is_number(), of_before[b].is_number());
      preview.before[a][b] = preview.before[b][a] = association(of_before[a], of_before[b], weights_before_);
      // What is written as it is keeps its associations; simulated rows are only a part of them.
      const bool stays =
          chosen[a]->role != ComparedColumn::kReleased && chosen[b]->role != ComparedColumn::kReleased;
      preview.after[a][b] = preview.after[b][a] =
          stays ? preview.before[a][b] : association(of_after[a], of_after[b], parts_after_);
      if (a == b && preview.after[a][a]) preview.after[a][a] = 1;  // whatever the parts say
    }
  }
}

const ComparedColumn& ComparedColumns::named(const std::string& name) const {
  for (const ComparedColumn& column : columns_) {
    const auto& called = column.called;
    if (column.shown.name() == name || std::find(called.begin(), called.end(), name) != called.end())
      return column;
  }
  throw usage(fmt::format("--cross: the plan has no column '{}'", name),
              "name two of its columns: released, known, or the secret");
}

PreviewCross ComparedColumns::cross(const std::pair<std::string, std::string>& names) const {
  const ComparedColumn &a = named(names.first), &b = named(names.second);
  if (&a == &b) throw usage("--cross: a column is named twice", "name two of the plan's columns");
  PreviewCross result{a.shown.name(), b.shown.name(), a.shown.labels(), b.shown.labels(), {}, {}};
  result.before = cell_shares(a, b, before(a), before(b));
  result.after = cell_shares(a, b, after(a), after(b));
  return result;
}

}  // namespace fugu::inline in_preview
