#include "fugu/release/arrow_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fugu/core/error.h"
#include "fugu/release/arrow_row_reader.h"
#include "fugu/release/count_check.h"
#include "fugu/release/kept_columns.h"
#include "fugu/release/released_values.h"
#include "fugu/table/row_key.h"
#include "fugu/verify/verify.h"

namespace fugu::inline in_release {
namespace {

Error another_table(const std::string& first) {
  return Error(
      ErrorKind::kGuarantee, "the table is not the one that the plan was made from",
      first + "calibrate again; or, if this is new data that the plan's prior describes, give new_data=True");
}

std::vector<ReleasedValues> written_by(const std::vector<ColumnRelease>& columns) {
  std::vector<ReleasedValues> values;
  for (const ColumnRelease& column : columns)
    values.emplace_back(column.map, kNoSeparator, inputs_of(column));
  return values;
}

// By value, all secrets together.
std::vector<std::pair<int64_t, uint64_t>> values_in(const CellCounts& counts) {
  std::map<int64_t, uint64_t> values;
  for (const auto& [cell, count] : counts) values[std::get<2>(cell)] += count;
  return {values.begin(), values.end()};
}

// The texts of a row of RowCounts.
std::vector<Field> fields_of(std::string_view row) {
  std::vector<Field> fields;
  for (std::string_view text : texts_in(row)) fields.push_back({text, {}});
  return fields;
}

// Counts the rows; Error (usage) where people come again.
void add_all(RowSource& rows, const RowLayout& layout, RowReader& reader, const Progress& progress) {
  std::vector<size_t> fields(layout.wanted.begin(),
                             layout.wanted.begin() + static_cast<ptrdiff_t>(layout.terms.fields()));
  if (layout.weight) fields.push_back(layout.wanted[*layout.weight]);
  const RowCounts counted = rows.count(
      fields, [](const Field*, uint64_t) {}, progress, layout.watched);
  try {
    for (const Tally::Entry& row : counted.rows.entries()) {
      const std::vector<Field> texts = fields_of(row.key);
      const uint32_t number = reader.number(texts.data(), row.line);
      if (layout.weight) {
        reader.add_weighted(number, texts.back().text, row.line, row.count);
      } else {
        reader.add(number, row.count);
      }
    }
  } catch (const Error& error) {
    throw error.at(rows.head().file);
  }
  check_people(rows.head(), layout.watched, counted.watched);
}

}  // namespace

ArrowRelease::ArrowRelease(const Plan& plan, uint64_t publish_min)
    : plan_(plan), columns_(column_releases(plan)), draw_(plan) {
  verify(plan);
  check_publishable(plan, publish_min);
}

bool ArrowRelease::is_alone(const ArrowTable& table) const {
  if (table.columns() != 1 || columns_.size() != 1) return false;
  const auto& source = plan_.scenario.source;
  return !table.is_table() || !source || source->published.empty() ||
         table.head().header.front() == source->published.front();
}

ReleaseColumns ArrowRelease::columns_in(const TableHead& head, const TableReleaseOptions& options,
                                        bool counted) const {
  check_new_data(options.new_data, plan_);
  ReleaseRequest request;
  request.new_data = options.new_data;
  request.drop = options.drop;
  request.keep = options.keep;
  request.rows_independent = options.rows_independent;
  request.same_rows = counted && !options.drop;  // to be dropped for its secret, a row must have it
  request.named = options.new_data;  // the names of all columns are looked at where the table is whole
  ReleaseColumns columns = find_release_columns(request, plan_, head, columns_.size());
  columns.rows.terms.keeps = columns.rows.terms.keeps || options.beside_others;
  return columns;
}

RowLayout ArrowRelease::layout_of(const ArrowTable& table, const TableReleaseOptions& options,
                                  bool counted) const {
  if (!is_alone(table)) return columns_in(table.head(), options, counted).rows;
  if (plan_.scenario.source && plan_.scenario.source->person) {
    throw usage("the plan takes one row per person, and this is a single column",
                "give the whole table, with the secret and the column that says whose row it is");
  }
  if (plan_.scenario.source && plan_.scenario.source->has_strata()) {
    throw usage("the plan has known columns, and this is a single column",
                "give the whole table: the draw depends on the known columns");
  }
  return layout_of_column(
      table, columns_.front(),
      {options.drop, options.beside_others || !options.keep.empty(), options.new_data || counted});
}

std::unique_ptr<ChosenRows> ArrowRelease::choose(RowSource& rows, const TableReleaseOptions& options,
                                                 const Progress& progress) const {
  if (!plan_.scenario.source || !plan_.scenario.source->person) return nullptr;
  RowLayout layout = columns_in(rows.head(), options, false).rows;
  const std::vector<ReleasedValues> values = written_by(columns_);
  for (const ReleasedValues& column : values) layout.terms.maps.push_back(&column.fields());
  return std::make_unique<ChosenRows>(rows, layout, plan_.scenario, progress);
}

void ArrowRelease::compare_counts(RowSource& rows, const TableReleaseOptions& options,
                                  const Progress& progress) const {
  ReleaseColumns columns = columns_in(rows.head(), options, false);
  const std::vector<ReleasedValues> values = written_by(columns_);
  for (const ReleasedValues& column : values) columns.rows.terms.maps.push_back(&column.fields());
  RowReader reader(columns.rows);
  CellCounts counts;
  LabelsSeen seen;
  if (columns.rows.person) {
    const ChosenRows chosen(rows, columns.rows, plan_.scenario, progress);
    for (size_t k = 0; k < chosen.size(); ++k) {
      const uint32_t number = reader.number(fields_of(chosen.texts(k)).data(), chosen.line(k));
      reader.check_taken(number, chosen.line(k));
      reader.add(number, chosen.times(k));
    }
  } else {
    add_all(rows, columns.rows, reader, progress);
  }
  reader.check_labels(seen);
  check_names(rows.head(), seen.names, columns.rows.wanted, columns.header);
  if (plan_.scenario.rows_per_person() > 1) return;  // compared when the rows were chosen
  CellMasses masses;
  reader.collect(plan_.scenario.points, counts, masses);
  if (!are_counts_of(plan_.scenario, counts, masses)) throw another_table("");
}

void check_kept(const Plan& plan, const std::vector<std::string>& keep,
                const std::vector<std::string>& keep_unprotected) {
  const Source source = plan.scenario.source.value_or(Source{});
  auto among = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : keep_unprotected) {
    if (among(source.secret, name))
      throw usage(fmt::format("--keep-unprotected: column '{}' is the secret", name),
                  "the secret is never written");
    if (among(source.published, name)) {
      throw usage(fmt::format("--keep-unprotected: column '{}' is released already", name),
                  "leave it out: it is written with its noise");
    }
    if (among(source.known, name)) {
      throw usage(fmt::format("--keep-unprotected: column '{}' is known, and written in any case", name),
                  "leave it out");
    }
  }
  if (!keep.empty()) check_keeps_given(source, keep);
}

