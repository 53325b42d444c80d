#include "fugu/count/arrow_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <utility>

#include "fugu/arrow/arrow_check.h"
#include "fugu/arrow/arrow_reader.h"
#include "fugu/core/error.h"
#include "fugu/count/arrow_slices.h"
#include "fugu/count/chunk_work.h"
#include "fugu/csv/chunk_scan.h"
#include "fugu/table/pair_numbers.h"
#include "fugu/table/row_key.h"

namespace fugu::inline in_count {
namespace {

constexpr int64_t kSlice = 16384;
constexpr ArrowType kTimes{.kind = ArrowType::kInt, .bytes = 8};

// What the stream says of itself may hold values: it is not repeated.
void check_stream(int code) {
  if (code == 0) return;
  throw Error(ErrorKind::kIo, fmt::format("the table's stream ended with error {}", code),
              "read the table again, and check that it is complete");
}

void open(ArrowArrayStream* stream, ArrowSchema* schema) {
  if (!stream->release) throw usage("the table's stream was used already", "give the table again");
  check_stream(stream->get_schema(stream, schema));
  check_schema(*schema);
}

// The next chunk; one that is released at the end.
Owned<ArrowArray> next_of(ArrowArrayStream* stream, const ArrowSchema& schema) {
  Owned<ArrowArray> chunk;
  check_stream(stream->get_next(stream, chunk.get()));
  if (chunk->release) check_chunk(*chunk, schema);
  return chunk;
}

bool is_structure(const ArrowSchema& schema) { return std::strcmp(schema.format, "+s") == 0; }

TableHead head_of(const ArrowSchema& schema, const std::string& row_word) {
  TableHead head;
  head.file = "the table";
  head.row_word = row_word;
  if (is_structure(schema)) {
    head.naming = Naming::kPackage;
    for (int64_t k = 0; k < schema.n_children; ++k) {
      const char* name = schema.children[k]->name;
      head.header.emplace_back(name ? name : "");
    }
  } else {
    head.header.emplace_back("1");
  }
  head.columns = head.header.size();
  head.raw_header = head.header;
  return head;
}

}  // namespace

ArrowTable::ArrowTable(ArrowArrayStream& stream, const std::string& row_word) {
  Owned<ArrowArrayStream> owned(stream);
  open(owned.get(), schema_.get());
  is_table_ = is_structure(*schema_);
  for (Owned<ArrowArray> chunk = next_of(owned.get(), *schema_); chunk->release;
       chunk = next_of(owned.get(), *schema_))
    chunks_.push_back(std::move(chunk));
  head_ = head_of(*schema_, row_word);
}

uint64_t ArrowTable::rows() const {
  uint64_t sum = 0;
  for (size_t chunk = 0; chunk < chunks(); ++chunk) sum += static_cast<uint64_t>(rows(chunk));
  return sum;
}

ArrowRows::ArrowRows(ArrowArrayStream& stream, const std::optional<std::string>& times) : stream_(stream) {
  open(stream_.get(), schema_.get());
  head_ = head_of(*schema_, times ? "" : "row");
  if (!times) return;
  times_ = head_.column(*times, "times");
  if (std::strcmp(column(*times_).format, "l") != 0)
    throw usage("the column of counts does not hold 64-bit whole numbers", "cast it to int64");
}

const ArrowSchema& ArrowRows::column(size_t k) const {
  if (table_) return table_->column(k);
  return is_structure(*schema_) ? *schema_->children[k] : *schema_;
}

// One thread's counts. Rows are looked up column by column: what a row's first fields are together has a
// number, and with the next field another one.
class ArrowRows::Counter {
 public:
  Counter(const ArrowRows& rows, const std::vector<size_t>& columns, const Watched& watched, OrderRoom& room)
      : rows_(rows),
        columns_(columns),
        room_(room),
        longer_(columns.size()),
        numbers_(columns.size(), std::vector<uint32_t>(kSlice)),
        together_(kSlice),
        watched_columns_(watched.columns),
        watched_(watched) {
    for (size_t k : columns) readers_.push_back(reader_of(k));
    for (size_t w = 0; w < watched.columns.size(); ++w) {
      try {
        watched_readers_.emplace_back(w, reader_of(watched.columns[w]));
      } catch (const Error&) {
        // Nobody asked for what cannot be read.
      }
    }
  }

