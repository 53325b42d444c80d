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
  throw Error(ErrorKind::kBug, "the database gave a count that is no number", "please report this");
}

}  // namespace

RowCounts DatabaseRows::count(const std::vector<size_t>& columns, const RowCheck& check,
                              const Progress& progress, const Watched& watched) {
  for (size_t column : columns) table_->check_readable(column);
  report(progress, 0, "counting in the database");
  ChunkReader reader(table_->counts(columns), table_->head_of(columns, 1));
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
  count_watched(watched, progress, result);
  return result;
}

// Each column by itself: beside the others it would make a row of its own of every person's.
void DatabaseRows::count_watched(const Watched& watched, const Progress& progress, RowCounts& result) {
  result.watched = WatchedCounts(watched);
  for (size_t k = 0; k < watched.columns.size(); ++k) {
    const size_t column = watched.columns[k];
    if (table_->unreadable(column)) continue;
    ChunkReader reader(table_->counts({column}), table_->head_of({column}, 1));
    ChunkScanner scanner(reader.layout({0, 1}));
    for (Chunk chunk; reader.next(chunk);) {
      scanner.scan(chunk, 1, [&](const Field* row, uint64_t, std::string_view) {
        result.watched.add(k, row[0].text, read_count(row[1].text));
      });
      report(progress, 0, "counting in the database");
    }
  }
}

}  // namespace fugu::inline in_count
