// Chunks of Arrow columns in slices, handed out to several threads in the order of their rows.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>

#include "fugu/arrow/arrow_abi.h"
#include "fugu/core/progress.h"

namespace fugu::inline in_count {

struct ArrowSlice {
  std::shared_ptr<const ArrowArray> chunk;  // null behind the last one
  uint64_t chunk_number = 0;
  int64_t from = 0, count = 0;
  uint64_t row = 1;  // of the first, from 1
};

class ArrowSlices {
 public:
  // Asked for one chunk after the other, by one thread at a time; null behind the last one.
  using Next = std::function<std::shared_ptr<const ArrowArray>()>;
  ArrowSlices(Next next, int64_t most) : next_(std::move(next)), most_(most) {}

  // Calls work(thread, slice) on so many threads until there is none left. What is thrown is the error of the
  // first slice in the table that has one, or of reading it. Progress is told by the calling thread.
  using Work = std::function<void(size_t thread, const ArrowSlice& slice)>;
  void run(size_t threads, const Work& work, const Progress& progress, double all_rows);

 private:
  ArrowSlice take();
  void fail(uint64_t row);

  Next next_;
  int64_t most_;
  std::mutex mutex_;
  ArrowSlice left_;  // of the chunk whose slices are handed out
  uint64_t chunks_ = 0;
  bool stopped_ = false;
  std::exception_ptr error_;
  uint64_t failed_ = 0;  // the row of its slice
};

}  // namespace fugu::inline in_count
