#include "fugu/models/row_counts.h"

#include <tbb/global_control.h>

#include <algorithm>
#include <array>
#include <deque>
#include <exception>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <thread>

#include "fugu/core/error.h"
#include "fugu/table/chunk_scan.h"
#include "fugu/table/short_rows.h"

namespace fugu {
namespace {

struct Failure {
  uint64_t number;  // of the chunk
  Chunk chunk;      // empty when it could not be read
  std::exception_ptr error;
};

// Hands out chunks, one thread at a time, and keeps what is known of those that are done.
class ChunkQueue {
 public:
  explicit ChunkQueue(ChunkReader& reader) : reader_(reader) {}

  // After a failure there are no more: all chunks before it are out already.
  bool next(Chunk& chunk) {
    std::lock_guard lock(mutex_);
    if (stopped_) return false;
    uint64_t number = lines_.size();
    try {
      if (!reader_.next(chunk)) return false;
      lines_.push_back(0);
      return true;
    } catch (...) {
      fail({number, {}, std::current_exception()});
      return false;
    }
  }

  void done(uint64_t number, const ScanResult& result) {
    std::lock_guard lock(mutex_);
    lines_[number] = result.lines;
    total_ += result.records;
  }

  void failed(Chunk chunk) {
    std::lock_guard lock(mutex_);
    uint64_t number = chunk.number();
    fail({number, std::move(chunk), std::current_exception()});
  }

  void stop() {
    std::lock_guard lock(mutex_);
    stopped_ = true;
  }

  // For when all threads are through.
  const Failure* failure() const { return failure_ ? &*failure_ : nullptr; }
  uint64_t total() const { return total_; }
  // The first line of each chunk.
  std::vector<uint64_t> first_lines() const {
    std::vector<uint64_t> first(lines_.size());
    std::exclusive_scan(lines_.begin(), lines_.end(), first.begin(), reader_.first_line());
    return first;
  }

 private:
  void fail(Failure failure) {
    stopped_ = true;
    if (!failure_ || failure.number < failure_->number) failure_ = std::move(failure);
  }

  ChunkReader& reader_;
  std::mutex mutex_;
  std::vector<uint64_t> lines_;  // by the chunk's number
  uint64_t total_ = 0;
  bool stopped_ = false;
  std::optional<Failure> failure_;
};

// Where a row was first seen: the chunk's number and the line within it. Each thread's chunks come in order,
// so that the first row it sees of a kind is the first of those it gets. A chunk has less than 2^32 lines.
constexpr uint64_t kLineOfPlace = 0xFFFFFFFF;

// One thread's counts, of rows of kShort fields; 0 for any number, which takes longer.
template <size_t kShort>
class RowCounter {
 public:
  RowCounter(CsvLayout layout, const RowCheck& check)
      : fields_(layout.wanted.size()), scanner_(std::move(layout)), check_(check) {}

  ScanResult count(const Chunk& chunk) {
    auto is_new = [&](const auto& texts, uint64_t place) {
      std::array<Field, std::tuple_size_v<std::decay_t<decltype(texts)>>> fields;
      std::transform(texts.begin(), texts.end(), fields.begin(), [](std::string_view text) {
        return Field{text, {}};
      });
      check_(fields.data(), place & kLineOfPlace);
    };
    const uint64_t number = chunk.number();
    auto visit = [&, number](const Field* fields, uint64_t line, std::string_view) FUGU_HOT_LAMBDA {
      uint64_t place = number << 32 | line;
      if constexpr (kShort > 0) {
        if (shortest_.fits(fields)) return shortest_.add(fields, place, is_new);
        std::array<Field, kShort>
            copy;  // whose address may be taken: the fields themselves stay in registers
        for (size_t k = 0; k < kShort; ++k) copy[k] = fields[k];
        count_longer(copy.data(), place, is_new);
      } else {
        count_long(fields, place);
      }
    };
    ScanResult result = scanner_.scan(chunk, 1, visit);
    if constexpr (kShort > 0) {
      shortest_.flush(is_new);
      short_.flush(is_new);
    }
    return result;
  }

  // Calls use(key, count, place): the texts parted by NULs, and where they were first seen.
  template <class Use>
  void for_each(Use&& use) const {
    if constexpr (kShort > 0) {
      auto join = [&](const auto& texts, uint64_t count, uint64_t place) {
        std::string key = texts[0];
        for (size_t k = 1; k < kShort; ++k) key.append(1, '\0').append(texts[k]);
        use(std::move(key), count, place);
      };
      shortest_.for_each(join);
      short_.for_each(join);
    }
    for (const Tally::Entry& entry : long_.entries()) use(std::string(entry.key), entry.count, entry.line);
  }

