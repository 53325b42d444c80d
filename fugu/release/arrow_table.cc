#include "fugu/release/arrow_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "fugu/core/error.h"
#include "fugu/release/arrow_marks.h"
#include "fugu/release/count_check.h"
#include "fugu/release/kept_columns.h"
#include "fugu/release/left_out_row.h"
#include "fugu/release/released_values.h"
#include "fugu/verify/verify.h"

namespace fugu {
namespace {

Missing missing_of(const Source& source) {
  return source.missing == "drop"   ? Missing::kDrop
         : source.missing == "keep" ? Missing::kKeep
                                    : Missing::kError;
}

Error another_table(const std::string& first) {
  return Error(
      ErrorKind::kGuarantee, "the table is not the one that the plan was made from",
      first + "calibrate again; or, if this is new data that the plan's prior describes, say new_data=True");
}

// A row, from 0, and a column, for messages.
std::string place_of(const ArrowTable& table, size_t row, size_t column) {
  return table.head().name().row(row + 1) + ", " + table.head().column_place(column);
}

}  // namespace

ArrowRelease::ArrowRelease(const Plan& plan, uint64_t publish_min)
    : plan_(plan), columns_(column_releases(plan)) {
  verify(plan);
  check_publishable(plan, publish_min);
}

bool ArrowRelease::is_alone(const ArrowTable& table) const {
  if (table.columns() != 1 || columns_.size() != 1) return false;
  const auto& source = plan_.scenario.source;
  return !table.is_table() || !source || source->published.empty() ||
         table.head().header.front() == source->published.front();
}

void ArrowRelease::compare_counts(RowSource& rows, bool drop, const Progress& progress) const {
  const auto& source = plan_.scenario.source;
  if (!source || source->secret.empty() || source->published.size() != columns_.size()) {
    throw usage("the plan does not name the columns of a table",
                "calibrate from a table, or say new_data=True to release without comparing");
  }
  TableColumns columns;
  columns.secret = source->secret;
  columns.given = source->given;
  columns.published = source->published;
  columns.na = source->na;
  columns.missing = drop ? Missing::kDrop : missing_of(*source);
  const CountedTable counted = count_table(columns, progress, {}, &rows);
  if (!are_counts_of(plan_.scenario, cells_of(counted))) throw another_table("");
}

void check_kept(const Plan& plan, const std::vector<std::string>& keep,
                const std::vector<std::string>& keep_unprotected, bool new_data) {
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
  }
  if (keep.empty()) return;
  check_keeps_given(source, keep);
  // What a missing field looks like may go with the secret, and new rows may be of groups without a prior.
  if (new_data || !source.na.empty() || source.missing == "keep") {
    throw usage("--keep: here it takes the plan's own table, and fields that are missing in one way only",
                "release with fugu release --keep, which writes each group in one way");
  }
}

CellCounts ArrowRelease::cells_of(const CountedTable& counted) const {
  std::vector<std::vector<Placed>> placed(columns_.size());  // of each distinct text
  for (size_t c = 0; c < columns_.size(); ++c) {
    const ReleasedValues values(columns_[c].map, ',', inputs_of(columns_[c].mechanism));
    for (const Tally::Entry& text : counted.published[c].values.entries()) {
      const bool missing = counted.published[c].missing == placed[c].size();
      placed[c].push_back(values.place(missing ? std::string_view() : text.key));
    }
  }
  CellCounts cells;
  for (const CountedTable::Cell& cell : counted.cells) {
    const std::string group =
        counted.given_columns.empty() ? "" : std::string(counted.groups[cell.group].key);
    cells[{group, std::string(counted.secrets[cell.secret].key), atom_of(counted, cell.value, placed)}] +=
        cell.count;
  }
  return cells;
}

std::vector<uint8_t> ArrowRelease::unknown_secrets(const ArrowTable& table, bool drop) const {
  const auto& source = plan_.scenario.source;
  if (!table.is_table() || !source || source->secret.empty()) return {};
  const TableHead& head = table.head();
  std::vector<size_t> columns;
  for (const std::string& name : source->secret) {
    if (std::count(head.header.begin(), head.header.end(), name) == 0) return {};  // it need not have it
    columns.push_back(head.column(name, "secret"));
  }
  const auto& secrets = plan_.scenario.secrets;
  const std::set<std::string, std::less<>> known(secrets.begin(), secrets.end());
  const std::vector<std::string> names(columns.size());  // nothing stands before a secret's texts
  const bool keeps_missing = source->missing == "keep";
  MissingTexts missing;
  std::vector<uint8_t> flags(table.rows());
  mark(table, columns, flags, [&](const std::vector<std::string_view>& texts) {
    JoinedLabel secret;
    for (size_t k = 0; k < texts.size(); ++k) {
      const bool gone = means_missing(texts[k], source->na);
      if (gone ? !keeps_missing || drop : keeps_missing && texts[k] == kMissingLabel) return true;
      if (gone && !missing.add(k, texts[k]))
        throw missing_in_two_ways(head.file + ": " + head.column_place(columns[k]));
      secret.add("", gone ? std::string_view(kMissingLabel) : texts[k]);
    }
    return !known.contains(secret.label) || !splits_once(secret.label, names);
  });
  return flags;
}

