#include "fugu/count/arrow_slices.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

namespace fugu::inline in_count {

// Behind the first error there are no more: all slices before it are out already.
ArrowSlice ArrowSlices::take() {
  const std::lock_guard lock(mutex_);
  try {
    while (!stopped_ && left_.count == 0) {
      left_ = {next_(), chunks_++, 0, 0, left_.row};
      if (!left_.chunk) stopped_ = true;
      left_.count = left_.chunk ? left_.chunk->length : 0;
    }
  } catch (...) {
    stopped_ = true;
    if (!error_) {
      error_ = std::current_exception();
      failed_ = left_.row;
    }
  }
  if (stopped_) return {};
  ArrowSlice slice = left_;
  slice.count = std::min(slice.count, most_);
  left_.from += slice.count;
  left_.count -= slice.count;
  left_.row += static_cast<uint64_t>(slice.count);
  return slice;
}

void ArrowSlices::fail(uint64_t row) {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  if (error_ && failed_ < row) return;
  error_ = std::current_exception();
  failed_ = row;
}

void ArrowSlices::run(size_t threads, const Work& work, const Progress& progress, double all_rows) {
  std::vector<std::thread> others;
  auto go = [&](size_t thread, ArrowSlice slice, const Progress& tell) {
    for (; slice.chunk; slice = take()) {
      try {
        work(thread, slice);
        report(tell, all_rows > 0 ? static_cast<double>(slice.row - 1) / all_rows : 0, "reading the table");
      } catch (...) {
        fail(slice.row);
      }
    }
  };
  // A table of one slice needs no other thread.
  ArrowSlice first = take();
  try {
    for (size_t k = 1; k < threads && first.chunk; ++k) {
      ArrowSlice slice = take();
      if (!slice.chunk) break;
      others.emplace_back([&go, k, slice = std::move(slice)]() mutable { go(k, std::move(slice), {}); });
    }
  } catch (...) {  // no thread to be had
    fail(0);
  }
  go(0, std::move(first), progress);
  for (std::thread& other : others) other.join();
  if (error_) std::rethrow_exception(error_);
}

}  // namespace fugu::inline in_count
