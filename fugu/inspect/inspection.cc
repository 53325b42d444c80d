#include "fugu/inspect/inspection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "fugu/core/error.h"
#include "fugu/count/column_counts.h"
#include "fugu/count/column_kind.h"
#include "fugu/count/column_name.h"
#include "fugu/law/distribution.h"
#include "fugu/rows/joined_label.h"
#include "fugu/rows/missing_marks.h"
#include "fugu/show/wording.h"
#include "fugu/transport/distances.h"

namespace fugu::inline in_inspect {
namespace {

constexpr size_t kMostDistinct = 200'000;
constexpr double kRare = 0.1;  // of the rows

// One column's counts: by value and secret.
struct Cells {
  std::vector<std::string> values;               // sorted by bytes, missing ones left out
  std::vector<std::map<size_t, uint64_t>> rows;  // by value: secret and rows; secret 0 where none is named
  std::map<size_t, uint64_t> missing_rows;       // by secret
  uint64_t missing = 0;
};

class Inspector {
 public:
  explicit Inspector(const InspectionRequest& request) : request_(request) {
    if (!request.rows) reader_.emplace(open(request));
  }

  Inspection inspect(const Progress& progress) {
    const TableHead& head = this->head();
    for (const std::string& text : request_.secret) {
      const size_t column = secret_column(text);
      if (std::find(secret_.begin(), secret_.end(), column) != secret_.end()) {
        throw Error(ErrorKind::kUsage, fmt::format("--secret: {} is named twice", head.column_place(column)),
                    "name each column once");
      }
      secret_.push_back(column);
      result_.secret.push_back(name(column));
    }
    const ColumnCounts counts = count(progress);
    result_.rows = counts.rows;
    result_.small = request_.small;
    if (counts.rows == 0) {
      throw Error(ErrorKind::kData, head.file + ": the table has no rows",
                  request_.header && !request_.database && !request_.rows
                      ? "if there is no header, give --no-header"
                      : "give a table with rows");
    }
    if (!secret_.empty()) count_secrets(counts);
    std::vector<ColumnName> names;
    bool header = false;
    for (size_t k = 0; k < head.columns; ++k) {
      names.emplace_back(head, k, request_.na);
      result_.columns.push_back(look(k, counts, names.back(), header));
    }
    const std::vector<NameIs> are = what_names_are(names, header);
    for (size_t k = 0; k < are.size(); ++k) result_.columns[k].name_is_data = are[k] != NameIs::kName;
    add_unreadable();
    if (!secret_.empty()) {
      std::stable_sort(result_.columns.begin(), result_.columns.end(),
                       [](const InspectedColumn& a, const InspectedColumn& b) { return told(a) > told(b); });
    }
    return std::move(result_);
  }

 private:
  // Of a database those columns that can be read.
  static ChunkReader open(const InspectionRequest& request) {
    if (!request.database)
      return ChunkReader(request.path, {.separator = request.separator, .header = request.header});
    DatabaseTable& table = *request.database;
    std::vector<size_t> columns;
    for (size_t k = 0; k < table.head().columns; ++k) {
      if (!table.unreadable(k)) columns.push_back(k);
    }
    if (columns.empty()) table.check_readable(0);
    return ChunkReader(table.rows(columns, 0), table.head().part(columns));
  }

  const TableHead& head() const { return request_.rows ? request_.rows->head() : reader_->head(); }

  void add_unreadable() {
    for (size_t k = 0; request_.database && k < request_.database->head().columns; ++k) {
      if (const auto type = request_.database->unreadable(k)) {
        result_.columns.push_back(
            {.name = request_.database->head().header[k],
             .kind = "other",
             .note = fmt::format("values of type {} cannot be read: cast it in --query", *type)});
      }
    }
  }

  // Every column's texts; where rows stand for several people, as many of them.
  ColumnCounts count(const Progress& progress) {
    if (request_.rows && !request_.people.empty())
      throw usage("--count: it is for files and databases", "give the table with a row for each person");
    if (request_.rows) return count_columns(*request_.rows, secret_, kMostDistinct, progress);
    if (request_.people.empty()) return count_columns(*reader_, secret_, kMostDistinct, progress);
    const size_t people = column_named(request_.people, "--count");
    if (std::find(secret_.begin(), secret_.end(), people) != secret_.end())
      throw usage("--count: this column is the secret",
                  "name the column that says how many people a row stands for");
    return count_people(*reader_, secret_, people, kMostDistinct, progress);
  }