void ArrowRelease::check_secrets(const ArrowTable& table, const TableReleaseOptions& options,
                                 std::vector<uint8_t>& left_out) const {
  const std::vector<uint8_t> unknown = unknown_secrets(table, options.drop);
  if (unknown.empty()) return;
  left_out.resize(table.rows());
  const std::vector<std::string>& secret = plan_.scenario.source->secret;
  for (size_t row = 0; row < unknown.size(); ++row) {
    if (!unknown[row] || left_out[row]) continue;
    const std::string where = place_of(table, row, table.head().column(secret[0], "secret"));
    if (!options.drop) {
      throw Error(
          ErrorKind::kData, where + ": the plan does not know this secret",
          fmt::format("the plan promises nothing for it: calibrate with a table that has it, or leave "
                      "such rows out{}",
                      secret.size() == 1 ? "" : "; where values hold ' & ', replace that first"));
    }
    if (options.beside_kept) throw seen_to_be_left_out(where);
    left_out[row] = 1;
  }
}

// What is no value of the plan is an atom that no plan has.
int64_t ArrowRelease::atom_of(const CountedTable& counted, size_t value,
                              const std::vector<std::vector<Placed>>& placed) const {
  constexpr int64_t kNone = INT64_MIN;
  if (columns_.size() == 1) return placed[0][value].kind == Placed::kValue ? placed[0][value].index : kNone;
  Point point;
  for (size_t c = 0; c < columns_.size(); ++c) {
    const Placed& here = placed[c][counted.joint[value][c]];
    if (here.kind != Placed::kValue) return kNone;
    point.push_back(here.index);
  }
  const auto& points = plan_.scenario.points;
  const auto found = std::lower_bound(points.begin(), points.end(), point);
  return found != points.end() && *found == point ? found - points.begin() : kNone;
}

// For a missing field of another column of the plan.
std::vector<uint8_t> ArrowRelease::rows_to_leave_out(const ArrowTable& table,
                                                     const TableReleaseOptions& options) const {
  const auto& source = plan_.scenario.source;
  if (!table.is_table() || !source || !(options.drop || source->missing == "drop")) return {};
  std::vector<uint8_t> flags(table.rows());
  std::vector<std::string> others = source->given;
  others.insert(others.end(), source->secret.begin(), source->secret.end());
  const auto& header = table.head().header;
  for (const std::string& name : others) {
    if (std::count(header.begin(), header.end(), name) == 0) continue;  // new data need not have it
    const size_t column = table.head().column(name, "given");
    mark(table, column, flags, [&](std::string_view text) { return means_missing(text, source->na); });
    const auto gone = options.beside_kept ? std::find(flags.begin(), flags.end(), 1) : flags.end();
    if (gone != flags.end())
      throw seen_to_be_left_out(place_of(table, static_cast<size_t>(gone - flags.begin()), column));
  }
  return flags;
}

std::vector<size_t> ArrowRelease::released_places(const ArrowTable& table) const {
  if (is_alone(table)) return {0};
  const auto& source = plan_.scenario.source;
  if (!source || source->published.size() != columns_.size())
    throw usage("the plan does not name the columns of a table", "release the column by itself");
  std::vector<size_t> places;
  for (const std::string& name : source->published) places.push_back(table.head().column(name, "public"));
  return places;
}

TableReleased ArrowRelease::release_columns(const ArrowTable& table, const TableReleaseOptions& options,
                                            Compared compared, const Progress& progress) const {
  const std::vector<size_t> places = released_places(table);
  TableReleased result;
  std::vector<uint8_t> left_out = rows_to_leave_out(table, options);
  const bool new_rows = compared == Compared::kSecrets;
  if (new_rows) check_secrets(table, options, left_out);
  check_values(table, options, new_rows, left_out);
  const ArrowReleaseOptions each{options.drop, std::move(left_out), new_rows, options.beside_kept};
  for (size_t c = 0; c < columns_.size(); ++c) {
    ArrowReleased released = release_column(table, places[c], columns_[c], each, progress);
    if (compared == Compared::kValues && !are_values_of(plan_.scenario, released.counts))
      throw another_table("give the whole table, with the secret; ");
    result.columns.push_back(std::move(released.column));
    result.left_out = std::move(released.left_out);
  }
  return result;
}

TableReleased ArrowRelease::release_part(const ArrowTable& table, const TableReleaseOptions& options,
                                         const Progress& progress) const {
  return release_columns(table, options, Compared::kSecrets, progress);
}

TableReleased ArrowRelease::release(const ArrowTable& table, const TableReleaseOptions& options,
                                    const Progress& progress) const {
  const bool alone = is_alone(table);
  if (!options.new_data && !alone) {
    ArrowRows rows(table);
    compare_counts(rows, options.drop, progress);
  }
  const Compared compared =
      options.new_data ? Compared::kSecrets : (alone ? Compared::kValues : Compared::kNothing);
  return release_columns(table, options, compared, progress);
}

}  // namespace fugu
