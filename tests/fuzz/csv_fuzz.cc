// CSV files and the records that a database copies out: chunks of any size give the rows, the lines and the
// errors that one parser over the whole text gives, and every row is counted.
#include <fmt/format.h>

#include <numeric>

#include "fugu/count/row_counts.h"
#include "fugu/csv/chunk_scan.h"
#include "fugu/csv/csv_field.h"
#include "tests/fuzz/fuzz.h"

using namespace fugu;

namespace {

// As a database's stream: a few bytes at a time.
class ShortReads : public ByteSource {
 public:
  ShortReads(std::string_view bytes, size_t most) : bytes_(bytes), most_(most) {}
  size_t read(char* to, size_t size) override {
    const size_t count = bytes_.copy(to, std::min(size, most_));
    bytes_.remove_prefix(count);
    return count;
  }
  double fraction() const override { return 0; }

 private:
  std::string_view bytes_;
  size_t most_;
};

struct Way {
  bool copied = false;  // records of a database, else a file
  CsvOptions options = {};
  size_t columns = 1;  // of a database
  size_t wanted = 1;
};

ChunkReader open(const Way& way, const std::string& path, std::string_view text, size_t block) {
  if (way.copied) {
    return ChunkReader(std::make_unique<ShortReads>(text, 1 + block % 7),
                       {.file = "the database", .separator = ',', .columns = way.columns}, block);
  }
  CsvOptions options = way.options;
  options.block_size = block;
  return ChunkReader(path, options);
}

std::vector<size_t> wanted_of(const Way& way, size_t columns) {
  std::vector<size_t> wanted(std::min(way.wanted, columns));
  for (size_t k = 0; k < wanted.size(); ++k) wanted[k] = columns - 1 - k;
  return wanted;
}

void put(std::string& log, const Field* fields, size_t count, uint64_t line, std::string_view raw) {
  log += fmt::format("{} [{}]", line, raw);
  for (size_t k = 0; k < count; ++k) log += fmt::format(" <{}|{}>", fields[k].text, fields[k].raw);
  log += '\n';
}

std::string scanned(ChunkReader& reader, const std::vector<size_t>& wanted) {
  std::string log;
  try {
    ChunkScanner scanner(reader.layout(wanted));
    uint64_t line = reader.first_line();
    for (Chunk chunk; reader.next(chunk);) {
      line += scanner
                  .scan(chunk, line,
                        [&](const Field* fields, uint64_t at, std::string_view raw) {
                          put(log, fields, wanted.size(), at, raw);
                        })
                  .lines;
    }
  } catch (const Error& error) {
    log += "! " + error.message();
  }
  return log;
}

// By one parser over all of it.
std::string parsed(std::string_view text, const TableHead& head, bool header,
                   const std::vector<size_t>& wanted) {
  std::string log;
  if (head.byte_order_mark) text.remove_prefix(3);
  RecordParser first(CsvLayout{.separator = head.separator});
  Record record;
  uint64_t line = 1;
  if (header) {
    first.start(text, 1, true);
    first.next(record);
    text.remove_prefix(first.consumed());
    line = first.line();
  }
  try {
    RecordParser parser({.separator = head.separator, .columns = head.columns, .wanted = wanted});
    for (parser.start(text, line, true); parser.next(record);)
      put(log, record.fields.data(), wanted.size(), record.line, record.raw);
  } catch (const Error& error) {
    log += "! " + error.message();
  }
  return log;
}

void check_counts(ChunkReader reader, const std::vector<size_t>& wanted, size_t threads, size_t rows) {
  const auto counts = fuzz::read_or_refuse(
      [&] { return count_rows(reader, wanted, [](const Field*, uint64_t) {}, threads, {}); });
  if (!counts) return;
  const auto& entries = counts->rows.entries();
  const uint64_t sum = std::accumulate(entries.begin(), entries.end(), uint64_t{0},
                                       [](uint64_t all, const auto& entry) { return all + entry.count; });
  fuzz::insist(counts->total == rows && sum == rows, "every row is counted once");
}

// Where it needs quotes it gets them, so that it comes back as it was.
void check_field(std::string_view text, char separator) {
  if (text.find('\0') != std::string_view::npos) return;
  const std::string line = csv_field(text, separator) + separator + "x\n";
  RecordParser parser({.separator = separator, .columns = 2, .wanted = {0}});
  parser.start(line, 1, true);
  Record record;
  fuzz::insist(parser.next(record) && record.fields[0].text == text, "a written field reads back");
}

size_t rows_in(ChunkReader& reader, const std::vector<size_t>& wanted) {
  size_t rows = 0;
  ChunkScanner scanner(reader.layout(wanted));
  for (Chunk chunk; reader.next(chunk);) rows += scanner.scan(chunk, 1, [](auto&&...) {}).records;
  return rows;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const uint8_t bits = input.byte();
  const size_t block = 1 + input.byte();
  const std::string_view text = input.rest();
  if (compression_of(text) != Compression::kNone) return 0;  // compressed_fuzz.cc
  constexpr std::optional<char> kSeparators[] = {std::nullopt, ',', ';', '\t'};
  Way way{.copied = (bits & 8) != 0,
          .options = {.separator = kSeparators[bits & 3], .header = (bits & 4) == 0},
          .columns = size_t{1} + (bits >> 4 & 3),
          .wanted = size_t{1} + (bits >> 6 & 3)};
  const fuzz::MemoryFile file(text);
  auto whole = fuzz::read_or_refuse([&] { return open(way, file.path(), text, size_t{1} << 16); });
  auto pieces = fuzz::read_or_refuse([&] { return open(way, file.path(), text, block); });
  fuzz::insist(whole.has_value() == pieces.has_value(), "a table opens in chunks of any size");
  if (!whole) return 0;
  const TableHead head = whole->head();
  fuzz::insist(head.header == pieces->head().header && head.separator == pieces->head().separator &&
                   head.columns == pieces->head().columns && head.line_end == pieces->head().line_end,
               "a table has one head");
  if (way.copied && text.starts_with("\xEF\xBB\xBF")) return 0;
  const std::vector<size_t> wanted = wanted_of(way, head.columns);
  const std::string expected = parsed(text, head, !way.copied && way.options.header, wanted);
  fuzz::insist(scanned(*whole, wanted) == expected, "one chunk is read as one parser does");
  fuzz::insist(scanned(*pieces, wanted) == expected, "chunks are read as one parser does");
  if (expected.find("\n! ") == std::string::npos && !expected.starts_with("! ")) {
    ChunkReader again = open(way, file.path(), text, block);
    check_counts(open(way, file.path(), text, block), wanted, 1 + (block & 1), rows_in(again, wanted));
  }
  check_field(text.substr(0, 200), head.separator);
  return 0;
}
