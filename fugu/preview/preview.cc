#include "fugu/preview/preview.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "fugu/core/error.h"
#include "fugu/preview/drawn_rows.h"
#include "fugu/preview/sample_rows.h"
#include "fugu/preview/shown_column.h"

namespace fugu::inline in_preview {
namespace {

constexpr size_t kMostAssociated = 24;  // columns
constexpr double kLeft = 0.05;          // of a label that counts as vanished, less than this is left
constexpr double kEnoughRows = 20;      // of it, for that to be told

// A column of the plan with the values of the table's rows and of the simulated ones.
struct Variable {
  ShownColumn shown;
  enum Role { kReleased, kKnown, kSecret } role;
  std::vector<std::string> called;  // besides its name
  std::vector<int64_t> before, after;
};

class PreviewMaker {
 public:
  PreviewMaker(const Plan& plan, const PreviewOptions& options)
      : scenario_(plan.scenario),
        rows_(plan_rows(plan.scenario)),
        drawn_(draw_rows(plan, rows_, {options.draws, options.simulated})),
        ones_(drawn_.rows(), 1.0) {
    const std::vector<ColumnRelease> columns = column_releases(plan);
    for (size_t c = 0; c < columns.size(); ++c) add_released(columns[c].map, c);
    for (size_t k = 0; scenario_.source && k < scenario_.source->known.size(); ++k) add_known(k);
    add_secret();
  }

  Preview make(const PreviewOptions& options) const {
    Preview preview{.rows = rows_.rows, .draws = drawn_.draws, .simulated = drawn_.each};
    preview.unchanged = unchanged();
    for (size_t v = 0; v + 1 < variables_.size(); ++v) preview.columns.push_back(column(v));
    associate(preview);
    if (options.cross) preview.cross = cross(*options.cross);
    add_notes(preview);
    return preview;
  }

 private:
  WeightedValues before(const Variable& variable) const { return {variable.before, rows_.weights}; }
  WeightedValues after(const Variable& variable) const { return {variable.after, ones_}; }

  // By entry of the table's rows, the same of the simulated ones.
  std::vector<int64_t> simulated(const std::vector<int64_t>& by_entry) const {
    std::vector<int64_t> result;
    result.reserve(drawn_.rows());
    for (uint32_t entry : drawn_.entries) result.push_back(by_entry[entry]);
    return result;
  }

  std::string written(const std::string& name) const { return listed(*scenario_.source, {name}); }

  void add_released(const ColumnMap& map, size_t c) {
    const std::vector<int64_t>&before = rows_.values[c], &after = drawn_.released[c];
    const ColumnShape& shape = map.source.shape();
    const std::string name = map.name.empty() ? column_name(scenario_, c) : written(map.name);
    const WeightedValues counted{before, rows_.weights};
    if (shape.is_categorical()) {
      variables_.push_back({ShownColumn::category(name, shape.labels, 1, counted),
                            Variable::kReleased,
                            {map.name},
                            before,
                            after});
      return;
    }
    variables_.push_back({ShownColumn::number(name, shape, map.lattice, counted, {after, ones_}),
                          Variable::kReleased,
                          {map.name},
                          before,
                          after});
  }

  // People of small strata are released without what is known of them.
  void add_known(size_t k) {
    const size_t columns = scenario_.source->known.size();
    std::map<std::string, int64_t> codes;
    auto text_of = [&](const Prior* prior) {
      return prior->known.size() == columns && prior->known.front() != kOtherGroups ? prior->known[k]
                                                                                    : "(left blank)";
    };
    for (const Prior* prior : rows_.prior) codes.emplace(text_of(prior), 0);
    std::vector<std::string> labels;
    for (auto& [text, code] : codes) {
      code = static_cast<int64_t>(labels.size());
      labels.push_back(text);
    }
    std::vector<int64_t> values;
    for (const Prior* prior : rows_.prior) values.push_back(codes.at(text_of(prior)));
    const std::string& name = scenario_.source->known[k];
    variables_.push_back({ShownColumn::category(written(name), labels, 0, {values, rows_.weights}),
                          Variable::kKnown,
                          {name},
                          values,
                          simulated(values)});
  }

