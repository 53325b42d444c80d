#include "fugu/count/column_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>

#include "fugu/core/error.h"
#include "fugu/core/utf8.h"
#include "fugu/count/chunk_work.h"
#include "fugu/count/text_counter.h"
#include "fugu/rows/row_rule.h"

namespace fugu::inline in_count {
namespace {

std::vector<size_t> all_columns(size_t count) {
  std::vector<size_t> columns(count);
  std::iota(columns.begin(), columns.end(), 0);
  return columns;
}

void check_text(const TableHead& head, std::string_view text, size_t column, uint64_t line) {
  if (is_utf8(text)) return;
  throw not_utf8(fmt::format("{}, {}", head.name().row(line), head.column_place(column)));
}

constexpr size_t kManyColumns = 256;

// One thread's counts. kFields: the secret's columns and one more; 0 for any number.
template <size_t kFields>
class ColumnCounter {
 public:
  ColumnCounter(ChunkReader& reader, const std::vector<size_t>& secret, size_t most)
      : head_(reader.head()),
        secret_(secret),
        most_(most),
        scanner_(reader.layout(all_columns(head_.columns))) {
    for (size_t k = 0; k < head_.columns; ++k)
      counters_.push_back(
          std::make_unique<TextCounter<kFields>>(secret.size() + 1, head_.columns > kManyColumns ? 4 : 512));
    distinct_.resize(head_.columns);
    fields_.resize(secret.size() + 1);
  }

  ScanResult count(const Chunk& chunk) {
    const uint64_t number = chunk.number();
    auto visit = [&](const Field* fields, uint64_t line, std::string_view) {
      const uint64_t place = RowPlace::of(number, line);
      for (size_t k = 0; k < secret_.size(); ++k) fields_[k] = fields[secret_[k]];
      for (size_t k = 0; k < counters_.size(); ++k) {
        if (!counters_[k]) continue;
        fields_.back() = fields[k];
        counters_[k]->add(fields_.data(), place, IsNew{*this, k});
      }
    };
    ScanResult result = scanner_.scan(chunk, 1, visit);
    for (size_t k = 0; k < counters_.size(); ++k) {
      if (counters_[k]) counters_[k]->flush(IsNew{*this, k});
      if (distinct_[k] > most_) counters_[k].reset();
    }
    return result;
  }

  // Null where there were too many.
  const TextCounter<kFields>* column(size_t k) const { return counters_[k].get(); }

 private:
  struct IsNew {
    ColumnCounter& counter;
    size_t column;
    void operator()(const Field* fields, uint64_t place) const {
      ++counter.distinct_[column];
      check_text(counter.head_, fields[counter.secret_.size()].text, column, RowPlace::line_in_chunk(place));
    }
  };

