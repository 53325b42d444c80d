#include "fugu/csv/chunks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

#include "fugu/core/error.h"
#include "fugu/core/number.h"
#include "fugu/csv/record_cut.h"
#include "fugu/file/file_kind.h"

namespace fugu::inline in_csv {
namespace {

constexpr size_t kSampleSize = size_t{64}
                               << 10;  // what the separator and names that are data are detected from

constexpr size_t kBeginning = 16;  // bytes that tell what is no text, and a byte order mark

void check_separator(char separator) {
  if (!std::strchr("\"\r\n ", separator)) return;  // the search finds NUL too
  throw Error(ErrorKind::kUsage, "--separator: a quote, a space, a line end or NUL cannot separate fields",
              "give one character such as , or ; or a tab");
}

}  // namespace

// The buffers of chunks that are done, for the next ones.
class BufferPool {
 public:
  explicit BufferPool(size_t capacity) : capacity_(capacity) {}

  size_t capacity() const { return capacity_; }

  static std::unique_ptr<char[]> make(size_t capacity) {
    auto buffer = std::make_unique_for_overwrite<char[]>(capacity + 2 * Chunk::kPadding);
    std::memset(buffer.get(), 0, Chunk::kPadding);
    return buffer;
  }

  std::unique_ptr<char[]> take() {
    {
      std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        auto buffer = std::move(free_.back());
        free_.pop_back();
        return buffer;
      }
    }
    return make(capacity_);
  }

  // Buffers that grew for one long record are not kept.
  void give_back(std::unique_ptr<char[]> buffer, size_t capacity) {
    if (capacity != capacity_) return;
    std::lock_guard lock(mutex_);
    free_.push_back(std::move(buffer));
  }

 private:
  const size_t capacity_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<char[]>> free_;
};

Chunk::Chunk() = default;
Chunk::~Chunk() { give_back(); }

Chunk::Chunk(Chunk&& other) noexcept { *this = std::move(other); }

Chunk& Chunk::operator=(Chunk&& other) noexcept {
  if (this == &other) return *this;
  give_back();
  pool_ = std::move(other.pool_);
  buffer_ = std::move(other.buffer_);
  capacity_ = other.capacity_;
  text_ = std::exchange(other.text_, {});
  number_ = other.number_;
  end_ = other.end_;
  too_long_ = other.too_long_;
  return *this;
}

void Chunk::give_back() {
  if (pool_) pool_->give_back(std::move(buffer_), capacity_);
  pool_ = nullptr;
  text_ = {};
  too_long_ = 0;
}

ChunkReader::ChunkReader(const std::string& path, const CsvOptions& options)
    : options_(options), pool_(std::make_shared<BufferPool>(std::max<size_t>(options.block_size, 1))) {
  auto file = std::make_unique<FileSource>(path);
  head_.file = file->name();
  source_ = std::move(file);
  if (options_.separator) check_separator(*options_.separator);
  fill_opening(kBeginning);
  check_is_text(pending_, head_.file);
  head_.byte_order_mark = pending_.starts_with("\xEF\xBB\xBF");
  if (head_.byte_order_mark) {
    pending_.erase(0, 3);
    offset_ = 3;
  }
  if (options_.separator) {
    head_.separator = *options_.separator;
  } else {
    fill_opening(kSampleSize);
    bool whole = at_end_ && pending_.size() <= kSampleSize;
    head_.separator = detect_separator(std::string_view(pending_).substr(0, kSampleSize), whole);
  }
  read_first_record();
}

ChunkReader::ChunkReader(std::unique_ptr<ByteSource> source, TableHead head, size_t block_size)
    : source_(std::move(source)),
      options_({.separator = head.separator, .header = false, .block_size = block_size}),
      head_(std::move(head)),
      pool_(std::make_shared<BufferPool>(std::max<size_t>(block_size, 1))) {}

// Reads until `size` bytes are pending or the table ends.
void ChunkReader::fill_opening(size_t size) {
  size_t step = std::min(pool_->capacity(), kSampleSize);
  while (!at_end_ && pending_.size() < size) {
    size_t used = pending_.size();
    pending_.resize(used + step);
    size_t count = source_->read(pending_.data() + used, step);
    pending_.resize(used + count);
    at_end_ = count == 0;
  }
}