  // A number is that of all columns.
  size_t secret_column(const std::string& text) const { return column_named(text, "--secret"); }

  size_t column_named(const std::string& text, const char* option) const {
    if (!request_.database) return head().column(text, option);
    const size_t column = request_.database->head().column(text, option);
    request_.database->check_readable(column);
    size_t place = 0;
    for (size_t k = 0; k < column; ++k) place += !request_.database->unreadable(k);
    return place;
  }

  static double told(const InspectedColumn& column) { return column.secret ? column.secret->told : -1; }

  std::string name(size_t column) const {
    const std::vector<std::string>& header = head().header;
    return header.empty() ? fmt::format("{}", column + 1) : header[column];
  }

  bool is_missing(std::string_view text) const { return means_missing(text, request_.na); }

  // The secret's texts, parted by NUL, and the column's own; none where the secret is missing.
  std::optional<std::string_view> secret_part(std::string_view key, std::string_view* value) const {
    size_t end = 0;
    bool missing = false;
    for (size_t k = 0; k < secret_.size(); ++k) {
      const size_t next = key.find('\0', end);
      missing = missing || is_missing(key.substr(end, next - end));
      end = next + 1;
    }
    *value = key.substr(end);
    if (missing) return std::nullopt;
    return key.substr(0, end);
  }

  void count_secrets(const ColumnCounts& counts) {
    if (counts.too_many[secret_.front()]) {
      throw Error(ErrorKind::kUsage, "--secret: there are too many different secrets",
                  "name a column of categories");
    }
    std::map<std::string, uint64_t> rows;
    uint64_t all = 0, most = 0;
    for (const Tally::Entry& entry : counts.columns[secret_.front()].entries()) {
      std::string_view value;
      const auto secret = secret_part(entry.key, &value);
      if (!secret) continue;
      most = std::max(most, rows[std::string(*secret)] += entry.count);
      all += entry.count;
    }
    for (const auto& [secret, count] : rows) secret_index_.emplace(secret, secret_index_.size());
    result_.secrets = rows.size();
    result_.guessed = all == 0 ? 0 : static_cast<double>(most) / static_cast<double>(all);
    if (rows.size() < 2) {
      throw Error(ErrorKind::kData, head().file + ": the secret has fewer than two values",
                  "name a column that differs between rows");
    }
  }

  Cells cells_of(const Tally& tally, ColumnName& name) const {
    std::map<std::string_view, std::map<size_t, uint64_t>> by_value;
    Cells cells;
    for (const Tally::Entry& entry : tally.entries()) {
      std::string_view value;
      const auto secret = secret_part(entry.key, &value);
      name.see(value);
      if (is_missing(value)) {
        cells.missing += entry.count;
        if (secret && !secret_.empty())
          cells.missing_rows[secret_index_.find(*secret)->second] += entry.count;
      } else if (secret) {
        by_value[value][secret_.empty() ? 0 : secret_index_.find(*secret)->second] += entry.count;
      } else {
        by_value[value];
      }
    }
    for (auto& [value, rows] : by_value) {
      cells.values.emplace_back(value);
      cells.rows.push_back(std::move(rows));
    }
    return cells;
  }

