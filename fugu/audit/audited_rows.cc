#include "fugu/audit/audited_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

#include "fugu/audit/memory_file.h"
#include "fugu/core/error.h"
#include "fugu/csv/chunk_scan.h"
#include "fugu/csv/chunks.h"
#include "fugu/csv/csv_field.h"
#include "fugu/release/release.h"
#include "fugu/release/released_values.h"
#include "fugu/rows/joined_label.h"
#include "fugu/rows/strata.h"

namespace fugu::inline in_audit {
namespace {

// What a released text means, and whether it is the very text of that lattice point.
class TextReader {
 public:
  TextReader(const ColumnMap& map, char separator) : map_(map), values_(map, separator) {
    for (size_t k = 0; k < map.source.shape().labels.size(); ++k)
      labels_[map.source.shape().labels[k]] = static_cast<int64_t>(k) + 1;
  }

  std::optional<int64_t> index(const Field& field) {
    const auto known = known_.find(std::string(field.raw));
    if (known != known_.end()) return known->second;
    const auto index = look(field);
    if (index) known_.emplace(field.raw, *index);
    return index;
  }

 private:
  std::optional<int64_t> look(const Field& field) const {
    const auto found = meaning(std::string(field.text));
    const auto [least, most] = map_.range;
    if (!found || (map_.clamps && (*found < least || *found > most))) return std::nullopt;
    std::string text(values_.longest() + 16, '\0');
    text.resize(static_cast<size_t>(values_.write(text.data(), *found) - text.data()));
    return text == field.raw ? found : std::nullopt;
  }

  std::optional<int64_t> meaning(const std::string& text) const {
    const auto label = labels_.find(text);
    if (label != labels_.end()) return label->second;
    // A category that fell off the list is its number.
    const auto number = labels_.empty() ? map_.source.shape().reads.number(text) : parse_decimal(text);
    return number ? (labels_.empty() ? map_.lattice : Lattice{}).index(*number) : std::nullopt;
  }

  const ColumnMap& map_;
  ReleasedValues values_;
  std::unordered_map<std::string, int64_t> labels_, known_;
};

// Texts that a table might have for the values of a column.
std::vector<std::string> possible_texts(const ColumnMap& map) {
  const ColumnShape& shape = map.source.shape();
  std::vector<std::string> texts = shape.labels;
  texts.insert(texts.end(), shape.rare.begin(), shape.rare.end());
  for (const auto& [from, to] : shape.map.texts) texts.push_back(from);
  texts.emplace_back();  // missing, where that is a category
  for (size_t k = 0; k < shape.edges.size(); ++k) {
    const Rational before = k == 0 ? Rational(shape.edges[0] - 2) : shape.edges[k - 1];
    texts.push_back(shape.reads.text(Rational((before + shape.edges[k]) / 2)));
    texts.push_back(shape.reads.text(shape.edges[k]));
  }
  return texts;
}

// A value that comes in may lie beyond the range that results are held within.
ColumnMap of_input(ColumnMap map) {
  map.clamps = map.clamps && map.source.shape().is_categorical();
  return map;
}

// The text of each value, as a field of CSV.
class TextWriter {
 public:
  explicit TextWriter(const ColumnRelease& column) : values_(of_input(column.map), ',', inputs_of(column)) {
    const ColumnShape& shape = column.map.source.shape();
    if (!shape.is_categorical() && shape.map.empty()) return;
    for (const std::string& text : possible_texts(column.map)) {
      const Placed placed = values_.fields().place(text);
      if (placed.kind == Placed::kValue) texts_.try_emplace(placed.index, csv_field(text, ','));
    }
  }

  void write(int64_t index, std::string& to) {
    auto found = texts_.find(index);
    if (found == texts_.end()) found = texts_.emplace(index, number(index)).first;
    to += found->second;
  }

 private:
  std::string number(int64_t index) const {
    std::string text(values_.longest() + 16, '\0');
    text.resize(static_cast<size_t>(values_.write(text.data(), index) - text.data()));
    const Placed placed = values_.fields().place(text);
    if (placed.kind == Placed::kValue && placed.index == index) return text;
    throw Error(ErrorKind::kUsage, "a value of the plan has no text that a table could have",
                "audit the released file instead: --released, --original and --plan");
  }