  const TableHead& head_;
  const std::vector<size_t>& secret_;
  size_t most_;
  ChunkScanner scanner_;
  std::vector<std::unique_ptr<TextCounter<kFields>>> counters_;
  std::vector<size_t> distinct_;
  std::vector<Field> fields_;
};

template <size_t kFields>
ColumnCounts count_on(ChunkReader& reader, const std::vector<size_t>& secret, size_t most,
                      const Progress& progress) {
  std::deque<ColumnCounter<kFields>> counters;
  for (size_t k = 0; k < threads_for(0); ++k) counters.emplace_back(reader, secret, most);
  const TableHead& head = reader.head();
  auto again = [&](const Chunk& chunk, uint64_t first_line) {
    auto visit = [&](const Field* fields, uint64_t line, std::string_view) {
      for (size_t k = 0; k < head.columns; ++k) check_text(head, fields[k].text, k, line);
    };
    ChunkScanner(reader.layout(all_columns(head.columns))).scan(chunk, first_line, visit);
  };
  const ChunksDone done = over_chunks(reader, counters, again, progress);
  ColumnCounts result{std::vector<Tally>(head.columns), std::vector<bool>(head.columns), done.records};
  for (size_t k = 0; k < head.columns; ++k) {
    result.too_many[k] = std::any_of(counters.begin(), counters.end(),
                                     [&](const auto& counter) { return !counter.column(k); });
    if (result.too_many[k]) continue;
    for (const auto& counter : counters) {
      counter.column(k)->for_each([&](const std::string& key, uint64_t count, uint64_t place) {
        result.columns[k].add(key, RowPlace::line_in_file(place, done.first_lines), count);
      });
    }
    result.too_many[k] = result.columns[k].size() > most;
  }
  return result;
}

}  // namespace

ColumnCounts count_columns(ChunkReader& reader, const std::vector<size_t>& secret, size_t most,
                           const Progress& progress) {
  switch (secret.size()) {
    case 0:
      return count_on<1>(reader, secret, most, progress);
    case 1:
      return count_on<2>(reader, secret, most, progress);
    default:
      return count_on<0>(reader, secret, most, progress);
  }
}

ColumnCounts count_columns(RowSource& rows, const std::vector<size_t>& secret, size_t most,
                           const Progress& progress) {
  const TableHead& head = rows.head();
  ColumnCounts result{std::vector<Tally>(head.columns), std::vector<bool>(head.columns), 0};
  for (size_t k = 0; k < head.columns; ++k) {
    std::vector<size_t> columns = secret;
    columns.push_back(k);
    auto check = [&](const Field* fields, uint64_t line) {
      check_text(head, fields[secret.size()].text, k, line);
    };
    auto tell = [&](double fraction, std::string_view what) {
      report(progress, (static_cast<double>(k) + fraction) / static_cast<double>(head.columns), what);
    };
    RowCounts counted = rows.count(columns, check, tell);
    result.rows = counted.total;
    result.too_many[k] = counted.rows.size() > most;
    if (!result.too_many[k]) result.columns[k] = std::move(counted.rows);
  }
  return result;
}

namespace {

// The key without the number of people behind the secret's texts, as often as that says.
void add_people(const Tally::Entry& row, size_t secrets, const TableHead& head, size_t people,
                Tally& column) {
  size_t from = 0;
  for (size_t k = 0; k < secrets; ++k) from = row.key.find('\0', from) + 1;
  const size_t end = row.key.find('\0', from);
  const auto times = mass_of(Extra::kPeople, row.key.substr(from, end - from));
  if (!times) {
    throw no_mass(Extra::kPeople,
                  fmt::format("{}: {}, {}", head.file, head.name().row(row.line), head.column_place(people)));
  }
  const Integer all = numerator(*times) * row.count;
  if (all == 0) return;
  if ((all >> 60) != 0) {
    throw Error(ErrorKind::kData, head.file + ": the rows stand for too many people",
                "check the column of --count");
  }
  const std::string key = std::string(row.key.substr(0, from)) + std::string(row.key.substr(end + 1));
  column.add(key, row.line, static_cast<uint64_t>(all));
}

}  // namespace

ColumnCounts count_people(ChunkReader& reader, const std::vector<size_t>& secret, size_t people, size_t most,
                          const Progress& progress) {
  std::vector<size_t> before = secret;
  before.push_back(people);
  const ColumnCounts rows = count_columns(reader, before, most, progress);
  if (rows.too_many[people])
    throw usage("--count: there are too many different numbers",
                "name the column that says how many people a row stands for");
  ColumnCounts result{std::vector<Tally>(rows.columns.size()), rows.too_many, 0};
  for (size_t k = 0; k < rows.columns.size(); ++k) {
    for (const Tally::Entry& row : rows.columns[k].entries())
      add_people(row, secret.size(), reader.head(), people, result.columns[k]);
  }
  for (const Tally::Entry& row : result.columns[people].entries()) result.rows += row.count;
  return result;
}

}  // namespace fugu::inline in_count
