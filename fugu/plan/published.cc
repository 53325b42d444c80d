#include "fugu/plan/published.h"

#include <algorithm>

#include "fugu/core/json_read.h"
#include "fugu/plan/file_kind.h"
#include "fugu/plan/statement.h"
#include "fugu/scenario/shape.h"

namespace fugu::inline in_plan {
namespace {

Error no_statement(const std::string& place) {
  return data_error(place, "this is not a statement that this version of fugu reads",
                    "give the file that fugu statement or the release wrote");
}

// A receipt holds the statement whole.
const Json& statement_in(const Json& json, const std::string& place) {
  check_kind(json, FileKind::kStatement, place);
  const Json* version = json.find("fugu");
  if (!version || !version->if_number() || version->if_number()->literal != "1") throw no_statement(place);
  const Json* statement = json.find("statement");
  if (statement && statement->if_object()) return *statement;
  if (!statement || !statement->if_string()) throw no_statement(place);
  return json;
}

std::pair<int64_t, int64_t> read_bounds(const Json& json, const Lattice& lattice, const std::string& place) {
  const std::vector<int64_t> ends = need_points(json, lattice, place);
  if (ends.size() > 2)
    throw data_error(place, "there must be two bounds", "use the statement as it was written");
  return {ends.front(), ends.back()};
}

void read_written(WrittenColumn& column, const Json& mechanism, const std::string& name,
                  const std::string& place) {
  column.name = name;
  column.lattice = lattice_from_json(need(mechanism, "lattice", place), place + ".lattice");
  if (const Json* labels = mechanism.find("labels")) column.labels = need_strings(*labels, place + ".labels");
  if (const Json* reads = mechanism.find("reads")) column.reads = reading_from_json(*reads, place + ".reads");
  if (const Json* bounds = mechanism.find("bounds"))
    column.bounds = read_bounds(*bounds, column.lattice, place + ".bounds");
  if (column.is_categorical() && !column.bounds)
    column.bounds = {1, static_cast<int64_t>(column.labels.size())};
}

PublishedColumn column_from_json(const Json& mechanism, const std::string& name, const std::string& place) {
  PublishedColumn column;
  read_written(column, mechanism, name, place);
  column.mechanism = mechanism_from_json(mechanism, column.lattice, place);
  return column;
}

bool trades_places(const Json& mechanism) {
  const Json* noise = mechanism.find("noise");
  return noise && noise->if_string() && *noise->if_string() == "swap";
}

Rational need_share(const Json& json, const std::string& place) {
  const Rational share = need_number(need(json, "changed", place), place + ".changed");
  if (share < 0 || share > 1)
    throw data_error(place + ".changed", "a share is from 0 to 1", "use the statement as it was written");
  return share;
}

bool says_true(const Json& json, const char* key) {
  const Json* value = json.find(key);
  return value && value->if_boolean() && *value->if_boolean();
}

// What the statement says of columns that are written as they are. A known column is no given one: by the
// given ones nothing is balanced.
void read_beside(PublishedSwap& swap, const Json& columns, const std::string& place) {
  auto names = [&](const char* key) {
    const Json* list = columns.find(key);
    return list ? need_strings(*list, place + ".columns." + key) : std::vector<std::string>{};
  };
  const auto given = names("given");
  swap.known = names("known");
  for (const std::string& name : names("kept")) {
    const bool is_given = std::find(given.begin(), given.end(), name) != given.end();
    (is_given ? swap.beside : swap.known).push_back(name);
  }
  for (const std::string& name : names("kept_unprotected")) swap.beside.push_back(name);
}

// Where the ends of a clip lie after the map that the statement describes.
std::optional<std::pair<int64_t, int64_t>> clip_of(const Json& json, const PublishedColumn& column,
                                                   const std::string& place) {
  const Json* clip = json.find("clip");
  if (!clip || column.is_categorical()) return std::nullopt;
  Json whole = json;
  if (!column.reads.is_plain()) whole.add("reads", reading_to_json(column.reads));
  const ColumnShape read = shape_from_json(whole, place);
  const Shape shape(read, column.lattice);
  auto placed = [&](const Rational& end) {
    const auto index = shape.index(end);
    return index ? index : column.lattice.nearest(end);
  };
  const auto low = placed(read.clip->first), high = placed(read.clip->second);
  if (!low || !high || *low > *high)
    throw data_error(place + ".clip", "the ends do not fit the lattice",
                     "use the statement as it was written");
  return std::pair{*low, *high};
}

}  // namespace

std::string WrittenColumn::text(int64_t index) const {
  if (is_categorical() && index >= 1 && index <= static_cast<int64_t>(labels.size()))
    return labels[static_cast<size_t>(index - 1)];
  return is_categorical() ? to_text(lattice.value(index)) : reads.text(lattice.value(index));
}

std::optional<int64_t> WrittenColumn::index(std::string_view text) const {
  if (is_categorical()) {
    const auto found = std::find(labels.begin(), labels.end(), text);
    if (found == labels.end()) return std::nullopt;
    return found - labels.begin() + 1;
  }
  const auto value = reads.number(text);
  if (!value) return std::nullopt;
  const auto index = lattice.index(*value);
  if (index && bounds && (*index < bounds->first || *index > bounds->second)) return std::nullopt;
  return index;
}

std::optional<int64_t> PublishedColumn::index(std::string_view text) const {
  const auto index = WrittenColumn::index(text);
  const Channel* channel = std::get_if<Channel>(&mechanism);
  if (index && channel && !is_categorical() &&
      !std::binary_search(channel->outputs.begin(), channel->outputs.end(), *index))
    return std::nullopt;
  return index;
}

std::vector<PublishedColumn> published_from_json(const Json& json, const std::string& place) {
  const Json& statement = statement_in(json, place);
  const Json* columns = statement.find("columns");
  if (!columns) throw no_statement(place);
  const auto names = need_strings(need(*columns, "public", place), place + ".columns.public");
  const Json& mechanism = need(statement, "mechanism", place);
  const std::string where = place + ".mechanism";
  if (trades_places(mechanism))
    throw data_error(place, "the rows of this release traded places",
                     "count the released table as it stands");
  const Json* several = mechanism.find("columns");
  if (!several) {
    PublishedColumn column = column_from_json(mechanism, names.empty() ? "" : names.front(), where);
    if (const Json* shape = statement.find("shape"))
      column.support = clip_of(*shape, column, place + ".shape");
    return {std::move(column)};
  }
  const Json::Array& parts = need_array(*several, where + ".columns");
  if (parts.size() != names.size()) throw no_statement(place);
  std::vector<PublishedColumn> result;
  const Json* shapes = statement.find("shape");
  for (size_t c = 0; c < parts.size(); ++c) {
    result.push_back(column_from_json(parts[c], names[c], where + ".columns"));
    if (!shapes) continue;
    const Json::Array& each = need_array(*shapes, place + ".shape");
    if (each.size() != parts.size()) throw no_statement(place);
    if (!each[c].is_null()) result.back().support = clip_of(each[c], result.back(), place + ".shape");
  }
  return result;
}

std::optional<PublishedSwap> published_swap_from_json(const Json& json, const std::string& place) {
  const Json& statement = statement_in(json, place);
  const Json* columns = statement.find("columns");
  const Json* mechanism = statement.find("mechanism");
  if (!columns || !mechanism || !trades_places(*mechanism)) return std::nullopt;
  const auto names = need_strings(need(*columns, "public", place), place + ".columns.public");
  const std::string where = place + ".mechanism";
  const Json::Array& parts = need_array(need(*mechanism, "columns", where), where + ".columns");
  if (parts.empty() || parts.size() != std::max<size_t>(names.size(), 1)) throw no_statement(place);
  PublishedSwap swap{.changed = need_share(*mechanism, where)};
  for (size_t c = 0; c < parts.size(); ++c) {
    PublishedSwap::Column& column = swap.columns.emplace_back();
    read_written(column, parts[c], names.empty() ? "" : names[c], where + ".columns");
    column.changed = need_share(parts[c], where + ".columns");
  }
  read_beside(swap, *columns, place);
  swap.strata_merged = says_true(*mechanism, "strata_merged");
  swap.new_data = says_true(json, "new_data");
  for (const std::string& assumption :
       need_strings(need(statement, "assumptions", place), place + ".assumptions"))
    swap.new_data = swap.new_data || assumption.starts_with(kOtherRows);
  return swap;
}

}  // namespace fugu::inline in_plan
