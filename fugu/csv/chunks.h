// Reads a table in chunks of whole records, so that several threads can work on it, in bounded memory.
//
// Chunks come in the table's order. No chunk but the last ends in blank lines, because only the blank lines
// at the end of a table are no records. Where a record cannot be read (a stray quote), the chunk goes on to
// the end of what was read and is the last one: scanning it says what is wrong, after the records before it.
//
//   ChunkReader reader("people.csv", {});
//   ChunkScanner scanner(reader.layout({reader.head().column("race", "--secret")}));
//   uint64_t line = reader.first_line();
//   for (Chunk chunk; reader.next(chunk);) line += scanner.scan(chunk, line, visit).lines;
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/csv/record_parser.h"
#include "fugu/file/byte_source.h"
#include "fugu/table/table_head.h"

namespace fugu::inline in_csv {

struct CsvOptions {
  std::optional<char> separator = {};          // detected when not given
  bool header = true;                          // the first record names the columns
  size_t block_size = size_t{1} << 20;         // bytes of a chunk, unless one record is longer
  size_t max_record_size = size_t{256} << 20;  // an unclosed quote must not take all memory
};

class BufferPool;

// A reader's buffer for as long as it lives; then the reader may use it again. Any thread may destroy it,
// also after the reader.
class Chunk {
 public:
  static constexpr size_t kPadding = 64;

  Chunk();
  ~Chunk();
  Chunk(Chunk&& other) noexcept;
  Chunk& operator=(Chunk&& other) noexcept;

  std::string_view text() const { return text_; }  // kPadding readable bytes before it and after
  uint64_t number() const { return number_; }      // 0, 1, 2, … in the table's order
  uint64_t end() const { return end_; }  // where the next one begins: bytes from the table's beginning
  // Whether its last record has a line end; only the table's last one may have none.
  bool ends_line() const { return text_.empty() || text_.back() == '\n'; }
  // Not 0: the text is the beginning of a record longer than this, and scanning it says so.
  size_t too_long() const { return too_long_; }

 private:
  friend class ChunkReader;
  void give_back();
  char* begin() const { return buffer_.get() + kPadding; }

  std::shared_ptr<BufferPool> pool_;
  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0;  // without the padding on either side
  std::string_view text_;
  uint64_t number_ = 0;
  uint64_t end_ = 0;
  size_t too_long_ = 0;
};

class ChunkReader {
 public:
  // Opens the table ("-" is standard input; gzip and zstd are decompressed) and reads its first record. A
  // UTF-8 byte order mark is skipped. Error (io): missing, directory, unreadable. Error (data): empty, its
  // first record is not CSV, broken compression. Error (usage): a separator that cannot be one.
  explicit ChunkReader(const std::string& path, const CsvOptions& options = {});

  // Records as `source` yields them, none of which names columns: `head` says what there is to know.
  ChunkReader(std::unique_ptr<ByteSource> source, TableHead head, size_t block_size = size_t{1} << 20);

  const TableHead& head() const { return head_; }
  uint64_t first_line() const { return first_line_; }  // of the first chunk: 1 without a header
  // How to parse the records: each has as many fields as the first, of which `wanted` are yielded.
  CsvLayout layout(std::vector<size_t> wanted) const;

  // The next chunk; false at the end. What `chunk` held is given back first. One thread at a time, while
  // others work on earlier chunks. Error (io) and, for broken compression, (data).
  bool next(Chunk& chunk);
  // Goes on with the chunk of that number, which begins there: before next(), what Chunk::number() and
  // Chunk::end() said of another reader of the same bytes, with chunks of this size. Errors of next().
  void skip_to(uint64_t number, uint64_t begin);
  size_t chunk_size() const;

  // The share of the file that was read, 0 to 1; 0 where its size is unknown. Any thread.
  double fraction() const { return source_->fraction(); }

 private:
  void fill_opening(size_t size);
  void read_first_record();
  void find_recurring_names();
  size_t read(char* to, size_t size);
  static void grow(Chunk& chunk, size_t used);
  void keep(std::string_view rest);

  std::unique_ptr<ByteSource> source_;
  CsvOptions options_;
  TableHead head_;
  uint64_t first_line_ = 1;
  std::string pending_;       // bytes that were read and come before the source's
  size_t pending_begin_ = 0;  // of them, already taken
  bool at_end_ = false;       // the source has no more
  bool done_ = false;         // the last chunk is out
  uint64_t number_ = 0;
  uint64_t offset_ = 0;  // of the next chunk
  std::shared_ptr<BufferPool> pool_;
};

}  // namespace fugu::inline in_csv