  void add_secret() {
    const bool named = scenario_.source && !scenario_.source->secret.empty();
    const std::string name = named ? listed(*scenario_.source, scenario_.source->secret) : "secret";
    const std::vector<int64_t> values(rows_.secret.begin(), rows_.secret.end());
    std::vector<std::string> called{"secret"};
    if (named) called.push_back(scenario_.source->secret.front());
    variables_.push_back({ShownColumn::category(name, scenario_.secrets, 0, {values, rows_.weights}),
                          Variable::kSecret, called, values, simulated(values)});
  }

  double unchanged() const {
    size_t same = 0;
    for (size_t row = 0; row < drawn_.rows(); ++row) {
      bool stays = true;
      for (size_t c = 0; c < rows_.values.size(); ++c)
        stays = stays && drawn_.released[c][row] == rows_.values[c][drawn_.entries[row]];
      same += stays;
    }
    return static_cast<double>(same) / static_cast<double>(drawn_.rows());
  }

  // Rows are drawn independently: what two draws of the same rows differ by is the variance of one, twice.
  void scatter(size_t c, const ShownColumn& shown, PreviewColumn& column) const {
    const std::vector<int64_t>& twins = drawn_.twins[c];
    std::vector<double> differ(shown.labels().size(), 0.0);
    double squares = 0;
    for (size_t row = 0; row < twins.size(); ++row) {
      const int64_t one = drawn_.released[c][row], other = twins[row];
      if (one == other) continue;
      const size_t a = shown.group(one), b = shown.group(other);
      if (a != b) {
        differ[a] += 1;
        differ[b] += 1;
      }
      if (shown.is_number()) squares += std::pow(shown.number(one) - shown.number(other), 2);
    }
    const double each = 2 * static_cast<double>(twins.size()),
                 of = static_cast<double>(rows_.rows.value_or(drawn_.each));
    for (double rows : differ) column.deviation.push_back(std::sqrt(rows / each / of));
    if (column.numbers) column.numbers->mean_deviation = std::sqrt(squares / each / of);
  }

  PreviewColumn column(size_t v) const {
    const Variable& variable = variables_[v];
    const ShownColumn& shown = variable.shown;
    PreviewColumn column{.name = shown.name(),
                         .number = shown.is_number(),
                         .date = shown.is_date(),
                         .known = variable.role == Variable::kKnown,
                         .labels = shown.labels()};
    column.before = shown.shares(before(variable));
    if (column.known) {
      column.after = column.before;
      column.deviation.assign(column.after.size(), 0.0);
      return column;
    }
    column.after = shown.shares(after(variable));
    const auto simulated = static_cast<double>(drawn_.rows());
    for (size_t k = 0; k < column.labels.size(); ++k) {
      const double expected = column.before[k] * simulated;
      if (expected >= kEnoughRows && column.after[k] * simulated < kLeft * expected)
        column.vanished.push_back(column.labels[k]);
    }
    size_t same = 0;
    for (size_t row = 0; row < drawn_.rows(); ++row)
      same += variable.after[row] == variable.before[drawn_.entries[row]];
    column.unchanged = static_cast<double>(same) / simulated;
    if (column.number) add_numbers(variable, column);
    scatter(v, shown, column);
    return column;
  }

  void add_numbers(const Variable& variable, PreviewColumn& column) const {
    auto& numbers = column.numbers.emplace();
    std::tie(numbers.mean_before, numbers.spread_before) = variable.shown.moments(before(variable));
    std::tie(numbers.mean_after, numbers.spread_after) = variable.shown.moments(after(variable));
    if (!column.date) return;
    numbers.mean_before_text = variable.shown.text(numbers.mean_before);
    numbers.mean_after_text = variable.shown.text(numbers.mean_after);
  }

  // The secret is the last of them in any case.
  std::vector<const Variable*> associated() const {
    std::vector<const Variable*> chosen;
    for (size_t v = 0; v + 1 < variables_.size() && v + 1 < kMostAssociated; ++v)
      chosen.push_back(&variables_[v]);
    chosen.push_back(&variables_.back());
    return chosen;
  }