  InspectedColumn look(size_t column, const ColumnCounts& counts, ColumnName& column_name,
                       bool& header) const {
    InspectedColumn result;
    result.name = name(column);
    if (counts.too_many[column]) {
      result.kind = "many";
      result.note = fmt::format(
          "more than {} different values: an identifier, or a number too fine to publish{}",
          grouped(kMostDistinct),
          may_name_people(result.name)
              ? "; if people occur more than once, --person " + result.name + " takes one row per person"
              : "");
      return result;
    }
    const Cells cells = cells_of(counts.columns[column], column_name);
    result.missing = cells.missing;
    result.distinct = cells.values.size();
    const std::vector<int64_t> places = place(cells, result);
    uint64_t rare = 0;  // rows
    BelowWord below{.numbers = result.kind == "number" || result.kind == "code"};
    std::string mark;
    for (size_t k = 0; k < cells.rows.size(); ++k) {
      uint64_t sum = 0;
      for (auto [secret, count] : cells.rows[k]) sum += count;
      if (mark.empty() && looks_missing(cells.values[k])) {
        mark = fmt::format(
            "'{0}' looks like a missing value ({1}): --na '{0}' with --missing, or --not-missing '{0}'",
            cells.values[k], counted(sum, "row"));
      }
      below.rows += sum;
      below.single += sum == 1 ? 1 : 0;
      if (sum == 0 || sum >= request_.small) continue;
      ++result.small_values;
      rare += sum;
    }
    header = header || (column_name.is_word() && shows_a_header(below));
    if (static_cast<double>(rare) > kRare * static_cast<double>(result_.rows) && result.note.empty()) {
      result.note =
          fmt::format("{} of the rows have a value that fewer than {} share: it points to single people",
                      percent(static_cast<double>(rare) / static_cast<double>(result_.rows)), request_.small);
    }
    if (repeats_people(result.name, {result.distinct, below.rows})) {
      result.names_people = true;
      result.note = fmt::format("a person's number? {} in {}: --person {} takes one row per person",
                                counted(result.distinct, "value"), counted(below.rows, "row"), result.name);
    }
    if (!mark.empty()) result.note = mark;
    const bool is_secret = std::find(secret_.begin(), secret_.end(), column) != secret_.end();
    if (is_secret) {
      result.note = "the secret";
    } else if (!secret_.empty() && !cells.values.empty()) {
      result.secret = tell(cells, places, result);
    }
    return result;
  }

  // The kind of the column, and where its values lie on a lattice; empty where they do not.
  std::vector<int64_t> place(const Cells& cells, InspectedColumn& column) const {
    std::vector<std::string_view> texts;  // but for those that look missing, where there are others
    for (const std::string& value : cells.values) {
      if (!looks_missing(value)) texts.push_back(value);
    }
    if (texts.empty()) texts.assign(cells.values.begin(), cells.values.end());
    column.kind = "empty";
    if (texts.empty()) return {};
    const DetectedKind detected = detect_kind(column.name, texts);
    const bool mixed =
        detected.doubt >= DetectedKind::kMixedNumbers && detected.doubt != DetectedKind::kDayOrMonth;
    column.kind = mixed ? "mixed" : word_of(detected.kind);
    const bool ordered = detected.kind == ColumnKind::kOrdered;
    if (detected.doubt == DetectedKind::kNone) column.said_kind = ordered ? "ordered" : column.kind;
    if (const DoubtWords doubt = words_of(detected, column.name); !doubt.what.empty())
      column.note = fmt::format("{}; {}", doubt.what, doubt.hint);
    const bool numeric = detected.kind == ColumnKind::kNumber || detected.kind == ColumnKind::kDate;
    if (numeric && !mixed && texts.size() == cells.values.size())
      return place_numbers(cells, detected, column);
    std::vector<int64_t> places(cells.values.size());
    const auto told = detected.kind == ColumnKind::kOrdered ? told_order(cells.values) : std::nullopt;
    for (size_t k = 0; k < places.size(); ++k) {
      places[k] = told ? std::find(told->begin(), told->end(), cells.values[k]) - told->begin() + 1
                       : static_cast<int64_t>(k) + 1;
    }
    return places;
  }

  static std::vector<int64_t> place_numbers(const Cells& cells, const DetectedKind& detected,
                                            InspectedColumn& column) {
    std::vector<Rational> numbers;
    for (const std::string& value : cells.values) {
      if (auto number = detected.reads.number(value)) numbers.push_back(std::move(*number));
    }
    std::vector<int64_t> places;
    if (numbers.size() != cells.values.size()) return places;
    column.range = {*std::min_element(numbers.begin(), numbers.end()),
                    *std::max_element(numbers.begin(), numbers.end())};
    column.reads = detected.reads;
    try {
      column.lattice = coarsest_lattice(numbers);
      for (const Rational& number : numbers) places.push_back(*column.lattice->index(number));
    } catch (const Error&) {
      column.note = "the values have too many digits for a common step: give --step";
    }
    return places;
  }