  void add(const ArrowSlice& slice) {
    if (slice.chunk_number != chunk_number_) {
      for (ArrowReader& reader : readers_) reader.forget_dictionary();
      for (auto& [w, reader] : watched_readers_) reader.forget_dictionary();
      chunk_number_ = slice.chunk_number;
    }
    const ArrowArray& chunk = *slice.chunk;
    const int64_t from = offset(chunk) + slice.from;
    if (rows_.times_) check_array(array(chunk, *rows_.times_), kTimes, from, slice.count);
    for (size_t k = 0; k < columns_.size(); ++k)
      readers_[k].read(array(chunk, columns_[k]), from, slice.count, slice.row, numbers_[k].data());
    const auto count = static_cast<size_t>(slice.count);
    look_up(count, slice.row);
    if (rows_.times_) {
      for (size_t r = 0; r < count; ++r) {
        const uint64_t times = times_at(array(chunk, *rows_.times_), from + static_cast<int64_t>(r));
        uint64_t& counted = counts_[together_[r]];
        if (counted == 0) rows_seen_[together_[r]] = slice.row + r;
        counted += times;
      }
    } else {
      for (size_t r = 0; r < count; ++r) ++counts_[together_[r]];
      remember(slice.row, count);
    }
    watch(chunk, from, slice);
  }

  struct Part {
    uint64_t row;
    std::string texts;
    uint64_t count;
  };

  // Adds the distinct rows that came.
  void collect(std::vector<Part>& parts, WatchedCounts& watched) const {
    for (size_t at = 0; at < counts_.size(); ++at) {
      if (counts_[at] > 0) parts.push_back({rows_seen_[at], texts(at), counts_[at]});
    }
    watched.add(watched_);
  }

  // By the first row of each, counted from 1.
  std::map<uint64_t, RowOrder::Part>& order() { return order_; }
  // Which of the distinct rows of all counters each of its own is.
  std::vector<uint32_t> known_in(const Tally& rows) const {
    std::vector<uint32_t> known;
    for (size_t at = 0; at < counts_.size(); ++at)
      known.push_back(static_cast<uint32_t>(rows.find(texts(at)).value()));
    return known;
  }

 private:
  std::string texts(size_t at) const {
    std::string texts;
    for (size_t k = 0; k < columns_.size(); ++k) {
      if (k > 0) texts += '\0';
      texts += readers_[k].text(values_[at * columns_.size() + k]);
    }
    return texts;
  }

  void remember(uint64_t row, size_t count) {
    if (room_.is_empty() || counts_.size() > RowOrder::kMostNumbers) return;
    RowOrder::Part part;
    part.put(std::span(together_).first(count));
    if (room_.take(part.bytes())) order_.emplace(row, std::move(part));
  }

  ArrowReader reader_of(size_t k) const {
    const std::string place = rows_.head_.column_place(k);
    return ArrowReader(arrow_type(rows_.column(k), rows_.head_.file + ": " + place), rows_.head_.name(),
                       place);
  }

  // Which distinct row each of the first `count` is; the first of them is called `row`.
  void look_up(size_t count, uint64_t row) {
    if (columns_.empty()) {
      std::fill_n(together_.begin(), count, 0);
    } else {
      std::copy_n(numbers_[0].begin(), count, together_.begin());
    }
    for (size_t k = 1; k < columns_.size(); ++k)
      longer_[k].get_all(together_.data(), numbers_[k].data(), count);
    const size_t distinct = columns_.size() > 1 ? longer_.back().size()
                            : columns_.empty()  ? 1
                                                : readers_[0].size();
    if (distinct == counts_.size()) return;
    for (size_t r = 0; r < count; ++r) {
      if (together_[r] != counts_.size()) continue;  // in the order of their numbers
      counts_.push_back(0);
      rows_seen_.push_back(row + r);
      for (const std::vector<uint32_t>& numbers : numbers_) values_.push_back(numbers[r]);
    }
  }

  // The slice's rows of the watched columns, which are none of distinct ones.
  void watch(const ArrowArray& chunk, int64_t from, const ArrowSlice& slice) {
    std::erase_if(watched_readers_, [&](auto& entry) {
      auto& [w, reader] = entry;
      try {
        reader.read(array(chunk, watched_columns_[w]), from, slice.count, 1, together_.data());
      } catch (const Error&) {
        return true;
      }
      for (size_t r = 0; r < static_cast<size_t>(slice.count); ++r)
        watched_.add(w, reader.text(together_[r]));
      return false;
    });
  }

