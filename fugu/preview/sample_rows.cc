#include "fugu/preview/sample_rows.h"

#include "fugu/core/error.h"
#include "fugu/csv/chunk_scan.h"
#include "fugu/preview/compared_columns.h"
#include "fugu/release/arrow_row_reader.h"
#include "fugu/release/release_columns.h"
#include "fugu/release/released_values.h"
#include "fugu/table/row_key.h"

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

// The known columns, then the released ones; without names by their numbers.
std::vector<std::string> names_of(const Scenario& scenario) {
  std::vector<std::string> names;
  const Source source = scenario.source.value_or(Source{});
  for (const std::string& name : source.known) names.push_back(listed(source, {name}));
  for (size_t c = 0; c < scenario.released_columns(); ++c)
    names.push_back(c < source.published.size() ? listed(source, {source.published[c]})
                                                : column_name(scenario, c));
  return names;
}

// The known columns: of small strata together the plan does not say what they are, and nothing is written.
std::vector<std::string> known_texts(const Prior& prior, size_t columns, bool written) {
  std::vector<std::string> texts;
  for (size_t k = 0; k < columns; ++k) {
    const std::string text = known_text(prior, columns, k);
    texts.push_back(text != kLeftBlank ? text : written ? "" : "(small group)");
  }
  return texts;
}

void append(const RowSimulation& simulation, const std::vector<std::vector<int64_t>>& index, bool held,
            std::vector<std::vector<std::string>>& rows) {
  for (size_t c = 0; c < index.size(); ++c) {
    const TextOfValue text(simulation.columns()[c], held);
    for (size_t row = 0; row < index[c].size(); ++row) rows[row].push_back(text(index[c][row]));
  }
}

// What a release would make of the first rows of a table, one after the other.
class FirstRows {
 public:
  FirstRows(const Plan& plan, const ReleaseRequest& request, const TableHead& head, size_t count)
      : plan_(plan),
        none_{.values = std::vector<std::vector<int64_t>>(plan.scenario.released_columns())},
        simulation_(plan, none_),
        count_(count),
        index_(none_.values.size()) {
    for (const ColumnRelease& column : simulation_.columns())
      values_.emplace_back(column.map, kNoSeparator, inputs_of(column));
    layout_ = find_release_columns(request, plan, head, values_.size()).rows;
    for (const ReleasedValues& column : values_) layout_.terms.maps.push_back(&column.fields());
    if (simulation_.draw().is_whole()) layout_.draw = &simulation_.draw();
    sample_.columns = names_of(plan.scenario);
    sample_.of_table = true;
  }

  const RowLayout& layout() const { return layout_; }
  bool is_full() const { return sample_.before.size() >= count_; }

  void take(const RowReader& rows, uint32_t number) {
    const Placed placed = rows.placed(number);
    if (placed.kind != Placed::kValue) return;
    const RowTerms& terms = layout_.terms;
    const std::vector<std::string_view> texts = texts_in(rows.texts(number));
    const bool hidden = rows.stratum(number).kind == Stratum::kMerged;
    auto& before = sample_.before.emplace_back();
    auto& after = sample_.after.emplace_back();
    for (size_t k = 0; k < plan_.scenario.source->known.size(); ++k) {
      before.emplace_back(texts[terms.secrets + k]);
      after.push_back(hidden ? "" : before.back());
    }
    for (size_t c = 0; c < terms.released; ++c) before.emplace_back(texts[terms.published() + c]);
    sample_.secrets.push_back(rows.secret(number));
    if (layout_.draw) {
      index_[0].push_back(placed.index);
    } else {
      const Point& value = rows.value(number);
      for (size_t c = 0; c < value.size(); ++c) index_[c].push_back(value[c]);
    }
  }

  PreviewSample finish() {
    SecureRandom random;
    simulation_.release(random, index_);
    append(simulation_, index_, true, sample_.after);
    return std::move(sample_);
  }

 private:
  const Plan& plan_;
  const PlanRows none_;
  const RowSimulation simulation_;
  const size_t count_;
  std::vector<ReleasedValues> values_;
  RowLayout layout_;
  std::vector<std::vector<int64_t>> index_;
  PreviewSample sample_;
};

// Whether the first rows of a table can be shown: not where rows of each person are drawn.
bool has_first_rows(const Plan& plan) {
  if (!plan.scenario.source)
    throw usage("TABLE: the plan does not name the columns of a table", "leave the table out");
  return !plan.scenario.source->person;
}

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
    sample.before.push_back(known_texts(*rows.prior[entry], known, false));
    sample.after.push_back(known_texts(*rows.prior[entry], known, true));
    sample.secrets.push_back(plan.scenario.secrets[rows.secret[entry]]);
    for (size_t c = 0; c < before.size(); ++c) before[c].push_back(rows.values[c][entry]);
  }
  append(simulation, before, false, sample.before);
  append(simulation, simulation.release(random, entries), true, sample.after);
  return sample;
}

std::optional<PreviewSample> sample_of_table(const Plan& plan, const ReleaseRequest& table, size_t count) {
  if (!has_first_rows(plan)) return std::nullopt;
  ReleaseInput input(table, plan.scenario.source->header);
  FirstRows first(plan, table, input.head(), count);
  input.check(first.layout());
  input.select(first.layout(), false, false);
  RowReader rows(first.layout());
  ChunkScanner scanner(input.layout());
  uint64_t line = input.reader().first_line();
  auto visit = [&](const Field* fields, uint64_t at, std::string_view) {
    if (!first.is_full()) first.take(rows, rows.number(fields, at));
  };
  try {
    for (Chunk chunk; !first.is_full() && input.reader().next(chunk);)
      line += scanner.scan(chunk, line, visit).lines;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kData) throw;
    throw error.at(input.head().file);
  }
  return first.finish();
}

std::optional<PreviewSample> sample_of_table(const Plan& plan, const ArrowTable& table, size_t count) {
  if (!has_first_rows(plan)) return std::nullopt;
  FirstRows first(plan, {.rows_independent = true}, table.head(), count);
  ArrowRowReader reader(table, first.layout());
  std::vector<uint32_t> numbers;
  uint64_t row = 1;
  try {
    for (size_t chunk = 0; chunk < table.chunks(); ++chunk) {
      for (int64_t from = 0; from < table.rows(chunk) && !first.is_full(); ++from) {
        reader.read(table, chunk, from, 1, row++, numbers);
        first.take(reader.rows(), numbers.front());
      }
    }
  } catch (const Error& error) {
    throw error.at(table.head().file);
  }
  return first.finish();
}

}  // namespace fugu::inline in_preview