  ColumnSecret tell(const Cells& cells, const std::vector<int64_t>& places,
                    const InspectedColumn& column) const {
    // That a field is missing is told like any value.
    std::vector<std::map<size_t, uint64_t>> rows = cells.rows;
    if (!cells.missing_rows.empty()) rows.push_back(cells.missing_rows);
    std::erase_if(rows, [](const auto& row) { return row.empty(); });
    const size_t secrets = result_.secrets;
    std::vector<uint64_t> totals(secrets, 0), present(secrets, 0);
    uint64_t all = 0;
    for (const auto& row : rows)
      for (auto [secret, count] : row) totals[secret] += count;
    for (const auto& row : cells.rows)
      for (auto [secret, count] : row) present[secret] += count;
    for (uint64_t total : totals) all += total;
    const auto most_frequent =
        static_cast<size_t>(std::max_element(totals.begin(), totals.end()) - totals.begin());
    ColumnSecret result;
    uint64_t right = 0;
    double surprise = 0, entropy = 0;
    const auto people = static_cast<double>(all);
    for (uint64_t total : totals) {
      const double share = static_cast<double>(total) / people;
      if (total > 0) entropy -= share * std::log(share);
    }
    for (const auto& row : rows) {
      uint64_t sum = 0;
      double low = std::numeric_limits<double>::infinity(), high = 0;
      for (size_t s = 0; s < secrets; ++s) {
        const auto found = row.find(s);
        const uint64_t count = found == row.end() ? 0 : found->second;
        sum += count;
        if (count > 0 && count < request_.small) ++result.small_cells;
        if (totals[s] == 0) continue;
        const double share = static_cast<double>(count) / static_cast<double>(totals[s]);
        low = std::min(low, share);
        high = std::max(high, share);
      }
      right += guessed_right(row, most_frequent);
      if (high > 0) result.loss = std::max(result.loss, std::log(high / low));
      for (auto [secret, count] : row) {
        // How surprising a row's secret is to one who knows the other rows with that value, and the base
        // rates.
        const auto n = static_cast<double>(count);
        const double rate = static_cast<double>(totals[secret]) / people;
        surprise -= n / people * std::log((n - 1 + rate) / static_cast<double>(sum));
      }
    }
    result.told = entropy > 0 ? std::clamp(1 - surprise / entropy, 0.0, 1.0) : 0;
    result.guessed = all == 0 ? 0 : static_cast<double>(right) / people;
    result.w_inf = distance(cells, places, present);
    if (result.w_inf && column.lattice) *result.w_inf *= column.lattice->step;
    return result;
  }

  // Rows whose secret the other rows with their value point to; the most frequent secret where they do not.
  static uint64_t guessed_right(const std::map<size_t, uint64_t>& row, size_t most_frequent) {
    uint64_t right = 0;
    for (auto [secret, count] : row) {
      uint64_t other = 0;
      for (auto [second, rows] : row) {
        if (second != secret) other = std::max(other, rows);
      }
      const bool points = count - 1 > other || (count - 1 == other && secret == most_frequent);
      if (points) right += count;
    }
    return right;
  }

  // The farthest that mass moves between two secrets' laws, in steps.
  std::optional<Rational> distance(const Cells& cells, const std::vector<int64_t>& places,
                                   const std::vector<uint64_t>& totals) const {
    if (places.empty() || std::count(totals.begin(), totals.end(), 0u) > 0)
      return std::nullopt;  // no law to move
    std::vector<Distribution> laws;
    for (size_t s = 0; s < totals.size(); ++s) {
      std::vector<int64_t> atoms;
      std::vector<Rational> masses;
      for (size_t k = 0; k < places.size(); ++k) {
        if (const auto found = cells.rows[k].find(s); found != cells.rows[k].end()) {
          atoms.push_back(places[k]);
          masses.emplace_back(found->second);
        }
      }
      laws.push_back(Distribution::from_masses(atoms, masses));
    }
    return Rational(largest_w_inf(laws, PairSet::all()));
  }

  const InspectionRequest& request_;
  std::optional<ChunkReader> reader_;  // where there are no rows
  std::vector<size_t> secret_;
  std::map<std::string, size_t, std::less<>> secret_index_;
  Inspection result_;
};

}  // namespace

Inspection inspect_table(const InspectionRequest& request, const Progress& progress) {
  return Inspector(request).inspect(progress);
}

}  // namespace fugu::inline in_inspect
