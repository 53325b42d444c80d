#include "fugu/estimate/cross_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fugu/core/error.h"
#include "fugu/count/csv_rows.h"
#include "fugu/table/row_key.h"

namespace fugu::inline in_estimate {
namespace {

// The values of one column that occur, in their order.
class CrossAxis {
 public:
  CrossAxis(const std::vector<CountedRow>& rows, size_t column, const WrittenColumn* released)
      : released_(released) {
    for (const CountedRow& row : rows) {
      if (released_) {
        indices_[*released_->index(row.texts[column])] = 0;
      } else {
        texts_[row.texts[column]] = 0;
      }
    }
    released_ ? number_indices() : number_texts();
  }

  size_t size() const { return values_.size(); }
  const std::string& value(size_t place) const { return values_[place]; }
  size_t place(const std::string& text) const {
    return released_ ? indices_.at(*released_->index(text)) : texts_.find(text)->second;
  }

 private:
  void number_indices() {
    for (auto& [index, place] : indices_) {
      place = values_.size();
      values_.push_back(released_->text(index));
    }
  }

  // Numbers increase, where all texts are numbers; one number in two forms is two values.
  void number_texts() {
    std::vector<std::pair<Rational, std::string>> order;
    bool numbers = true;
    for (const auto& [text, place] : texts_) {
      const auto number = parse_number(text);
      numbers = numbers && number.has_value();
      order.emplace_back(numbers ? *number : Rational(0), text);
    }
    if (numbers) std::stable_sort(order.begin(), order.end());
    for (const auto& [number, text] : order) {
      texts_[text] = values_.size();
      values_.push_back(text);
    }
  }

  const WrittenColumn* released_;
  std::map<int64_t, size_t> indices_;
  std::map<std::string, size_t> texts_;
  std::vector<std::string> values_;
};

// The least share of rows that changes all of these columns' cells.
class CrossMoves {
 public:
  CrossMoves(const PublishedSwap& swap, uint64_t rows, double confidence)
      : swap_(swap), rows_(rows), miss_((1 - confidence) / 2) {}

  // Of a cell of the columns with these places among the swap's.
  CountBounds bounds(uint64_t count, uint64_t among, const CrossPlaces& places) const {
    Rational changed(0);
    for (const auto& place : places) {
      if (place) changed += swap_.columns[*place].changed;
    }
    const Rational moved = std::min(changed, swap_.changed) * Integer(rows_);
    return bounds_of_count(count, among, static_cast<double>(moved) * (1 + 1e-15), miss_);
  }

 private:
  const PublishedSwap& swap_;
  uint64_t rows_;
  double miss_;
};

using CellPlaces = std::vector<size_t>;  // of a cell, by column

class CrossCounter {
 public:
  CrossCounter(const std::vector<CountedRow>& rows, const PublishedSwap& swap, const CrossPlaces& places,
               double confidence)
      : places_(places), rows_(total(rows)), moves_(swap, rows_, confidence) {
    for (size_t c = 0; c < places.size(); ++c)
      axes_.emplace_back(rows, c, places[c] ? &swap.columns[*places[c]] : nullptr);
    for (const CountedRow& row : rows) {
      CellPlaces cell;
      for (size_t c = 0; c < axes_.size(); ++c) cell.push_back(axes_[c].place(row.texts[c]));
      known_[known_of(cell)] += row.count;
      counts_[std::move(cell)] += row.count;
    }
  }

  uint64_t rows() const { return rows_; }

  bool is_small() const {
    size_t product = 1;
    for (const CrossAxis& axis : axes_) {
      if (axis.size() > kMaxEmptyCells / product) return false;
      product *= axis.size();
    }
    return true;
  }

  // Adds cells of no rows, whose values occur.
  void add_empty_cells() {
    CellPlaces cell(axes_.size(), 0);
    for (bool more = true; more;) {
      counts_[cell] += 0;
      known_[known_of(cell)] += 0;
      more = false;
      for (size_t c = axes_.size(); !more && c-- > 0;) {
        more = ++cell[c] < axes_[c].size();
        if (!more) cell[c] = 0;
      }
    }
  }

