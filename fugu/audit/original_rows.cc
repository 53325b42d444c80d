#include "fugu/audit/original_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "fugu/core/error.h"
#include "fugu/count/table_count.h"
#include "fugu/csv/chunk_scan.h"
#include "fugu/csv/chunks.h"
#include "fugu/release/count_check.h"
#include "fugu/release/released_values.h"
#include "fugu/release/row_reader.h"

namespace fugu::inline in_audit {
namespace {

class OriginalReader {
 public:
  OriginalReader(const Plan& plan, const OriginalTable& table)
      : scenario_(plan.scenario),
        source_(*plan.scenario.source),
        reader_(table.path, {.separator = table.separator, .header = source_.header}),
        keeps_fields_(table.fields) {
    for (const ColumnRelease& column : column_releases(plan))
      values_.emplace_back(column.map, reader_.head().separator, inputs_of(column));
    add(source_.secret);
    rows_.terms.secrets = rows_.wanted.size();
    rows_.terms.given_names = group_prefixes(source_.grouping(), source_.header);
    if (source_.has_strata()) rows_.terms.strata = std::make_shared<const Strata>(scenario_);
    for (const Prior* prior : scenario_.own_priors())
      own_[prior->known] = static_cast<size_t>(prior - scenario_.priors.data());
    add(source_.grouping());
    rows_.terms.given = source_.grouping().size();
    add(source_.published);
    if (source_.weight) {
      rows_.weight = rows_.wanted.size();
      add({source_.weight->column});
    }
    rows_.terms.released = source_.published.size();
    rows_.name = reader_.head().name();
    rows_.terms.na = source_.na;
    rows_.terms.missing = source_.missing;
    for (const ReleasedValues& column : values_) rows_.terms.maps.push_back(&column.fields());
  }

  OriginalRows read(bool drop) {
    OriginalRows found;
    found.truth.resize(values_.size());
    name_columns(found);
    found.strata = rows_.terms.strata;
    rows_.terms.drop = drop;
    RowReader rows(rows_);
    ChunkScanner scanner(reader_.layout(rows_.wanted));
    uint64_t line = reader_.first_line();
    auto visit = [&](const Field* fields, uint64_t at, std::string_view) {
      const uint32_t number = rows.number(fields, at);
      if (rows_.weight) {
        rows.add_weighted(number, fields[*rows_.weight].text, at);
      } else {
        rows.add(number);
      }
      if (rows.placed(number).kind != Placed::kValue) return;
      found.secret.push_back(secret_of(rows.secret(number)));
      keep_fields(fields, rows.stratum(number).kind == Stratum::kMerged, found);
      if (found.strata) found.known.push_back(rows.stratum(number).known);
      found.prior.push_back(found.strata ? own_.at(*found.known.back()) : 0);
      const Point& point = rows.value(number);
      for (size_t c = 0; c < point.size(); ++c) found.truth[c].push_back(point[c]);
    };
    try {
      for (Chunk chunk; reader_.next(chunk);) line += scanner.scan(chunk, line, visit).lines;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kData) throw;
      throw error.at(reader_.head().file);
    }
    CellCounts counts;
    LabelsSeen seen;
    rows.check_labels(seen);
    CellMasses masses;
    rows.collect(scenario_.points, counts, masses);
    found.is_the_plans = are_counts_of(scenario_, counts, masses);
    return found;
  }

 private:
  void add(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      rows_.wanted.push_back(reader_.head().column(name, "--original"));
      rows_.places.push_back(reader_.head().column_place(rows_.wanted.back()));
    }
  }

  void name_columns(OriginalRows& found) const {
    const std::vector<std::string>& header = reader_.head().header;
    for (size_t k = 0; k < rows_.terms.fields() && !header.empty(); ++k) {
      const std::string& name = header[rows_.wanted[k]];
      const bool secret = k < rows_.terms.secrets, given = !secret && k < rows_.terms.published();
      if (!given) (secret ? found.secret_names : found.released_names).push_back(name);
      if (keeps_fields_) (given ? found.given : found.hidden).emplace_back(name);
    }
  }

  // `hidden`: what is known was not written.
  void keep_fields(const Field* fields, bool hidden, OriginalRows& found) const {
    for (size_t h = 0; h < found.hidden.size(); ++h)
      found.hidden[h].add(fields[h < rows_.terms.secrets ? h : h + rows_.terms.given].text);
    for (size_t g = 0; g < found.given.size(); ++g)
      found.given[g].add(hidden ? std::string_view() : fields[rows_.terms.secrets + g].text);
  }

  uint32_t secret_of(const std::string& label) const {
    const auto& secrets = scenario_.secrets;
    return static_cast<uint32_t>(std::find(secrets.begin(), secrets.end(), label) - secrets.begin());
  }

  const Scenario& scenario_;
  const Source& source_;
  ChunkReader reader_;
  const bool keeps_fields_;
  std::map<std::vector<std::string>, size_t> own_;  // priors of the table itself, by what is known
  std::vector<ReleasedValues> values_;
  RowLayout rows_;
};

}  // namespace

Outputs OriginalRows::outputs(const AuditedRows& rows, size_t of_prior, uint32_t number) const {
  Outputs result;
  for (const AuditedColumn& column : rows.columns) {
    result.emplace_back();
    for (size_t row = 0; row < secret.size(); ++row) {
      if (prior[row] == of_prior && secret[row] == number) result.back().push_back(column.released[row]);
    }
  }
  return result;
}

OriginalRows read_original(const Plan& plan, const OriginalTable& table, const ReleasedSize& released) {
  if (plan.scenario.source && plan.scenario.source->person) {
    throw Error(ErrorKind::kUsage,
                "--original: the plan takes one row per person, and does not say which of two equal rows",
                "audit the plan by itself, without files");
  }
  // The release may have been told to leave rows out: --missing drop.
  std::optional<uint64_t> rows;
  for (const bool drop : {false, true}) {
    try {
      OriginalRows found = OriginalReader(plan, table).read(drop);
      if (found.secret.size() == released.rows) return found;
      if (!rows) rows = found.secret.size();
    } catch (const Error& error) {
      if (drop || error.kind() != ErrorKind::kData) throw;
    }
  }
  throw Error(ErrorKind::kData,
              fmt::format("{}: these are not the rows that were released: {} here, {} in {}", table.path,
                          *rows, released.rows, released.path),
              "give the table that the release was made from; one that was shuffled cannot be audited");
}

}  // namespace fugu::inline in_audit
