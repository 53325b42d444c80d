#include "fugu/release/arrow_release.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#include "fugu/core/error.h"
#include "fugu/release/arrow_writer.h"
#include "fugu/release/left_out_row.h"
#include "fugu/sample/mechanism_sampler.h"
#include "fugu/sample/random.h"
#include "fugu/table/arrow_build.h"
#include "fugu/table/arrow_reader.h"

namespace fugu {
namespace {

constexpr int64_t kSlice = int64_t{1} << 16;

// A stretch of rows that one thread reads and releases.
struct Slice {
  size_t chunk;
  int64_t from, count;
  uint64_t row;                  // of the first, from 1
  std::vector<int64_t> index{};  // of the rows that are not left out; then of what is released
};

class ColumnWork {
 public:
  ColumnWork(const ArrowTable& table, size_t k, const ColumnRelease& column,
             const ArrowReleaseOptions& options)
      : table_(table),
        column_(k),
        place_(table.head().column_place(k)),
        type_(arrow_type(table.column(k), table.head().file + ": " + place_)),
        release_(column),
        options_(options),
        values_(column.map, ',', inputs_of(column.mechanism)),
        sampler_(column.mechanism),
        drops_(options.drop || column.map.source.missing == "drop") {
    uint64_t row = 1;
    for (size_t chunk = 0; chunk < table.chunks(); ++chunk) {
      for (int64_t from = 0; from < table.rows(chunk); from += kSlice) {
        const int64_t count = std::min(kSlice, table.rows(chunk) - from);
        slices_.push_back({chunk, from, count, row});
        row += static_cast<uint64_t>(count);
      }
    }
    left_out_ = options.leave_out;
    left_out_.resize(row - 1);
  }

  ArrowReleased run(const Progress& progress) {
    tbb::parallel_for(size_t{0}, slices_.size(), [&](size_t s) {
      if (failed_ < s) return;
      try {
        work(slices_[s]);
        tell(progress);
      } catch (...) {
        fail(s);
      }
    });
    if (error_) rethrow();
    ArrowReleased result;
    const ArrowType type = released_type(type_, release_);
    result.column.schema = make_schema(type, table_.head().header[column_]);
    size_t s = 0;
    for (size_t chunk = 0; chunk < table_.chunks(); ++chunk) {
      std::vector<int64_t> index;
      for (; s < slices_.size() && slices_[s].chunk == chunk; ++s) {
        index.insert(index.end(), slices_[s].index.begin(), slices_[s].index.end());
        slices_[s].index = {};
      }
      result.column.chunks.push_back(write_released(index, type, release_, values_));
    }
    if (std::any_of(left_out_.begin(), left_out_.end(), [](uint8_t flag) { return flag != 0; }))
      result.left_out = std::move(left_out_);
    std::map<int64_t, uint64_t> counts;
    for (const auto& worker : workers_) {
      for (size_t n = 0; n < worker->places.size(); ++n)
        if (worker->counts[n] > 0) counts[worker->places[n].index] += worker->counts[n];
    }
    result.counts.assign(counts.begin(), counts.end());
    return result;
  }

 private:
  struct Worker {
    explicit Worker(const ColumnWork& release)
        : reader(release.type_, release.table_.head().name(), release.place_), numbers(kSlice) {}
    ArrowReader reader;
    SecureRandom random;
    std::vector<uint32_t> numbers;
    std::vector<Placed> places;    // by the reader's numbers
    std::vector<uint64_t> counts;  // the same
  };

  void work(Slice& slice) {
    Worker& worker = *workers_.local();
    worker.reader.forget_dictionary();
    worker.reader.read(table_.column(slice.chunk, column_), table_.offset(slice.chunk) + slice.from,
                       slice.count, slice.row, worker.numbers.data());
    while (worker.places.size() < worker.reader.size()) {
      Placed placed = values_.place(worker.reader.text(static_cast<uint32_t>(worker.places.size())));
      if (options_.only_plan_values && placed.kind == Placed::kValue &&
          !is_among(release_.map.values, placed.index))
        placed = {};
      worker.places.push_back(placed);
      worker.counts.push_back(0);
    }
    slice.index.reserve(static_cast<size_t>(slice.count));
    for (int64_t r = 0; r < slice.count; ++r) {
      const uint32_t number = worker.numbers[static_cast<size_t>(r)];
      const uint64_t row = slice.row + static_cast<uint64_t>(r);
      const Placed& placed = worker.places[number];
      if (left_out_[row - 1] != 0) continue;
      if (placed.kind == Placed::kValue) [[likely]] {
        slice.index.push_back(placed.index);
        ++worker.counts[number];
      } else {
        leave_out(placed, row);
      }
    }
    sampler_.release(worker.random, slice.index);
  }

  void leave_out(const Placed& placed, uint64_t row) {
    const std::string row_place = table_.head().name().row(row) + ", " + place_, where = row_place + ": ";
    if (placed.kind == Placed::kMissing && !drops_)
      throw Error(ErrorKind::kData, where + "the field is missing", "--missing drop leaves such rows out");
    if (placed.kind == Placed::kUnknown && !options_.drop) {
      throw Error(ErrorKind::kData, where + "the plan does not know this value",
                  "correct the row, calibrate with a table that has it, or leave such rows out with drop");
    }
    if (options_.beside_kept) throw seen_to_be_left_out(row_place);
    left_out_[row - 1] = 1;
  }

  // Other threads may still find an earlier one.
  void fail(size_t s) {
    const std::lock_guard lock(mutex_);
    if (error_ && failed_ < s) return;
    failed_ = s;
    error_ = std::current_exception();
  }

  void rethrow() const {
    try {
      std::rethrow_exception(error_);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kData && error.kind() != ErrorKind::kUsage) throw;
      throw error.at(table_.head().file);
    }
  }

  void tell(const Progress& progress) {
    const size_t done = ++done_;
    if (!progress) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) progress(static_cast<double>(done) / static_cast<double>(slices_.size()), "releasing");
  }

  const ArrowTable& table_;
  const size_t column_;
  const std::string place_;
  const ArrowType type_;
  const ColumnRelease& release_;
  const ArrowReleaseOptions& options_;
  const ReleasedValues values_;
  const MechanismSampler sampler_;
  const bool drops_;
  std::vector<Slice> slices_;
  std::vector<uint8_t> left_out_;
  std::mutex mutex_;
  std::atomic<size_t> done_ = 0, failed_ = SIZE_MAX;
  std::exception_ptr error_;
  tbb::enumerable_thread_specific<std::unique_ptr<Worker>> workers_{
      [this] { return std::make_unique<Worker>(*this); }};
};

}  // namespace

ArrowReleased release_column(const ArrowTable& table, size_t k, const ColumnRelease& column,
                             const ArrowReleaseOptions& options, const Progress& progress) {
  return ColumnWork(table, k, column, options).run(progress);
}

}  // namespace fugu