  std::vector<CrossCell> cells() const {
    std::vector<CrossCell> result;
    for (const auto& [cell, count] : counts_) {
      CrossCell& one = result.emplace_back();
      for (size_t c = 0; c < axes_.size(); ++c) one.values.emplace_back(axes_[c].value(cell[c]));
      one.count = count;
      one.bounds = moves_.bounds(count, known_.at(known_of(cell)), places_);
    }
    return result;
  }

  std::vector<CrossCell> totals() const {
    std::vector<CrossCell> result;
    for (size_t c = 0; axes_.size() > 1 && c < axes_.size(); ++c) {
      std::vector<uint64_t> sums(axes_[c].size());
      for (const auto& [cell, count] : counts_) sums[cell[c]] += count;
      for (size_t place = 0; place < sums.size(); ++place) {
        CrossCell& one = result.emplace_back();
        one.values.resize(axes_.size());
        one.values[c] = axes_[c].value(place);
        one.count = sums[place];
        one.bounds = moves_.bounds(one.count, rows_, {places_[c]});
      }
    }
    result.push_back({CrossCell{}.values, rows_, {rows_, rows_, 0}});
    result.back().values.resize(axes_.size());
    return result;
  }

 private:
  static uint64_t total(const std::vector<CountedRow>& rows) {
    uint64_t sum = 0;
    for (const CountedRow& row : rows) sum += row.count;
    return sum;
  }
  // The part of a cell that no row leaves.
  CellPlaces known_of(const CellPlaces& cell) const {
    CellPlaces known;
    for (size_t c = 0; c < cell.size(); ++c) {
      if (!places_[c]) known.push_back(cell[c]);
    }
    return known;
  }

  const CrossPlaces& places_;
  uint64_t rows_;
  CrossMoves moves_;
  std::vector<CrossAxis> axes_;
  std::map<CellPlaces, uint64_t> counts_;
  std::map<CellPlaces, uint64_t> known_;  // rows by the values that are written as they were
};

// The columns of a table that are asked for.
class CrossFinder {
 public:
  CrossFinder(const TableHead& head, const ReleasedTable& table, const PublishedSwap& swap,
              const CrossQuestion& question)
      : head_(head), table_(table), swap_(swap) {
    for (const std::string& text : question.by) add(head.column(text, "--by"), "--by");
    for (const std::string& text : question.columns) add(head.column(text, "--table"), "--table");
    if (question.released) add(placed(*question.released), "--by");
    check();
  }

  std::vector<size_t> used;
  std::vector<std::string> names;
  CrossPlaces places;

  // Whether a known column is counted by.
  bool counts_known() const { return counts_known_; }

 private:
  size_t placed(size_t c) const {
    ReleasedTable table = table_;
    table.place = c;
    table.together = swap_.columns.size();
    return released_column(head_, table, swap_.columns[c]);
  }

  void add(size_t column, const char* option) {
    if (std::find(used.begin(), used.end(), column) != used.end())
      throw usage(fmt::format("{}: {} is named twice", option, head_.column_place(column)),
                  "name other columns of the table");
    used.push_back(column);
    names.push_back(table_.header ? head_.column_text(column) : "column " + head_.column_text(column));
    places.push_back(place_of(column));
    if (!places.back()) check_written(column, option);
  }

  // Of a released column its place among the statement's.
  std::optional<size_t> place_of(size_t column) const {
    const bool by_place = head_.header.empty() && head_.columns == swap_.columns.size();
    for (size_t c = 0; c < swap_.columns.size(); ++c) {
      const std::string& name = swap_.columns[c].name;
      const bool named = !head_.header.empty() && !name.empty() && head_.header[column] == name;
      const bool renamed = !table_.column.empty() && swap_.columns.size() == 1 && placed(c) == column;
      if (named || renamed || (by_place && column == c)) return c;
    }
    return std::nullopt;
  }

  void check_written(size_t column, const char* option) {
    auto lists = [&](const std::vector<std::string>& columns) {
      return !head_.header.empty() &&
             std::find(columns.begin(), columns.end(), head_.header[column]) != columns.end();
    };
    if (!lists(swap_.known) && !lists(swap_.beside)) {
      throw Error(ErrorKind::kData,
                  fmt::format("{}: the statement does not say how {} was released", option,
                              head_.column_place(column)),
                  "name columns of the release by the names that the statement has for them");
    }
    if (lists(swap_.beside)) beside_ = fmt::format("{}: {}", option, head_.column_place(column));
    counts_known_ = counts_known_ || lists(swap_.known);
  }

