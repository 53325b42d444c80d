#include "fugu/preview/sample_rows.h"

#include "fugu/core/error.h"
#include "fugu/csv/chunk_scan.h"
#include "fugu/release/release_columns.h"
#include "fugu/release/released_values.h"

namespace fugu::inline in_preview {
namespace {

// How values are written: as a release writes them, and as the table has them.
class TextOfValue {
 public:
  // `held`: within the range that released values are held within.
  TextOfValue(const ColumnRelease& column, bool held)
      : shape_(column.map.source.shape()), values_(map_of(column.map, held), kNoSeparator) {}

  std::string operator()(int64_t index) const {
    if (shape_.is_categorical() && index >= 1 && index <= static_cast<int64_t>(shape_.labels.size()))
      return shape_.labels[static_cast<size_t>(index) - 1];
    std::string text(values_.longest() + 16, '\0');
    text.resize(static_cast<size_t>(values_.write(text.data(), index) - text.data()));
    return text;
  }

 private:
  static ColumnMap map_of(ColumnMap map, bool held) {
    map.clamps = map.clamps && (held || map.source.shape().is_categorical());
    return map;
  }

  const ColumnShape& shape_;
  const ReleasedValues values_;
};

std::vector<std::string> names_of(const Scenario& scenario) {
  std::vector<std::string> names;
  if (!scenario.source) {
    for (size_t c = 0; c < scenario.released_columns(); ++c) names.push_back(column_name(scenario, c));
    return names;
  }
  for (const auto* list : {&scenario.source->known, &scenario.source->published}) {
    for (const std::string& name : *list) names.push_back(listed(*scenario.source, {name}));
  }
  return names;
}

// What is written of the known columns: of small strata together, nothing.
std::vector<std::string> known_texts(const std::vector<std::string>& known, size_t columns) {
  if (columns == 0) return {};
  if (known.size() != columns || known == std::vector<std::string>{kOtherGroups})
    return std::vector<std::string>(columns);
  return known;
}

void append(const RowSimulation& simulation, const std::vector<std::vector<int64_t>>& index, bool held,
            std::vector<std::vector<std::string>>& rows) {
  for (size_t c = 0; c < index.size(); ++c) {
    const TextOfValue text(simulation.columns()[c], held);
    for (size_t row = 0; row < index[c].size(); ++row) rows[row].push_back(text(index[c][row]));
  }
}

// Reads the first rows of a table that a release would write.
class FirstRows {
 public:
  FirstRows(const Plan& plan, const ReleaseRequest& table, const RowSimulation& simulation)
      : plan_(plan), simulation_(simulation), input_(table, plan.scenario.source->header) {
    for (const ColumnRelease& column : simulation.columns())
      values_.emplace_back(column.map, kNoSeparator, inputs_of(column));
    columns_ = find_release_columns(table, plan, input_.head(), values_.size());
    for (const ReleasedValues& column : values_) columns_.rows.terms.maps.push_back(&column.fields());
    if (simulation.draw().is_whole()) columns_.rows.draw = &simulation.draw();
    input_.check(columns_.rows);
    input_.select(columns_.rows);
  }

  PreviewSample read(size_t count) {
    PreviewSample sample{.columns = names_of(plan_.scenario), .of_table = true};
    RowReader rows(columns_.rows);
    ChunkScanner scanner(input_.layout());
    std::vector<std::vector<int64_t>> index(values_.size());
    uint64_t line = input_.reader().first_line();
    auto visit = [&](const Field* fields, uint64_t at, std::string_view) {
      if (sample.before.size() < count) take(fields, rows, rows.number(fields, at), index, sample);
    };
    try {
      for (Chunk chunk; sample.before.size() < count && input_.reader().next(chunk);)
        line += scanner.scan(chunk, line, visit).lines;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kData) throw;
      throw error.at(input_.head().file);
    }
    SecureRandom random;
    simulation_.release(random, index);
    append(simulation_, index, true, sample.after);
    return sample;
  }

 private:
  void take(const Field* fields, const RowReader& rows, uint32_t number,
            std::vector<std::vector<int64_t>>& index, PreviewSample& sample) const {
    const Placed placed = rows.placed(number);
    if (placed.kind != Placed::kValue) return;
    const RowTerms& terms = columns_.rows.terms;
    const size_t known = plan_.scenario.source->known.size();
    const bool hidden = rows.stratum(number).kind == Stratum::kMerged;
    auto& before = sample.before.emplace_back();
    auto& after = sample.after.emplace_back();
    for (size_t k = 0; k < known; ++k) {
      before.emplace_back(fields[terms.secrets + k].text);
      after.push_back(hidden ? "" : before.back());
    }
    for (size_t c = 0; c < terms.released; ++c) before.emplace_back(fields[terms.published() + c].text);
    sample.secrets.push_back(rows.secret(number));
    if (columns_.rows.draw) {
      index[0].push_back(placed.index);
    } else {
      const Point& value = rows.value(number);
      for (size_t c = 0; c < value.size(); ++c) index[c].push_back(value[c]);
    }
  }

  const Plan& plan_;
  const RowSimulation& simulation_;
  ReleaseInput input_;
  std::vector<ReleasedValues> values_;
  ReleaseColumns columns_;
};

}  // namespace

PreviewSample sample_of_plan(const Plan& plan, size_t count) {
  const PlanRows rows = plan_rows(plan.scenario);
  const RowSimulation simulation(plan, rows);
  SecureRandom random;
  const std::vector<uint32_t> entries = random_rows(rows, count, random);
  PreviewSample sample{.columns = names_of(plan.scenario)};
  const size_t known = plan.scenario.source ? plan.scenario.source->known.size() : 0;
  std::vector<std::vector<int64_t>> before(rows.values.size());
  for (uint32_t entry : entries) {
    sample.before.push_back(known_texts(rows.prior[entry]->known, known));
    sample.secrets.push_back(plan.scenario.secrets[rows.secret[entry]]);
    for (size_t c = 0; c < before.size(); ++c) before[c].push_back(rows.values[c][entry]);
  }
  sample.after = sample.before;
  append(simulation, before, false, sample.before);
  append(simulation, simulation.release(random, entries), true, sample.after);
  return sample;
}

std::optional<PreviewSample> sample_of_table(const Plan& plan, const ReleaseRequest& table, size_t count) {
  if (plan.scenario.source && plan.scenario.source->person) return std::nullopt;
  if (!plan.scenario.source)
    throw usage("TABLE: the plan does not name the columns of a table", "leave the table out");
  const PlanRows none{.values = std::vector<std::vector<int64_t>>(plan.scenario.released_columns())};
  const RowSimulation simulation(plan, none);
  return FirstRows(plan, table, simulation).read(count);
}

}  // namespace fugu::inline in_preview
