#include "fugu/count/database_rows.h"

#include <charconv>
#include <numeric>
#include <string>

#include "fugu/core/error.h"
#include "fugu/csv/chunk_scan.h"
#include "fugu/csv/chunks.h"

namespace fugu::inline in_count {
namespace {

uint64_t read_count(std::string_view text) {
  uint64_t count = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (failed == std::errc() && end == text.data() + text.size()) return count;
  throw Error(ErrorKind::kBug, "the database returned a count that is not a number", "please report this");
}

}  // namespace

RowCounts DatabaseRows::count(const std::vector<size_t>& columns, const RowCheck& check,
                              const Progress& progress, const Watched& watched) {
  for (size_t column : columns) table_->check_readable(column);
  report(progress, 0, "counting in the database");
  RowCounts result;
  if (auto counts = table_->counts(columns)) {
    result = count_there(std::move(counts), columns, check, progress);
    result.watched = watch(watched, progress);
  } else {
    result = count_here(columns, check, progress, watched);
  }
  if (remembered_) remembered_->remember(columns, result);
  return result;
}

RowCounts DatabaseRows::count_there(std::unique_ptr<ByteSource> counts, const std::vector<size_t>& columns,
                                    const RowCheck& check, const Progress& progress) const {
  ChunkReader reader(std::move(counts), table_->head().part(columns, 1));
  std::vector<size_t> fields(columns.size() + 1);
  std::iota(fields.begin(), fields.end(), size_t{0});
  ChunkScanner scanner(reader.layout(std::move(fields)));
  RowCounts result;
  std::string key;
  auto add = [&](const Field* row, uint64_t line, std::string_view) {
    key.assign(row[0].text);
    for (size_t k = 1; k < columns.size(); ++k) key.append(1, '\0').append(row[k].text);
    const uint64_t count = read_count(row[columns.size()].text);
    if (count == 0) return;
    check(row, line);
    result.rows.add(key, line, count);
    result.total += count;
  };
  uint64_t line = 1;
  for (Chunk chunk; reader.next(chunk);) {
    try {
      line += scanner.scan(chunk, line, add).lines;
    } catch (const Error& error) {
      throw error.kind() == ErrorKind::kData ? error.at(table_->head().file) : error;
    }
    report(progress, 0, "counting in the database");
  }
  return result;
}

// All rows of all columns in one pass.
RowCounts DatabaseRows::count_here(const std::vector<size_t>& columns, const RowCheck& check,
                                   const Progress& progress, const Watched& watched) const {
  std::vector<size_t> read = columns;
  read.insert(read.end(), watched.columns.begin(), watched.columns.end());
  ChunkReader reader(table_->rows(read, 0), table_->head().part(read));
  Watched beside = watched;
  std::iota(beside.columns.begin(), beside.columns.end(), columns.size());
  std::vector<size_t> fields(columns.size());
  std::iota(fields.begin(), fields.end(), size_t{0});
  return count_rows(reader, fields, check, 0, progress, beside);
}

// Beside the others they would make a row of its own of every person's; and where every row has a value of
// its own, the database counts no faster than it reads.
WatchedCounts DatabaseRows::watch(const Watched& watched, const Progress& progress) const {
  WatchedCounts result(watched);
  std::vector<size_t> columns, places;
  for (size_t k = 0; k < watched.columns.size(); ++k) {
    if (table_->unreadable(watched.columns[k])) continue;
    columns.push_back(watched.columns[k]);
    places.push_back(k);
  }
  if (columns.empty()) return result;
  ChunkReader reader(table_->rows(columns, 0), table_->head().part(columns));
  std::vector<size_t> fields(columns.size());
  std::iota(fields.begin(), fields.end(), size_t{0});
  ChunkScanner scanner(reader.layout(std::move(fields)));
  for (Chunk chunk; reader.next(chunk);) {
    scanner.scan(chunk, 1, [&](const Field* row, uint64_t, std::string_view) {
      for (size_t k = 0; k < places.size(); ++k) result.add(places[k], row[k].text);
    });
    report(progress, 0, "counting in the database");
  }
  return result;
}

}  // namespace fugu::inline in_count