 private:
  template <class IsNew>
  __attribute__((noinline)) void count_longer(const Field* fields, uint64_t place, const IsNew& is_new) {
    if (short_.fits(fields)) {
      short_.add(fields, place, is_new);
    } else {
      count_long(fields, place);
    }
  }

  void count_long(const Field* fields, uint64_t place) {
    key_.assign(fields[0].text);
    for (size_t k = 1; k < fields_; ++k) key_.append(1, '\0').append(fields[k].text);
    size_t known = long_.size();
    long_.add(key_, place);
    if (long_.size() > known) check_(fields, place & kLineOfPlace);
  }

  size_t fields_;
  ChunkScanner scanner_;
  const RowCheck& check_;
  ShortRows<kShort, 1> shortest_;  // rows whose texts have at most 8 bytes
  ShortRows<kShort, 2> short_;     // at most 16
  Tally long_;                     // the others
  std::string key_;
};

// The error of the chunk that failed, with the lines of the file.
[[noreturn]] void fail(const Failure& failure, uint64_t first_line, CsvLayout layout, const RowCheck& check,
                       const std::string& file) {
  try {
    std::rethrow_exception(failure.error);
  } catch (const Error&) {
    if (failure.chunk.text().empty()) throw;
  }
  try {
    auto visit = [&](const Field* fields, uint64_t line, std::string_view) { check(fields, line); };
    ChunkScanner(std::move(layout)).scan(failure.chunk, first_line, visit);
  } catch (const Error& error) {
    throw error.at(file);
  }
  std::rethrow_exception(failure.error);
}

template <size_t kShort>
RowCounts count_on(ChunkReader& reader, const CsvLayout& layout, const RowCheck& check, size_t threads,
                   const Progress& progress) {
  ChunkQueue queue(reader);
  std::deque<RowCounter<kShort>> counters;
  for (size_t k = 0; k < threads; ++k) counters.emplace_back(layout, check);
  auto work = [&](RowCounter<kShort>& counter, const Progress& tell) {
    for (Chunk chunk; queue.next(chunk);) {
      try {
        queue.done(chunk.number(), counter.count(chunk));
      } catch (...) {
        queue.failed(std::move(chunk));
        return;
      }
      report(tell, reader.fraction(), "reading the table");
    }
  };
  std::vector<std::thread> others;
  auto join = [&] {
    for (std::thread& other : others) other.join();
  };
  try {
    for (size_t k = 1; k < threads; ++k) others.emplace_back([&, k] { work(counters[k], {}); });
    work(counters[0], progress);
  } catch (...) {  // what progress throws, or no thread to be had
    queue.stop();
    join();
    throw;
  }
  join();

  std::vector<uint64_t> first_lines = queue.first_lines();
  if (const Failure* failure = queue.failure()) {
    uint64_t line = failure->number < first_lines.size() ? first_lines[failure->number] : 0;
    fail(*failure, line, layout, check, reader.head().file);
  }
  struct Part {
    uint64_t line;
    std::string key;
    uint64_t count;
  };
  std::vector<Part> parts;
  for (const auto& counter : counters) {
    counter.for_each([&](std::string key, uint64_t count, uint64_t place) {
      uint64_t line = first_lines[place >> 32] + (place & kLineOfPlace) - 1;
      parts.push_back({line, std::move(key), count});
    });
  }
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.line < b.line; });
  RowCounts result{{}, queue.total()};
  for (const Part& part : parts) result.rows.add(part.key, part.line, part.count);
  return result;
}

}  // namespace

RowCounts count_rows(ChunkReader& reader, const std::vector<size_t>& columns, const RowCheck& check,
                     size_t threads, const Progress& progress) {
  if (threads == 0) {
    threads = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  }
  CsvLayout layout = reader.layout(columns);
  switch (columns.size()) {
    case 2:
      return count_on<2>(reader, layout, check, threads, progress);
    case 3:
      return count_on<3>(reader, layout, check, threads, progress);
    case 4:
      return count_on<4>(reader, layout, check, threads, progress);
    default:
      return count_on<0>(reader, layout, check, threads, progress);
  }
}

}  // namespace fugu
