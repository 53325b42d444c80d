#include "fugu/release/arrow_release.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <memory>
#include <mutex>

#include "fugu/arrow/arrow_build.h"
#include "fugu/core/error.h"
#include "fugu/release/arrow_row_reader.h"
#include "fugu/release/arrow_writer.h"
#include "fugu/release/released_values.h"
#include "fugu/release/row_draw.h"
#include "fugu/sample/random.h"

namespace fugu::inline in_release {
namespace {

constexpr int64_t kSlice = int64_t{1} << 16;

// A stretch of rows that one thread reads and releases.
struct Slice {
  size_t chunk;
  int64_t from, count;
  uint64_t row;  // of the first, from 1
  // By released column: of the rows that are not left out; then of what is released.
  std::vector<std::vector<int64_t>> index{};
};

class ArrowWork {
 public:
  ArrowWork(const ArrowTable& table, RowLayout layout, const std::vector<ColumnRelease>& columns,
            const RowDraw& draw, ChosenRows* chosen)
      : table_(table), layout_(std::move(layout)), columns_(columns), draw_(draw), chosen_(chosen) {
    for (const ColumnRelease& column : columns)
      values_.emplace_back(column.map, kNoSeparator, inputs_of(column));
    if (draw.is_whole()) layout_.draw = &draw;
    for (const ReleasedValues& column : values_) layout_.terms.maps.push_back(&column.fields());
    uint64_t row = 1;
    for (size_t chunk = 0; chunk < table.chunks(); ++chunk) {
      for (int64_t from = 0; from < table.rows(chunk); from += kSlice) {
        const int64_t count = std::min(kSlice, table.rows(chunk) - from);
        slices_.push_back({chunk, from, count, row});
        row += static_cast<uint64_t>(count);
      }
    }
    left_out_.resize(row - 1);
    hidden_.resize(layout_.terms.strata ? row - 1 : 0);
  }

  ArrowReleased run(const std::vector<Point>& points, LabelsSeen& seen, const Progress& progress) {
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
    for (const auto& worker : workers_) worker->reader.rows().check_labels(seen);
    ArrowReleased result;
    for (size_t c = 0; c < columns_.size(); ++c) result.columns.push_back(written(c));
    if (has_any(left_out_)) result.left_out = std::move(left_out_);
    if (has_any(hidden_)) result.hidden = std::move(hidden_);
    for (const auto& worker : workers_) {
      worker->reader.rows().collect(points, result.counts, result.masses);
      result.watched.add(worker->reader.watched());
    }
    return result;
  }

 private:
  static bool has_any(const std::vector<uint8_t>& flags) {
    return std::any_of(flags.begin(), flags.end(), [](uint8_t flag) { return flag != 0; });
  }
  void leave_out(uint64_t row, LeftOut why) { left_out_[row] = static_cast<uint8_t>(why); }

  struct Worker {
    explicit Worker(const ArrowWork& release) : reader(release.table_, release.layout_, release.chosen_) {}
    ArrowRowReader reader;
    SecureRandom random;
    std::vector<uint32_t> numbers;
  };

  void work(Slice& slice) {
    Worker& worker = *workers_.local();
    worker.reader.read(slice.chunk, slice.from, slice.count, slice.row, worker.numbers);
    const RowReader& rows = worker.reader.rows();
    slice.index.resize(columns_.size());
    for (auto& index : slice.index) index.reserve(static_cast<size_t>(slice.count));
    for (size_t r = 0; r < worker.numbers.size(); ++r) {
      if (worker.numbers[r] == ArrowRowReader::kUndrawn) {
        leave_out(slice.row - 1 + r, LeftOut::kUndrawn);
        continue;
      }
      const Placed placed = rows.placed(worker.numbers[r]);
      if (placed.kind != Placed::kValue) {
        leave_out(slice.row - 1 + r,
                  rows.is_counted(worker.numbers[r]) ? LeftOut::kOutside : LeftOut::kDropped);
        continue;
      }
      if (rows.stratum(worker.numbers[r]).kind == Stratum::kMerged) hidden_[slice.row - 1 + r] = 1;
      if (columns_.size() == 1 || draw_.is_whole()) {
        slice.index[0].push_back(placed.index);
      } else {
        const Point& value = rows.value(worker.numbers[r]);
        for (size_t c = 0; c < value.size(); ++c) slice.index[c].push_back(value[c]);
      }
    }
    draw_.release(worker.random, slice.index);
  }

  ArrowColumn written(size_t c) {
    const size_t place = layout_.wanted[layout_.terms.published() + c];
    const TableHead& head = table_.head();
    const ArrowType type = released_type(
        arrow_type(table_.column(place), head.file + ": " + head.column_place(place)), columns_[c]);
    ArrowColumn column;
    column.schema = make_schema(type, head.header[place]);
    size_t s = 0;
    for (size_t chunk = 0; chunk < table_.chunks(); ++chunk) {
      std::vector<int64_t> index;
      for (; s < slices_.size() && slices_[s].chunk == chunk; ++s) {
        index.insert(index.end(), slices_[s].index[c].begin(), slices_[s].index[c].end());
        slices_[s].index[c] = {};
      }
      column.chunks.push_back(write_released(index, type, columns_[c], values_[c]));
    }
    return column;
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
      const std::string& file = table_.head().file;
      const bool of_row = error.kind() == ErrorKind::kData || error.kind() == ErrorKind::kUsage;
      if (!of_row || error.message().starts_with(file)) throw;
      throw error.at(file);
    }
  }

  void tell(const Progress& progress) {
    const size_t done = ++done_;
    if (!progress) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) progress(static_cast<double>(done) / static_cast<double>(slices_.size()), "releasing");
  }

  const ArrowTable& table_;
  RowLayout layout_;
  const std::vector<ColumnRelease>& columns_;
  const RowDraw& draw_;
  ChosenRows* chosen_;
  std::vector<ReleasedValues> values_;
  std::vector<Slice> slices_;
  std::vector<uint8_t> left_out_, hidden_;
  std::mutex mutex_;
  std::atomic<size_t> done_ = 0, failed_ = SIZE_MAX;
  std::exception_ptr error_;
  tbb::enumerable_thread_specific<std::unique_ptr<Worker>> workers_{
      [this] { return std::make_unique<Worker>(*this); }};
};

}  // namespace

ArrowReleased release_arrow(const ArrowTable& table, const RowLayout& layout,
                            const std::vector<ColumnRelease>& columns, const RowDraw& draw,
                            const std::vector<Point>& points, LabelsSeen& seen, const Progress& progress,
                            ChosenRows* chosen) {
  return ArrowWork(table, layout, columns, draw, chosen).run(points, seen, progress);
}

RowLayout layout_of_column(const ArrowTable& table, const ColumnRelease& column,
                           const ColumnReleaseOptions& options) {
  RowLayout layout;
  layout.wanted = {0};
  layout.places = {table.head().column_place(0)};
  layout.name = table.head().name();
  layout.terms.na = column.map.source.na;
  layout.terms.missing = column.map.source.missing;
  layout.terms.drop = options.drop;
  layout.terms.keeps = options.beside_kept;
  if (options.only_plan_values) layout.terms.values = std::make_shared<const PlanValues>(column.map.values);
  return layout;
}

ArrowReleased release_column(const ArrowTable& table, const ColumnRelease& column,
                             const ColumnReleaseOptions& options, const Progress& progress) {
  LabelsSeen seen;
  return release_arrow(table, layout_of_column(table, column, options), {column}, RowDraw({column}), {}, seen,
                       progress);
}

}  // namespace fugu::inline in_release