std::unique_ptr<ArrowParts> ArrowRelease::parts(const ArrowTable& like, const TableReleaseOptions& options,
                                                ChosenRows* chosen) const {
  return std::make_unique<ArrowParts>(like, layout_of(like, options, true), columns_, draw_, chosen);
}

std::vector<std::string> ArrowRelease::columns_of_parts(const ArrowTable& like,
                                                        const TableReleaseOptions& options) const {
  std::vector<std::string> names;
  for (const size_t column : layout_of(like, options, true).wanted)
    names.push_back(like.head().header[column]);
  return names;
}

std::vector<uint8_t> ArrowRelease::rows_to_leave_out(const ArrowTable& table,
                                                     const TableReleaseOptions& options) const {
  RowLayout layout = layout_of(table, options, true);
  const std::vector<ReleasedValues> values = written_by(columns_);
  for (const ReleasedValues& column : values) layout.terms.maps.push_back(&column.fields());
  ArrowRowReader reader(table, layout);
  std::vector<uint8_t> left_out;
  std::vector<uint32_t> numbers;
  try {
    for (size_t chunk = 0; chunk < table.chunks(); ++chunk) {
      reader.read(table, chunk, 0, table.rows(chunk), left_out.size() + 1, numbers);
      for (uint32_t number : numbers)
        left_out.push_back(reader.rows().placed(number).kind == Placed::kValue ? 0 : 1);
    }
  } catch (const Error& error) {
    throw error.at(table.head().file);
  }
  LabelsSeen seen;
  reader.rows().check_labels(seen);
  return left_out;
}

ArrowReleased ArrowRelease::release(const ArrowTable& table, const TableReleaseOptions& options,
                                    const Progress& progress) const {
  const bool alone = is_alone(table);
  LabelsSeen seen;
  const RowLayout layout = layout_of(table, options, false);
  ArrowRows rows(table);
  const std::unique_ptr<ChosenRows> chosen = alone ? nullptr : choose(rows, options, progress);
  ArrowReleased released =
      release_arrow(table, layout, columns_, draw_, plan_.scenario.points, seen, progress, chosen.get());
  if (!alone) check_people(table.head(), layout.watched, released.watched);
  if (options.new_data) return released;
  if (alone && !are_values_of(plan_.scenario, values_in(released.counts)))
    throw another_table("give the whole table, with the secret; ");
  if (alone) return released;
  check_names(table.head(), seen.names, layout.wanted, true);
  if (plan_.scenario.rows_per_person() > 1) return released;  // compared when the rows were chosen
  if (!are_counts_of(plan_.scenario, released.counts, released.masses)) throw another_table("");
  return released;
}

}  // namespace fugu::inline in_release
