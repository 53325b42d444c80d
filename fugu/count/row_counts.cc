#include "fugu/count/row_counts.h"

#include <algorithm>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "fugu/count/chunk_work.h"
#include "fugu/count/text_counter.h"
#include "fugu/csv/row_cache.h"

namespace fugu::inline in_count {
namespace {

// The rows of chunks whose order is remembered, by numbers of their own.
class NumberedRows {
 public:
  explicit NumberedRows(size_t fields) : fields_(fields), cache_(fields) {}

  bool is_full() const { return counts_.size() >= RowOrder::kMostNumbers; }

  // The number of the row; `check` is called for a new one. Each is counted once more by count().
  FUGU_HOT uint32_t number(const Field* fields, uint64_t place, const RowCheck& check) {
    return cache_.get(fields, [&] { return number_of_any(fields, place, check); });
  }
  void count(std::span<const uint32_t> numbers) {
    for (const uint32_t number : numbers) ++counts_[number];
  }

  // By number.
  const Tally& rows() const { return rows_; }
  const std::vector<uint64_t>& counts() const { return counts_; }

 private:
  __attribute__((noinline)) uint32_t number_of_any(const Field* fields, uint64_t place,
                                                   const RowCheck& check) {
    key_.assign(fields[0].text);
    for (size_t k = 1; k < fields_; ++k) key_.append(1, '\0').append(fields[k].text);
    const size_t known = rows_.size();
    const auto number = static_cast<uint32_t>(rows_.add(key_, place));
    if (rows_.size() > known) {
      counts_.push_back(0);
      check(fields, RowPlace::line_in_chunk(place));
    }
    return number;
  }

  size_t fields_;
  RowCache cache_;
  Tally rows_;  // with the places where they were first seen
  std::vector<uint64_t> counts_;
  std::string key_;
};

// One thread's counts, of rows of kShort fields; 0 for any number, which takes longer. Behind them stand the
// watched columns, where there are any.
template <size_t kShort>
class RowCounter {
 public:
  RowCounter(const CsvLayout& layout, const RowCheck& check, const Watched& watched, OrderRoom& room)
      : fields_(layout.wanted.size() - watched.columns.size()),
        columns_(layout.columns),
        texts_(fields_),
        numbered_(fields_),
        scanner_(layout),
        check_(check),
        watched_columns_(watched.columns.size()),
        watched_(watched),
        room_(room) {}

  ScanResult count(const Chunk& chunk) {
    return room_.is_empty() || numbered_.is_full() ? count_texts(chunk) : count_numbered(chunk);
  }

  const TextCounter<kShort>& texts() const { return texts_; }
  const NumberedRows& numbered() const { return numbered_; }
  const WatchedCounts& watched() const { return watched_; }
  // By the chunk's number.
  std::map<uint64_t, RowOrder::Part>& parts() { return parts_; }

 private:
  ScanResult count_numbered(const Chunk& chunk) {
    // A record has a byte after each field, but for the last one of the table.
    const size_t most = chunk.text().size() / columns_ + 1;
    if (numbers_.size() < most) numbers_.resize(most);
    uint32_t* end = numbers_.data();
    const uint64_t place = RowPlace::of(chunk.number(), 0);
    auto visit = [&](const Field* fields, uint64_t line, std::string_view) FUGU_HOT_LAMBDA {
      *end++ = numbered_.number(fields, place + line, check_);
      for (size_t k = 0; k < watched_columns_; ++k) watched_.add(k, fields[fields_ + k].text);
    };
    const ScanResult result = scanner_.scan(chunk, 1, visit);
    const std::span<const uint32_t> numbers(numbers_.data(), end);
    numbered_.count(numbers);
    if (numbered_.counts().size() > RowOrder::kMostNumbers) return result;
    RowOrder::Part part{.lines = result.lines, .end = chunk.end(), .ends_line = chunk.ends_line()};
    part.put(numbers);
    if (room_.take(part.bytes())) parts_.emplace(chunk.number(), std::move(part));
    return result;
  }

  ScanResult count_texts(const Chunk& chunk) {
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

  size_t fields_, columns_;
  TextCounter<kShort> texts_;
  NumberedRows numbered_;
  ChunkScanner scanner_;
  const RowCheck& check_;
  size_t watched_columns_;
  WatchedCounts watched_;
  OrderRoom& room_;
  std::vector<uint32_t> numbers_;  // never smaller again: filling it takes its time
  std::map<uint64_t, RowOrder::Part> parts_;
};

// What the threads remember, as far as no chunk is missing.
template <class Counters>
RowOrder joined(Counters& counters, const Tally& rows, size_t chunks, size_t chunk_size) {
  RowOrder order{.chunk_size = chunk_size};
  std::vector<RowOrder::Part*> parts(chunks);
  for (size_t c = 0; c < counters.size(); ++c) {
    for (auto& [chunk, part] : counters[c].parts()) {
      part.counter = c;
      parts[chunk] = &part;
    }
  }
  for (RowOrder::Part* part : parts) {
    if (!part) break;
    order.parts.push_back(std::move(*part));
  }
  order.whole = order.parts.size() == chunks;
  if (order.parts.empty()) return order;
  for (auto& counter : counters) {
    std::vector<uint32_t>& known = order.known.emplace_back();
    for (const Tally::Entry& row : counter.numbered().rows().entries())
      known.push_back(static_cast<uint32_t>(rows.find(row.key).value()));
  }
  return order;
}

template <size_t kShort>
RowCounts count_on(ChunkReader& reader, const CsvLayout& layout, const RowCheck& check,
                   const Watched& watched, size_t threads, const Progress& progress, size_t most_order) {
  OrderRoom room(most_order);
  std::deque<RowCounter<kShort>> counters;
  for (size_t k = 0; k < threads; ++k) counters.emplace_back(layout, check, watched, room);
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
    auto add = [&](std::string key, uint64_t count, uint64_t place) {
      parts.push_back({RowPlace::line_in_file(place, done.first_lines), std::move(key), count});
    };
    counter.texts().for_each(add);
    const auto& numbered = counter.numbered().rows().entries();
    for (size_t k = 0; k < numbered.size(); ++k)
      add(std::string(numbered[k].key), counter.numbered().counts()[k], numbered[k].line);
  }
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.line < b.line; });
  RowCounts result{{}, done.records};
  for (const Part& part : parts) result.rows.add(part.key, part.line, part.count);
  result.watched = WatchedCounts(watched);
  for (const auto& counter : counters) result.watched.add(counter.watched());
  if (most_order > 0)
    result.order = joined(counters, result.rows, done.first_lines.size(), reader.chunk_size());
  return result;
}

}  // namespace

RowCounts count_rows(ChunkReader& reader, const std::vector<size_t>& columns, const RowCheck& check,
                     size_t threads, const Progress& progress, const Watched& watched, size_t most_order) {
  threads = threads_for(threads);
  if (columns.size() > RowCache::kMostFields) most_order = 0;  // numbers would take longer to find
  std::vector<size_t> wanted = columns;
  wanted.insert(wanted.end(), watched.columns.begin(), watched.columns.end());
  const CsvLayout layout = reader.layout(std::move(wanted));
  switch (columns.size()) {
    case 2:
      return count_on<2>(reader, layout, check, watched, threads, progress, most_order);
    case 3:
      return count_on<3>(reader, layout, check, watched, threads, progress, most_order);
    case 4:
      return count_on<4>(reader, layout, check, watched, threads, progress, most_order);
    default:
      return count_on<0>(reader, layout, check, watched, threads, progress, most_order);
  }
}

}  // namespace fugu::inline in_count
