#include "fugu/release/arrow_release.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "fugu/arrow/arrow_build.h"
#include "fugu/core/error.h"
#include "fugu/release/arrow_row_reader.h"
#include "fugu/release/arrow_writer.h"
#include "fugu/release/released_values.h"
#include "fugu/release/row_draw.h"
#include "fugu/sample/random.h"
#include "fugu/table/row_key.h"

namespace fugu::inline in_release {
namespace {

constexpr int64_t kSlice = int64_t{1} << 14;  // whose values the nearer caches hold

// What the columns of a table are called, and their types.
std::vector<std::string> shape_of(const ArrowTable& table) {
  std::vector<std::string> shape;
  for (size_t k = 0; k < table.columns(); ++k) {
    const ArrowSchema& column = table.column(k);
    shape.push_back(table.head().header[k] + '\0' + column.format + '\0' +
                    (column.dictionary ? column.dictionary->format : ""));
  }
  return shape;
}

}  // namespace

class ArrowParts::Work {
 public:
  Work(const ArrowTable& like, RowLayout layout, const std::vector<ColumnRelease>& columns,
       const RowDraw& draw, ChosenRows* chosen)
      : shape_(shape_of(like)),
        layout_(std::move(layout)),
        columns_(columns),
        draw_(draw),
        chosen_(chosen),
        one_by_one_(columns.size() > 1 && !draw.is_whole()),
        head_(like.head()) {
    const TableHead& head = head_;
    for (size_t c = 0; c < columns.size(); ++c) {
      values_.emplace_back(columns[c].map, kNoSeparator, inputs_of(columns[c]));
      const size_t place = layout_.wanted[layout_.terms.published() + c];
      const ArrowType type = arrow_type(like.column(place), head.file + ": " + head.column_place(place));
      types_.push_back(released_type(type, columns[c]));
      names_.push_back(head.header[place]);
    }
    if (draw.is_whole()) layout_.draw = &draw;
    for (const ReleasedValues& column : values_) layout_.terms.maps.push_back(&column.fields());
  }

  ArrowReleased release(const ArrowTable& table, LabelsSeen& seen, const Progress& progress) {
    if (shape_of(table) != shape_)
      throw usage("the parts of the table have different columns", "give all the same columns and types");
    table_ = &table;
    for (const auto& worker : workers_) {
      if (worker->reader) worker->reader->forget_chunk();
    }
    Part part(slices_of(table), table.chunks());
    ArrowReleased result = release(part, progress);
    for (const auto& worker : workers_) {
      if (worker->reader) worker->reader->rows().check_labels(seen);
    }
    return result;
  }

  bool begin_with(const RememberedRows& rows, const std::vector<std::string>& header, LabelsSeen& seen) {
    if (chosen_ || layout_.weight || !layout_.watched.columns.empty() || rows.order().parts.empty())
      return false;
    std::vector<size_t> columns;
    for (size_t k = 0; k < layout_.terms.fields(); ++k) {
      const std::string& name = head_.header[layout_.wanted[k]];
      if (std::ranges::count(header, name) != 1) return false;
      columns.push_back(static_cast<size_t>(std::ranges::find(header, name) - header.begin()));
    }
    const auto places = rows.places(columns);
    if (!places) return false;
    try {
      remembered_.emplace(rows, *places, layout_);
      remembered_->reader.check_labels(seen);
    } catch (...) {
      rethrow(std::current_exception());
    }
    return true;
  }

  ArrowReleased release_remembered(size_t rows, const Progress& progress) {
    std::vector<Slice> slices;
    uint64_t row = 0;
    while (row < rows && remembered_ && remembered_->next < remembered_->order.parts.size()) {
      const RowOrder::Part& next = remembered_->order.parts[remembered_->next++];
      slices.push_back({0, 0, static_cast<int64_t>(next.rows()), row, &next});
      row += next.rows();
    }
    Part part(std::move(slices), 1);
    return release(part, progress);
  }