  bool is_table() const { return rows_.table_ ? rows_.table_->is_table() : is_structure(*rows_.schema_); }
  const ArrowArray& array(const ArrowArray& chunk, size_t k) const {
    return is_table() ? *chunk.children[k] : chunk;
  }
  int64_t offset(const ArrowArray& chunk) const { return is_table() ? chunk.offset : 0; }

  static uint64_t times_at(const ArrowArray& array, int64_t at) {
    const int64_t times =
        is_null(array, at) ? -1 : static_cast<const int64_t*>(array.buffers[1])[array.offset + at];
    if (times < 0)
      throw Error(ErrorKind::kData, "the column of counts holds something that is not a count",
                  "give whole numbers of at least 0");
    return static_cast<uint64_t>(times);
  }

  const ArrowRows& rows_;
  const std::vector<size_t>& columns_;
  OrderRoom& room_;
  std::map<uint64_t, RowOrder::Part> order_;
  std::vector<ArrowReader> readers_;
  std::vector<PairNumbers> longer_;             // by column: of what is before it, and its value
  std::vector<std::vector<uint32_t>> numbers_;  // by column: the readers' numbers of a slice
  std::vector<uint32_t> together_;              // of a slice's rows
  std::vector<uint64_t> counts_;                // by distinct row
  std::vector<uint64_t> rows_seen_;             // by distinct row: the first that counts
  std::vector<uint32_t> values_;                // of each distinct row, the readers' numbers
  uint64_t chunk_number_ = 0;
  const std::vector<size_t>& watched_columns_;
  std::vector<std::pair<size_t, ArrowReader>> watched_readers_;  // by place among the watched ones
  WatchedCounts watched_;
};

ArrowSlices ArrowRows::slices() {
  if (table_) {
    return ArrowSlices(
        [table = table_, k = size_t{0}]() mutable {
          // The table has them.
          return k < table->chunks()
                     ? std::shared_ptr<const ArrowArray>(std::shared_ptr<void>(), &table->chunk(k++))
                     : nullptr;
        },
        kSlice);
  }
  return ArrowSlices(
      [this]() -> std::shared_ptr<const ArrowArray> {
        auto chunk = std::make_shared<Owned<ArrowArray>>(next_of(stream_.get(), *schema_));
        return chunk->get()->release ? std::shared_ptr<const ArrowArray>(chunk, chunk->get()) : nullptr;
      },
      kSlice);
}

// What the threads remember, as far as no row is missing.
RowOrder ArrowRows::joined(const std::vector<std::unique_ptr<Counter>>& counters, const RowCounts& counts) {
  std::map<uint64_t, RowOrder::Part*> parts;
  for (size_t c = 0; c < counters.size(); ++c) {
    for (auto& [row, part] : counters[c]->order()) {
      part.counter = c;
      parts[row] = &part;
    }
  }
  RowOrder order;
  uint64_t next = 1;
  for (auto& [row, part] : parts) {
    if (row != next) break;
    next += part->rows();
    order.parts.push_back(std::move(*part));
  }
  order.whole = next == counts.total + 1;
  if (order.parts.empty()) return order;
  for (const auto& counter : counters) order.known.push_back(counter->known_in(counts.rows));
  return order;
}

RowCounts ArrowRows::count(const std::vector<size_t>& columns, const RowCheck& check,
                           const Progress& progress, const Watched& watched) {
  try {
    OrderRoom room(remembered_ ? remembered_->most_order() : 0);
    std::vector<std::unique_ptr<Counter>> counters(threads_for(0));
    for (auto& counter : counters) counter = std::make_unique<Counter>(*this, columns, watched, room);
    slices().run(
        counters.size(), [&](size_t thread, const ArrowSlice& slice) { counters[thread]->add(slice); },
        progress, table_ ? static_cast<double>(table_->rows()) : 0);
    std::vector<Counter::Part> parts;
    RowCounts result{{}, 0, WatchedCounts(watched), {}};
    for (const auto& counter : counters) counter->collect(parts, result.watched);
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
    std::vector<Field> fields(columns.size());
    for (const Counter::Part& part : parts) {
      const std::vector<std::string_view> texts = texts_in(part.texts);
      for (size_t k = 0; k < columns.size(); ++k) fields[k] = {texts[k], {}};
      check(fields.data(), part.row);
      result.rows.add(part.texts, part.row, part.count);
      result.total += part.count;
    }
    if (remembered_) {
      result.order = joined(counters, result);
      remembered_->remember(columns, result);
    }
    return result;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kData || error.message().starts_with(head_.file)) throw;
    throw error.at(head_.file);
  }
}

}  // namespace fugu::inline in_count
