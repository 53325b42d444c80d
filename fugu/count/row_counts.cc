#include "fugu/count/row_counts.h"

#include <algorithm>
#include <deque>
#include <string>

#include "fugu/count/chunk_work.h"
#include "fugu/count/text_counter.h"

namespace fugu::inline in_count {
namespace {

// One thread's counts, of rows of kShort fields; 0 for any number, which takes longer. Behind them stand the
// watched columns, where there are any.
template <size_t kShort>
class RowCounter {
 public:
  RowCounter(const CsvLayout& layout, const RowCheck& check, const Watched& watched)
      : fields_(layout.wanted.size() - watched.columns.size()),
        texts_(fields_),
        scanner_(layout),
        check_(check),
        watched_columns_(watched.columns.size()),
        watched_(watched) {}

  ScanResult count(const Chunk& chunk) {
    auto is_new = [&](const Field* fields, uint64_t place) {
      check_(fields, RowPlace::line_in_chunk(place));
    };
    const uint64_t number = chunk.number();
    auto visit = [&, number](const Field* fields, uint64_t line, std::string_view) FUGU_HOT_LAMBDA {
      texts_.add(fields, RowPlace::of(number, line), is_new);
      for (size_t k = 0; k < watched_columns_; ++k) watched_.add(k, fields[fields_ + k].text);
    };
    ScanResult result = scanner_.scan(chunk, 1, visit);
    texts_.flush(is_new);
    return result;
  }

  const TextCounter<kShort>& texts() const { return texts_; }
  const WatchedCounts& watched() const { return watched_; }

 private:
  size_t fields_;
  TextCounter<kShort> texts_;
  ChunkScanner scanner_;
  const RowCheck& check_;
  size_t watched_columns_;
  WatchedCounts watched_;
};

template <size_t kShort>
RowCounts count_on(ChunkReader& reader, const CsvLayout& layout, const RowCheck& check,
                   const Watched& watched, size_t threads, const Progress& progress) {
  std::deque<RowCounter<kShort>> counters;
  for (size_t k = 0; k < threads; ++k) counters.emplace_back(layout, check, watched);
  auto again = [&](const Chunk& chunk, uint64_t first_line) {
    auto visit = [&](const Field* fields, uint64_t line, std::string_view) { check(fields, line); };
    ChunkScanner(layout).scan(chunk, first_line, visit);
  };
  const ChunksDone done = over_chunks(reader, counters, again, progress);
  struct Part {
    uint64_t line;
    std::string key;
    uint64_t count;
  };
  std::vector<Part> parts;
  for (const auto& counter : counters) {
    counter.texts().for_each([&](std::string key, uint64_t count, uint64_t place) {
      parts.push_back({RowPlace::line_in_file(place, done.first_lines), std::move(key), count});
    });
  }
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.line < b.line; });
  RowCounts result{{}, done.records};
  for (const Part& part : parts) result.rows.add(part.key, part.line, part.count);
  result.watched = WatchedCounts(watched);
  for (const auto& counter : counters) result.watched.add(counter.watched());
  return result;
}

}  // namespace

RowCounts count_rows(ChunkReader& reader, const std::vector<size_t>& columns, const RowCheck& check,
                     size_t threads, const Progress& progress, const Watched& watched) {
  threads = threads_for(threads);
  std::vector<size_t> wanted = columns;
  wanted.insert(wanted.end(), watched.columns.begin(), watched.columns.end());
  const CsvLayout layout = reader.layout(std::move(wanted));
  switch (columns.size()) {
    case 2:
      return count_on<2>(reader, layout, check, watched, threads, progress);
    case 3:
      return count_on<3>(reader, layout, check, watched, threads, progress);
    case 4:
      return count_on<4>(reader, layout, check, watched, threads, progress);
    default:
      return count_on<0>(reader, layout, check, watched, threads, progress);
  }
}

}  // namespace fugu::inline in_count