  void collect(const std::vector<Point>& points, ArrowReleased& result) const {
    for (const auto& worker : workers_) {
      if (!worker->reader) continue;
      worker->reader->rows().collect(points, result.counts, result.masses);
      result.watched.add(worker->reader->watched());
    }
  }
  const Watched& watched() const { return layout_.watched; }

 private:
  // A stretch of rows that one thread reads and releases.
  struct Slice {
    size_t chunk;
    int64_t from, count;
    uint64_t row;                                // of the first in its part, from 0
    const RowOrder::Part* remembered = nullptr;  // where they are not in a table
    size_t released = 0;                         // of its rows
  };

  // Rows that were counted, each distinct one judged once.
  struct Remembered {
    Remembered(const RememberedRows& rows, const std::vector<size_t>& places, const RowLayout& layout)
        : order(rows.order()), reader(layout) {
      std::vector<uint32_t> judged;
      for (const Tally::Entry& row : rows.rows().entries()) {
        const auto texts = texts_in(row.key);
        std::vector<Field> fields;
        for (const size_t place : places) fields.push_back({texts[place], {}});
        judged.push_back(reader.number(fields.data(), row.line));
      }
      for (const std::vector<uint32_t>& known : order.known) {
        numbers.emplace_back();
        values.emplace_back();
        for (const uint32_t row : known) {
          numbers.back().push_back(judged[row]);
          values.back().push_back(reader.index(judged[row]));
        }
      }
    }
    // What `of` says of each row.
    template <class T>
    static void read(const RowOrder::Part& part, const std::vector<std::vector<T>>& of, std::vector<T>& out) {
      const T* each = of[part.counter].data();
      out.resize(part.rows());
      T* to = out.data();
      for (const uint8_t number : part.narrow) *to++ = each[number];
      for (const uint16_t number : part.wide) *to++ = each[number];
    }

    const RowOrder& order;
    RowReader reader;
    // By counter and its number: the reader's, and the index of a row that is released.
    std::vector<std::vector<uint32_t>> numbers;
    std::vector<std::vector<int64_t>> values;
    size_t next = 0;  // of the order's parts
  };

  struct Part;
  ArrowReleased release(Part& part, const Progress& progress) {
    for (size_t c = 0; c < columns_.size(); ++c)
      part.columns.emplace_back(types_[c], columns_[c], values_[c], part.rows);
    const auto one = [&](size_t s) {
      if (part.failed < s) return;
      try {
        work(part, part.slices[s]);
        part.tell(progress);
      } catch (...) {
        part.fail(s);
      }
    };
    if (part.is_small()) {
      for (size_t s = 0; s < part.slices.size(); ++s) one(s);
    } else {
      tbb::parallel_for(size_t{0}, part.slices.size(), one);
    }
    if (part.error) rethrow(part.error);
    rows_before_ += part.rows;
    ArrowReleased result;
    result.rows = part.rows;
    const std::vector<size_t> lengths = close_gaps(part);
    for (size_t c = 0; c < columns_.size(); ++c)
      result.columns.push_back({make_schema(types_[c], names_[c]), part.columns[c].finish(lengths)});
    result.left_out = part.left_out.take();
    result.hidden = part.hidden.take();
    return result;
  }

  static std::vector<Slice> slices_of(const ArrowTable& part) {
    std::vector<Slice> slices;
    uint64_t row = 0;
    for (size_t chunk = 0; chunk < part.chunks(); ++chunk) {
      for (int64_t from = 0; from < part.rows(chunk); from += kSlice) {
        const int64_t count = std::min(kSlice, part.rows(chunk) - from);
        slices.push_back({chunk, from, count, row});
        row += static_cast<uint64_t>(count);
      }
    }
    return slices;
  }