  void associate(Preview& preview) const {
    const auto chosen = associated();
    const size_t size = chosen.size();
    std::vector<Coded> before, after;
    for (const Variable* variable : chosen) {
      preview.names.push_back(variable->shown.name());
      before.push_back(variable->shown.coded(variable->before));
      after.push_back(variable->shown.coded(variable->after));
    }
    preview.measures.assign(size, std::vector<Measure>(size));
    preview.before.assign(size, std::vector<std::optional<double>>(size));
    preview.after = preview.before;
    for (size_t a = 0; a < size; ++a) {
      for (size_t b = a; b < size; ++b) {
        preview.measures[a][b] = preview.measures[b][a] =
            measure_of(before[a].is_number(), before[b].is_number());
        preview.before[a][b] = preview.before[b][a] = association(before[a], before[b], rows_.weights);
        // What is written as it is keeps its associations; the simulated rows are a part of them.
        const bool stays = chosen[a]->role != Variable::kReleased && chosen[b]->role != Variable::kReleased;
        preview.after[a][b] = preview.after[b][a] =
            stays ? preview.before[a][b] : association(after[a], after[b], ones_);
      }
    }
  }

  const Variable& named(const std::string& name) const {
    for (const Variable& variable : variables_) {
      const auto& called = variable.called;
      if (variable.shown.name() == name || std::find(called.begin(), called.end(), name) != called.end())
        return variable;
    }
    throw usage(fmt::format("--cross: the plan has no column \"{}\"", name),
                "name two of its columns: released, known, or the secret");
  }

  PreviewCross cross(const std::pair<std::string, std::string>& names) const {
    const Variable &a = named(names.first), &b = named(names.second);
    if (&a == &b) throw usage("--cross: a column is named twice", "name two of the plan's columns");
    PreviewCross result{a.shown.name(), b.shown.name(), a.shown.labels(), b.shown.labels(), {}, {}};
    result.before = cells(a, b, before(a), before(b));
    result.after = cells(a, b, after(a), after(b));
    return result;
  }

  static std::vector<std::vector<double>> cells(const Variable& a, const Variable& b,
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

  void add_notes(Preview& preview) const {
    auto& notes = preview.notes;
    notes.push_back(fmt::format("after: averages over {} simulated draws, not the release", drawn_.draws));
    if (rows_.rows && drawn_.each < *rows_.rows)
      notes.push_back(fmt::format("each draw is of {} rows in the proportions of the table's {}", drawn_.each,
                                  *rows_.rows));
    if (!rows_.rows) notes.emplace_back("the plan does not count rows: before are its frequencies");
    if (variables_.size() > kMostAssociated)
      notes.push_back(
          fmt::format("associations are those of the first {} columns and the secret", kMostAssociated - 1));
    if (!scenario_.source) return;
    const Source& source = *scenario_.source;
    if (source.weight)
      notes.emplace_back(
          "shares are weighted; by how much a release differs is said as if rows weighed the same");
    if (source.has_strata() && !source.left_out.empty())
      notes.emplace_back(
          "people of small groups of the known columns are not released, and not counted here");
    if (source.has_strata() && !source.merged.empty())
      notes.emplace_back("people of small groups of the known columns are released without them: left blank");
    if (scenario_.rows_per_person() > 1)
      notes.emplace_back("people have several rows: each counts as often as it is released");
    if (source.missing == Missing::kDrop)
      notes.emplace_back("rows with a missing field are not released, and not counted here");
  }

  const Scenario& scenario_;
  const PlanRows rows_;
  const DrawnRows drawn_;
  const std::vector<double> ones_;
  std::vector<Variable> variables_;
};

}  // namespace

Preview preview_of(const Plan& plan, const PreviewOptions& options) {
  if (options.draws && (*options.draws < 1 || *options.draws > kMostDraws))
    throw usage(fmt::format("--draws: this must be from 1 to {}", kMostDraws), "leave it out, or write 20");
  if (options.sample > kMostSampleRows)
    throw usage(fmt::format("--rows: this must be at most {}", kMostSampleRows), "leave it out, or write 10");
  Preview preview = PreviewMaker(plan, options).make(options);
  preview.leakage = options.leakage ? *options.leakage : leakage_of(plan.scenario, plan.mechanism);
  std::optional<PreviewSample> rows;
  if (options.table) {
    rows = sample_of_table(plan, *options.table, options.sample);
    if (!rows)
      preview.notes.emplace_back(
          "rows of each person are drawn first: the rows shown are drawn from the plan");
  }
  preview.sample = rows ? std::move(*rows) : sample_of_plan(plan, options.sample);
  return preview;
}

}  // namespace fugu::inline in_preview
