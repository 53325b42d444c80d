#include "fugu/count/arrow_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "fugu/arrow/arrow_check.h"
#include "fugu/arrow/arrow_reader.h"
#include "fugu/core/error.h"
#include "fugu/csv/chunk_scan.h"

namespace fugu::inline in_count {
namespace {

constexpr int64_t kSlice = 16384;
constexpr ArrowType kTimes{.kind = ArrowType::kInt, .bytes = 8};

// What the stream says of itself may hold values: it is not repeated.
void check_stream(int code) {
  if (code == 0) return;
  throw Error(ErrorKind::kIo, fmt::format("the table's stream ended with error {}", code),
              "read the table anew, and see that it is whole");
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

class ArrowRows::Counter {
 public:
  Counter(const ArrowRows& rows, const std::vector<size_t>& columns, const Watched& watched)
      : rows_(rows),
        columns_(columns),
        numbers_(columns.size(), std::vector<uint32_t>(kSlice)),
        key_(columns.size()),
        watched_columns_(watched.columns),
        watched_numbers_(kSlice),
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

  // A chunk: a structure of columns, or a column by itself.
  void add(const ArrowArray& chunk, const Progress& progress, double all) {
    for (ArrowReader& reader : readers_) reader.forget_dictionary();
    for (auto& [w, reader] : watched_readers_) reader.forget_dictionary();
    for (int64_t from = 0; from < chunk.length; from += kSlice) {
      const int64_t count = std::min(kSlice, chunk.length - from);
      if (rows_.times_) check_array(array(chunk, *rows_.times_), kTimes, offset(chunk) + from, count);
      for (size_t k = 0; k < columns_.size(); ++k)
        readers_[k].read(array(chunk, columns_[k]), offset(chunk) + from, count, row_, numbers_[k].data());
      for (int64_t r = 0; r < count; ++r, ++row_) {
        for (size_t k = 0; k < columns_.size(); ++k) key_[k] = numbers_[k][static_cast<size_t>(r)];
        const uint64_t times =
            rows_.times_ ? times_at(array(chunk, *rows_.times_), offset(chunk) + from + r) : 1;
        if (times == 0) continue;
        distinct_.add({reinterpret_cast<const char*>(key_.data()), 4 * key_.size()}, row_, times);
        total_ += times;
      }
      watch(chunk, from, count);
      report(progress, all > 0 ? static_cast<double>(row_ - 1) / all : 0, "reading the table");
    }
  }

  RowCounts finish(const RowCheck& check) {
    RowCounts result{{}, total_, std::move(watched_)};
    std::vector<Field> fields(columns_.size());
    std::string text;
    for (const Tally::Entry& entry : distinct_.entries()) {
      std::memcpy(key_.data(), entry.key.data(), entry.key.size());
      text.clear();
      for (size_t k = 0; k < columns_.size(); ++k) {
        fields[k] = {readers_[k].text(key_[k]), {}};
        if (k > 0) text += '\0';
        text += fields[k].text;
      }
      check(fields.data(), entry.line);
      result.rows.add(text, entry.line, entry.count);
    }
    return result;
  }

 private:
  ArrowReader reader_of(size_t k) const {
    const std::string place = rows_.head_.column_place(k);
    return ArrowReader(arrow_type(rows_.column(k), rows_.head_.file + ": " + place), rows_.head_.name(),
                       place);
  }

  // The rows at [from, from + count) of the watched columns, which are none of distinct ones.
  void watch(const ArrowArray& chunk, int64_t from, int64_t count) {
    std::erase_if(watched_readers_, [&](auto& entry) {
      auto& [w, reader] = entry;
      try {
        reader.read(array(chunk, watched_columns_[w]), offset(chunk) + from, count, 1,
                    watched_numbers_.data());
      } catch (const Error&) {
        return true;
      }
      for (size_t r = 0; r < static_cast<size_t>(count); ++r)
        watched_.add(w, reader.text(watched_numbers_[r]));
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
      throw Error(ErrorKind::kData, "the column of counts holds what is no count",
                  "give whole numbers from 0 on");
    return static_cast<uint64_t>(times);
  }

  const ArrowRows& rows_;
  const std::vector<size_t>& columns_;
  std::vector<ArrowReader> readers_;
  std::vector<std::vector<uint32_t>> numbers_;
  std::vector<uint32_t> key_;
  const std::vector<size_t>& watched_columns_;
  std::vector<std::pair<size_t, ArrowReader>> watched_readers_;  // by place among the watched ones
  std::vector<uint32_t> watched_numbers_;
  WatchedCounts watched_;
  Tally distinct_;  // rows as the numbers of their values, four bytes each
  uint64_t row_ = 1, total_ = 0;
};

RowCounts ArrowRows::count(const std::vector<size_t>& columns, const RowCheck& check,
                           const Progress& progress, const Watched& watched) {
  try {
    Counter counter(*this, columns, watched);
    if (table_) {
      for (size_t k = 0; k < table_->chunks(); ++k)
        counter.add(table_->chunk(k), progress, static_cast<double>(table_->rows()));
    } else {
      for (Owned<ArrowArray> chunk = next_of(stream_.get(), *schema_); chunk->release;
           chunk = next_of(stream_.get(), *schema_))
        counter.add(*chunk, progress, 0);
    }
    return counter.finish(check);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kData || error.message().starts_with(head_.file)) throw;
    throw error.at(head_.file);
  }
}

}  // namespace fugu::inline in_count
