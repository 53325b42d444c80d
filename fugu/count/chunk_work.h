// A table's chunks counted on several threads, with the lines of the file in what comes out.
#pragma once

#include <tbb/global_control.h>

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "fugu/core/error.h"
#include "fugu/core/progress.h"
#include "fugu/csv/chunk_scan.h"
#include "fugu/csv/chunks.h"

namespace fugu::inline in_count {

// A chunk that could not be counted, or, when it is empty, could not be read.
struct ChunkFailure {
  uint64_t number;
  Chunk chunk;
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
  const ChunkFailure* failure() const { return failure_ ? &*failure_ : nullptr; }
  uint64_t total() const { return total_; }
  // The first line of each chunk.
  std::vector<uint64_t> first_lines() const {
    std::vector<uint64_t> first(lines_.size());
    std::exclusive_scan(lines_.begin(), lines_.end(), first.begin(), reader_.first_line());
    return first;
  }

 private:
  void fail(ChunkFailure failure) {
    stopped_ = true;
    if (!failure_ || failure.number < failure_->number) failure_ = std::move(failure);
  }

  ChunkReader& reader_;
  std::mutex mutex_;
  std::vector<uint64_t> lines_;  // by the chunk's number
  uint64_t total_ = 0;
  bool stopped_ = false;
  std::optional<ChunkFailure> failure_;
};

// Where a row was first seen: the chunk's number and the line within it. Each thread's chunks come in order,
// so that the first row it sees of a kind is the first of those it gets. A chunk has less than 2^32 lines.
class RowPlace {
 public:
  static uint64_t of(uint64_t chunk, uint64_t line) { return chunk << 32 | line; }
  static uint64_t line_in_chunk(uint64_t place) { return place & 0xFFFFFFFF; }
  static uint64_t line_in_file(uint64_t place, const std::vector<uint64_t>& first_lines) {
    return first_lines[place >> 32] + line_in_chunk(place) - 1;
  }
};

struct ChunksDone {
  uint64_t records = 0;
  std::vector<uint64_t> first_lines;  // of each chunk
};

// One thread for each worker, which has `ScanResult count(const Chunk&)`. Where one throws, `again(chunk,
// first_line)` scans its chunk once more, from its true line, for an error with the right one; it says no
// file.
template <class Worker>
ChunksDone over_chunks(ChunkReader& reader, std::deque<Worker>& workers,
                       const std::function<void(const Chunk&, uint64_t)>& again, const Progress& progress) {
  ChunkQueue queue(reader);
  auto work = [&](Worker& worker, const Progress& tell) {
    for (Chunk chunk; queue.next(chunk);) {
      try {
        queue.done(chunk.number(), worker.count(chunk));
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
    for (size_t k = 1; k < workers.size(); ++k) others.emplace_back([&, k] { work(workers[k], {}); });
    work(workers[0], progress);
  } catch (...) {  // what progress throws, or no thread to be had
    queue.stop();
    join();
    throw;
  }
  join();
  ChunksDone done{queue.total(), queue.first_lines()};
  if (const ChunkFailure* failure = queue.failure()) {
    try {
      std::rethrow_exception(failure->error);
    } catch (const Error&) {
      if (failure->chunk.text().empty()) throw;
    }
    try {
      again(failure->chunk,
            failure->number < done.first_lines.size() ? done.first_lines[failure->number] : 0);
    } catch (const Error& error) {
      throw error.at(reader.head().file);
    }
    std::rethrow_exception(failure->error);
  }
  return done;
}

// As many as TBB allows when 0.
inline size_t threads_for(size_t threads) {
  return threads != 0 ? threads
                      : tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
}

}  // namespace fugu::inline in_count