  ReleasedValues values_;
  std::map<int64_t, std::string> texts_;
};

// The columns that the plan names.
const Source& source_of(const Plan& plan) {
  const std::optional<Source>& source = plan.scenario.source;
  if (!source || source->published.size() != column_releases(plan).size())
    throw Error(ErrorKind::kUsage, "the plan does not name the columns of a table",
                "give the scenario file a \"source\" with \"secret\" and \"public\"");
  return *source;
}

// The columns of a table made for an audit: those that are released, then those that are known.
std::vector<std::string> columns_made(const Source& source) {
  std::vector<std::string> names = source.published;
  names.insert(names.end(), source.known.begin(), source.known.end());
  return names;
}

// Where they stand: side by side, or without a header where their numbers say.
std::vector<size_t> places_of(const Source& source) {
  constexpr size_t kWidest = 10'000;
  const std::vector<std::string> names = columns_made(source);
  std::vector<size_t> places;
  for (size_t c = 0; c < names.size(); ++c) {
    const std::string& text = names[c];
    size_t number = c + 1;
    if (!source.header) {
      number = 0;
      std::from_chars(text.data(), text.data() + text.size(), number);
    }
    if (number < 1 || number > kWidest || std::count(places.begin(), places.end(), number - 1) > 0)
      throw Error(ErrorKind::kUsage,
                  "the plan's columns have no numbers that a table of the audit could have",
                  "audit the released file instead: --released, --original and --plan");
    places.push_back(number - 1);
  }
  return places;
}

// The fields of the known columns of a person whose prior this is: of those of small strata, of one of them.
std::vector<std::string> known_fields(const Source& source, const Prior& prior) {
  std::optional<std::vector<std::string>> texts = prior.known;
  if (texts == std::vector<std::string>{kOtherGroups})
    texts = texts_of_label(source.merged.front(), group_prefixes(source.known, source.header));
  if (!texts)
    throw Error(ErrorKind::kUsage, "a group of the plan has no texts that a table could have",
                "audit the released file instead: --released, --original and --plan");
  for (std::string& text : *texts) text = text == kMissingLabel ? "" : csv_field(text, ',');
  return *texts;
}

std::string table_of(const Plan& plan, const TrueRows& rows) {
  const std::vector<std::vector<int64_t>>& truth = rows.values;
  const Source& source = source_of(plan);
  const std::vector<ColumnRelease> columns = column_releases(plan);
  std::vector<TextWriter> writers(columns.begin(), columns.end());
  const std::vector<size_t> places = places_of(source);
  const size_t width = *std::max_element(places.begin(), places.end()) + 1;
  std::vector<int> filled(width, -1);  // which released column stands there
  for (size_t c = 0; c < places.size(); ++c) filled[places[c]] = static_cast<int>(c);
  std::vector<std::vector<std::string>> known;  // by prior
  for (const Prior& prior : plan.scenario.priors)
    known.push_back(source.has_strata() ? known_fields(source, prior) : std::vector<std::string>{});
  std::string text;
  const std::vector<std::string> names = columns_made(source);
  for (size_t k = 0; source.header && k < width; ++k)
    text += csv_field(names[k], ',') + (k + 1 < width ? "," : "\n");
  for (size_t row = 0; row < truth[0].size(); ++row) {
    for (size_t k = 0; k < width; ++k) {
      if (k > 0) text += ',';
      if (filled[k] < 0) continue;
      const auto c = static_cast<size_t>(filled[k]);
      if (c < columns.size()) {
        writers[c].write(truth[c][row], text);
      } else {
        text += known[rows.priors[row]][c - columns.size()];
      }
    }
    text += '\n';
  }
  return text;
}

std::vector<size_t> columns_of(const Source& source, const TableHead& head) {
  std::vector<size_t> wanted;
  if (head.columns == source.published.size()) {
    for (size_t k = 0; k < head.columns; ++k) wanted.push_back(k);
    return wanted;
  }
  if (!source.header && source.has_strata() &&
      head.columns == source.published.size() + source.known.size()) {
    // They are written where the first of them stood among the known ones.
    const std::vector<size_t> places = places_of(source);
    const auto known = places.begin() + static_cast<ptrdiff_t>(source.published.size());
    const auto before = static_cast<size_t>(
        std::count_if(known, places.end(), [&](size_t place) { return place < places.front(); }));
    for (size_t c = 0; c < source.published.size(); ++c) wanted.push_back(before + c);
    return wanted;
  }
  if (!source.header)
    throw Error(ErrorKind::kUsage, head.file + ": it has other columns than the released ones",
                "without a header only a release without --keep can be audited");
  for (const std::string& name : source.published) wanted.push_back(head.column(name, "--released"));
  return wanted;
}

// Those that are not among `released`, behind them.
void add_others(const TableHead& head, std::vector<size_t>& released, std::vector<ColumnTexts>& others) {
  const std::vector<size_t> known = released;
  for (size_t k = 0; k < head.header.size(); ++k) {
    if (std::find(known.begin(), known.end(), k) != known.end()) continue;
    released.push_back(k);
    others.emplace_back(head.header[k]);
  }
}

}  // namespace

void release_rows(const Plan& plan, const std::string& path, int output) {
  Plan without_secret = plan;  // these rows are nobody's: there is none to be checked
  without_secret.scenario.source->secret.clear();
  release_table({.input = path,
                 .separator = ',',
                 .new_data = true,
                 .rows_are_people = true,
                 .named = true,
                 .keep_order = true,
                 .publish_min = 1},
                without_secret, output, "the audit's table", {});
}

void read_released(const Plan& plan, const AuditedTable& table, AuditedRows& rows) {
  const Source& source = source_of(plan);
  ChunkReader reader(table.path, {.separator = table.separator, .header = source.header});
  std::vector<size_t> wanted = columns_of(source, reader.head());
  add_others(reader.head(), wanted, rows.others);
  rows.header = reader.head().header;
  ChunkScanner scanner(reader.layout(std::move(wanted)));
  const std::vector<ColumnRelease> columns = column_releases(plan);
  std::vector<TextReader> texts;
  texts.reserve(columns.size());
  for (const ColumnRelease& column : columns) texts.emplace_back(column.map, reader.head().separator);
  uint64_t line = reader.first_line(), row = 0;
  auto visit = [&](const Field* fields, uint64_t, std::string_view) {
    ++row;
    std::vector<int64_t> found;
    for (size_t c = 0; c < texts.size() && !rows.odd_text; ++c) {
      const auto index = texts[c].index(fields[c]);
      if (!index) rows.odd_text = row;
      found.push_back(index.value_or(0));
    }
    if (rows.odd_text) return;
    for (size_t c = 0; c < found.size(); ++c) rows.columns[c].released.push_back(found[c]);
    for (size_t k = 0; k < rows.others.size(); ++k) rows.others[k].add(fields[found.size() + k].text);
  };
  for (Chunk chunk; reader.next(chunk);) line += scanner.scan(chunk, line, visit).lines;
}

std::vector<std::vector<int64_t>> row_by_row(const std::vector<std::vector<int64_t>>& bags, size_t columns) {
  std::vector<std::vector<int64_t>> rows(columns);
  for (size_t k = 0; k < bags[0].size(); ++k) {
    for (size_t axis = 0; axis < bags.size(); ++axis) rows[axis % columns].push_back(bags[axis][k]);
  }
  return rows;
}

AuditedRows row_by_row(const AuditedRows& bags, size_t columns) {
  AuditedRows rows;
  rows.odd_text = bags.odd_text;
  std::vector<std::vector<int64_t>> truth, released;
  for (const AuditedColumn& axis : bags.columns) {
    truth.push_back(axis.truth);
    released.push_back(axis.released);
  }
  truth = row_by_row(truth, columns);
  released = row_by_row(released, columns);
  for (size_t c = 0; c < columns; ++c) rows.columns.push_back({std::move(truth[c]), std::move(released[c])});
  return rows;
}

AuditedRows release_and_read(const Plan& plan, TrueRows truth, const RowReleaser& releaser) {
  MemoryFile in, out;
  auto& values = truth.values;
  const size_t columns = plan.scenario.released_columns(), people = values[0].size();
  TrueRows each = truth;
  if (values.size() > columns) each.values = row_by_row(values, columns);
  in.write(table_of(plan, each));
  releaser(plan, in.path(), out.descriptor());
  AuditedRows read;
  read.columns.resize(columns);
  read_released(plan, {out.path(), ','}, read);
  if (!read.odd_text && read.rows() != each.values[0].size())
    throw Error(ErrorKind::kGuarantee, "other rows came out of the release than went in",
                "do not release by this program, and please report this");
  AuditedRows rows;
  rows.odd_text = read.odd_text;
  for (size_t axis = 0; axis < values.size(); ++axis) {
    AuditedColumn& column = rows.columns.emplace_back();
    const std::vector<int64_t>& released = read.columns[axis % columns].released;
    const size_t of_person = values.size() / columns, row = axis / columns;
    for (size_t k = 0; k < people && k * of_person + row < released.size(); ++k)
      column.released.push_back(released[k * of_person + row]);
    column.truth = std::move(values[axis]);
  }
  return rows;
}

}  // namespace fugu::inline in_audit