  // What is written as it was is counted exactly; of released columns only strata keep the counts.
  void check() const {
    if (std::none_of(places.begin(), places.end(), [](const auto& place) { return place.has_value(); }))
      return;
    if (swap_.new_data)
      throw usage(
          "the release was of new data, and the statement bounds only counts of the rows that it was made "
          "from",
          "ask for a release made from these rows: counts of this one are not those of its true rows");
    if (!beside_.empty())
      throw usage(
          beside_ + " was written beside the released columns, and rows traded places whatever it holds",
          "count it by itself, or leave it out: counts of both together are not preserved");
  }

  const TableHead& head_;
  const ReleasedTable& table_;
  const PublishedSwap& swap_;
  std::string beside_;
  bool counts_known_ = false;
};

}  // namespace

CrossTable cross_table(const std::vector<CountedRow>& rows, const PublishedSwap& swap,
                       const std::vector<std::string>& names, const CrossPlaces& places, double confidence) {
  CrossTable result;
  for (size_t c = 0; c < names.size(); ++c) {
    CrossColumn& column = result.columns.emplace_back();
    column.name = names[c];
    if (places[c]) column.released = swap.columns[*places[c]];
  }
  CrossCounter counter(rows, swap, places, confidence);
  if (counter.is_small()) {
    counter.add_empty_cells();
  } else {
    result.notes.push_back(fmt::format(
        "combinations that no row was released in are not listed: the table has more than {} cells",
        kMaxEmptyCells));
  }
  result.rows = counter.rows();
  result.cells = counter.cells();
  result.totals = counter.totals();
  return result;
}

std::vector<CrossTable> cross_tables(const ReleasedTable& table, const PublishedSwap& swap,
                                     const std::vector<CrossQuestion>& questions, const Progress& progress) {
  std::optional<CsvRows> file;
  if (!table.rows) file.emplace(table.path, CsvOptions{.separator = table.separator, .header = table.header});
  RowSource& source = table.rows ? *table.rows : *file;
  const TableHead& head = source.head();
  std::vector<CrossFinder> finders;
  std::map<size_t, std::optional<size_t>> read;  // by column, its place among the released ones
  for (const CrossQuestion& question : questions) {
    const CrossFinder& found = finders.emplace_back(head, table, swap, question);
    for (size_t c = 0; c < found.used.size(); ++c) read[found.used[c]] = found.places[c];
  }
  std::vector<size_t> used;
  for (const auto& [column, place] : read) used.push_back(column);
  auto check = [&](const Field* fields, uint64_t line) {
    for (size_t k = 0; k < used.size(); ++k) {
      const auto& place = read.at(used[k]);
      check_written(head, used[k], line, fields[k].text, place ? &swap.columns[*place] : nullptr);
    }
  };
  const RowCounts counts = source.count(used, check, progress);
  if (counts.rows.size() == 0)
    throw Error(ErrorKind::kData, head.file + ": the table has no rows", "give the released table");
  std::vector<CrossTable> result;
  for (size_t q = 0; q < questions.size(); ++q) {
    std::vector<size_t> at;  // among those that were read
    for (size_t column : finders[q].used)
      at.push_back(static_cast<size_t>(std::lower_bound(used.begin(), used.end(), column) - used.begin()));
    std::vector<CountedRow> rows;
    for (const Tally::Entry& row : counts.rows.entries()) {
      const auto texts = texts_in(row.key);
      CountedRow& counted = rows.emplace_back();
      for (size_t k : at) counted.texts.emplace_back(texts[k]);
      counted.count = row.count;
    }
    result.push_back(cross_table(rows, swap, finders[q].names, finders[q].places, questions[q].confidence));
    if (finders[q].counts_known() && swap.strata_merged)
      result.back().notes.emplace_back(
          "rows of small groups were released without the known columns: they stand under the empty text, "
          "and "
          "no other cell counts them");
  }
  return result;
}

}  // namespace fugu::inline in_estimate