  // A byte for each row; most parts need none.
  class RowFlags {
   public:
    explicit RowFlags(size_t rows) : rows_(rows) {}
    void set(uint64_t row, uint8_t flag) {
      std::call_once(made_, [this] { flags_.resize(rows_); });
      flags_[row] = flag;
    }
    std::vector<uint8_t> take() { return std::move(flags_); }

   private:
    size_t rows_;
    std::once_flag made_;
    std::vector<uint8_t> flags_;
  };

  struct Worker {
    explicit Worker(const Work& release) : index(release.columns_.size()) {}
    std::optional<ArrowRowReader> reader;  // of rows of a table
    SecureRandom random;
    std::vector<uint32_t> numbers;
    // By released column: of the rows that are not left out; then of what is released.
    std::vector<std::vector<int64_t>> index;
  };

  struct Part {
    Part(std::vector<Slice> stretches, size_t in_chunks)
        : slices(std::move(stretches)),
          chunks(in_chunks),
          rows(slices.empty() ? 0 : slices.back().row + static_cast<uint64_t>(slices.back().count)),
          left_out(rows),
          hidden(rows) {}

    // Drawn before other threads were awake; they would only take the place of the one that writes.
    bool is_small() const {
      constexpr size_t kFew = 8;
      return slices.size() <= kFew && std::ranges::all_of(slices, &Slice::remembered);
    }
    // Other threads may still find an earlier one.
    void fail(size_t s) {
      const std::lock_guard lock(mutex);
      if (error && failed < s) return;
      failed = s;
      error = std::current_exception();
    }
    void tell(const Progress& progress) {
      const size_t slice = ++done;
      if (!progress) return;
      const std::unique_lock lock(mutex, std::try_to_lock);
      if (lock) progress(static_cast<double>(slice) / static_cast<double>(slices.size()), "releasing");
    }

    std::vector<Slice> slices;
    size_t chunks;
    uint64_t rows;
    std::vector<ArrowColumnWriter> columns;
    RowFlags left_out, hidden;
    std::mutex mutex;
    std::atomic<size_t> done = 0, failed = SIZE_MAX;
    std::exception_ptr error;
  };

  void work(Part& part, Slice& slice) {
    Worker& worker = *workers_.local();
    const bool one_value = !chosen_ && !one_by_one_ && !layout_.terms.strata;
    if (one_value && slice.remembered && remembered_->reader.releases_all()) {
      Remembered::read(*slice.remembered, remembered_->values, worker.index[0]);
    } else if (const RowReader& rows = read(worker, slice); one_value && rows.releases_all()) {
      worker.index[0].resize(worker.numbers.size());
      for (size_t r = 0; r < worker.numbers.size(); ++r) worker.index[0][r] = rows.index(worker.numbers[r]);
    } else {
      take_each(worker, rows, part, slice);
    }
    draw_.release(worker.random, worker.index);
    slice.released = worker.index[0].size();
    for (size_t c = 0; c < columns_.size(); ++c) part.columns[c].write(slice.row, worker.index[c]);
  }

  // The numbers of a slice's rows, and whose they are.
  const RowReader& read(Worker& worker, const Slice& slice) const {
    if (slice.remembered) {
      Remembered::read(*slice.remembered, remembered_->numbers, worker.numbers);
      return remembered_->reader;
    }
    if (!worker.reader) worker.reader.emplace(*table_, layout_, chosen_);
    worker.reader->read(*table_, slice.chunk, slice.from, slice.count, rows_before_ + slice.row + 1,
                        worker.numbers);
    return worker.reader->rows();
  }