void ChunkReader::read_first_record() {
  RecordParser parser(CsvLayout{.separator = head_.separator});
  Record record;
  auto whole = [&] {
    try {
      parser.start(pending_, 1, at_end_);
      return parser.next(record);
    } catch (const Error& error) {
      throw error.at(head_.file);
    }
  };
  while (!whole()) {
    if (at_end_) {
      throw Error(ErrorKind::kData, head_.file + ": the file is empty", "give a table with at least one row");
    }
    if (pending_.size() > options_.max_record_size) {
      throw record_too_long(1, options_.max_record_size).at(head_.file);
    }
    fill_opening(std::max(pending_.size() * 2, size_t{1}));
  }
  head_.columns = record.fields.size();
  size_t end = static_cast<size_t>(record.raw.data() - pending_.data()) + record.raw.size();
  if (pending_.substr(end, parser.consumed() - end).starts_with('\r')) head_.line_end = "\r\n";
  if (!options_.header) return;
  head_.naming = Naming::kFirstLine;
  for (const Field& field : record.fields) {
    head_.header.emplace_back(field.text);
    head_.raw_header.emplace_back(field.raw);
  }
  pending_begin_ = parser.consumed();
  offset_ += pending_begin_;
  first_line_ = parser.line();
  find_recurring_names();
}

// In every column, also those that nobody asks for. A line that cannot be read ends the search: who reads it
// says what is wrong.
void ChunkReader::find_recurring_names() {
  fill_opening(kSampleSize);
  std::set<size_t> found;
  RecordParser parser(CsvLayout{.separator = head_.separator});
  parser.start(std::string_view(pending_).substr(pending_begin_), first_line_, at_end_);
  try {
    for (Record record; parser.next(record) && record.fields.size() == head_.columns;) {
      for (size_t k = 0; k < head_.columns; ++k) {
        const std::string& name = head_.header[k];
        if (record.fields[k].text == name && !name.empty() && !looks_like_decimal(name)) found.insert(k);
      }
    }
  } catch (const Error&) {
  }
  head_.recurring.assign(found.begin(), found.end());
}

CsvLayout ChunkReader::layout(std::vector<size_t> wanted) const {
  return {.separator = head_.separator, .columns = head_.columns, .wanted = std::move(wanted)};
}

// As many bytes as asked, unless the table ends.
size_t ChunkReader::read(char* to, size_t size) {
  size_t count = std::min(size, pending_.size() - pending_begin_);
  std::memcpy(to, pending_.data() + pending_begin_, count);
  pending_begin_ += count;
  while (count < size && !at_end_) {
    size_t more = source_->read(to + count, size - count);
    at_end_ = more == 0;
    count += more;
  }
  return count;
}

void ChunkReader::grow(Chunk& chunk, size_t used) {
  size_t capacity = chunk.capacity_ * 2;
  auto buffer = BufferPool::make(capacity);
  std::memcpy(buffer.get(), chunk.buffer_.get(), Chunk::kPadding + used);
  chunk.buffer_ = std::move(buffer);
  chunk.capacity_ = capacity;
}

bool ChunkReader::next(Chunk& chunk) {
  chunk.give_back();
  if (done_) return false;
  chunk.buffer_ = pool_->take();
  chunk.pool_ = pool_;
  chunk.capacity_ = pool_->capacity();
  size_t used = 0, whole = 0;
  for (;;) {
    used += read(chunk.begin() + used, chunk.capacity_ - used);
    std::memset(chunk.begin() + used, 0, Chunk::kPadding);
    done_ = used < chunk.capacity_;
    RecordCut cut{.size = used, .broken = false};
    if (!done_) cut = cut_records({chunk.begin(), used}, layout({}));
    done_ = done_ || cut.broken;
    whole = cut.size;
    if (whole > 0 || done_) break;
    if (used > options_.max_record_size) {
      chunk.too_long_ = options_.max_record_size;
      whole = used;
      done_ = true;
      break;
    }
    grow(chunk, used);
  }
  if (whole == 0) {
    chunk.give_back();
    return false;
  }
  keep({chunk.begin() + whole, used - whole});
  chunk.text_ = {chunk.begin(), whole};
  chunk.number_ = number_++;
  chunk.end_ = offset_ += whole;
  return true;
}

void ChunkReader::skip_to(uint64_t number, uint64_t begin) {
  if (source_->seek(begin)) {
    pending_.clear();
    pending_begin_ = 0;
    at_end_ = done_ = false;
    number_ = number;
    offset_ = begin;
    return;
  }
  for (Chunk chunk; number_ < number && next(chunk);) {
  }
}

size_t ChunkReader::chunk_size() const { return pool_->capacity(); }

// The beginning of a record that the next chunk goes on with. While bytes are pending, it is still among
// them.
void ChunkReader::keep(std::string_view rest) {
  if (pending_begin_ < pending_.size()) {
    pending_begin_ -= rest.size();
  } else {
    pending_.assign(rest);
    pending_begin_ = 0;
  }
}

}  // namespace fugu::inline in_csv