  // Where some rows may be left out, or have more to them than one value.
  void take_each(Worker& worker, const RowReader& rows, Part& part, const Slice& slice) const {
    for (auto& index : worker.index) index.clear();
    for (size_t r = 0; r < worker.numbers.size(); ++r) {
      const uint32_t number = worker.numbers[r];
      const uint64_t row = slice.row + r;
      if (number == ArrowRowReader::kUndrawn) {
        part.left_out.set(row, static_cast<uint8_t>(LeftOut::kUndrawn));
        continue;
      }
      const Placed placed = rows.placed(number);
      if (placed.kind != Placed::kValue) {
        const LeftOut why = rows.is_counted(number) ? LeftOut::kOutside : LeftOut::kDropped;
        part.left_out.set(row, static_cast<uint8_t>(why));
        continue;
      }
      if (rows.stratum(number).kind == Stratum::kMerged) part.hidden.set(row, 1);
      if (!one_by_one_) {
        worker.index[0].push_back(placed.index);
      } else {
        const Point& value = rows.value(number);
        for (size_t c = 0; c < value.size(); ++c) worker.index[c].push_back(value[c]);
      }
    }
  }

  // Moves what is released up to where rows were left out; how many rows each chunk then has.
  static std::vector<size_t> close_gaps(Part& part) {
    std::vector<size_t> lengths(part.chunks);
    size_t to = 0;
    for (const Slice& slice : part.slices) {
      if (to != slice.row) {
        for (ArrowColumnWriter& column : part.columns) column.move(to, slice.row, slice.released);
      }
      to += slice.released;
      lengths[slice.chunk] += slice.released;
    }
    return lengths;
  }

  void rethrow(const std::exception_ptr& failure) const {
    try {
      std::rethrow_exception(failure);
    } catch (const Error& error) {
      const std::string& file = head_.file;
      const bool of_row = error.kind() == ErrorKind::kData || error.kind() == ErrorKind::kUsage;
      if (!of_row || error.message().starts_with(file)) throw;
      throw error.at(file);
    }
  }

  std::vector<std::string> shape_;
  RowLayout layout_;
  const std::vector<ColumnRelease>& columns_;
  const RowDraw& draw_;
  ChosenRows* chosen_;
  const bool one_by_one_;  // several columns, each drawn by itself
  const TableHead head_;
  std::vector<ReleasedValues> values_;
  std::vector<ArrowType> types_;  // of what is released, by column
  std::vector<std::string> names_;
  std::optional<Remembered> remembered_;
  const ArrowTable* table_ = nullptr;  // the part at work
  uint64_t rows_before_ = 0;           // in the parts before it
  tbb::enumerable_thread_specific<std::unique_ptr<Worker>> workers_{
      [this] { return std::make_unique<Worker>(*this); }};
};

ArrowParts::ArrowParts(const ArrowTable& like, RowLayout layout, const std::vector<ColumnRelease>& columns,
                       const RowDraw& draw, ChosenRows* chosen)
    : work_(std::make_unique<Work>(like, std::move(layout), columns, draw, chosen)) {}
ArrowParts::~ArrowParts() = default;

ArrowReleased ArrowParts::release(const ArrowTable& part, LabelsSeen& seen, const Progress& progress) {
  return work_->release(part, seen, progress);
}
bool ArrowParts::begin_with(const RememberedRows& rows, const std::vector<std::string>& header,
                            LabelsSeen& seen) {
  return work_->begin_with(rows, header, seen);
}
ArrowReleased ArrowParts::release_remembered(size_t rows, const Progress& progress) {
  return work_->release_remembered(rows, progress);
}
void ArrowParts::collect(const std::vector<Point>& points, ArrowReleased& result) const {
  work_->collect(points, result);
}
const Watched& ArrowParts::watched() const { return work_->watched(); }

ArrowReleased release_arrow(const ArrowTable& table, const RowLayout& layout,
                            const std::vector<ColumnRelease>& columns, const RowDraw& draw,
                            const std::vector<Point>& points, LabelsSeen& seen, const Progress& progress,
                            ChosenRows* chosen) {
  ArrowParts parts(table, layout, columns, draw, chosen);
  ArrowReleased released = parts.release(table, seen, progress);
  parts.collect(points, released);
  return released;
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
