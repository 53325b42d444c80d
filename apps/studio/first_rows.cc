#include "apps/studio/first_rows.h"

#include <numeric>

#include "fugu/core/error.h"
#include "fugu/csv/chunk_scan.h"
#include "fugu/show/wording.h"

namespace fugu::studio {
namespace {

constexpr size_t kLongestText = 64;          // bytes
constexpr size_t kBlock = size_t{64} << 10;  // bytes that are read at first

struct Enough {};

std::string shortened(std::string_view text) {
  if (text.size() <= kLongestText) return printable(text);
  size_t end = kLongestText;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;  // no part of a character
  return printable(text.substr(0, end)) + "…";
}

}  // namespace

Json first_rows(const std::string& path, const CsvOptions& options, size_t most) {
  CsvOptions small = options;
  small.block_size = kBlock;
  ChunkReader reader(path, small);
  const TableHead& head = reader.head();
  std::vector<std::string> names;
  for (size_t column = 0; column < head.columns; ++column)
    names.push_back(head.header.empty() ? std::to_string(column + 1) : head.header[column]);
  std::vector<size_t> all(head.columns);
  std::iota(all.begin(), all.end(), size_t{0});
  ChunkScanner scanner(reader.layout(all));
  Json::Array rows;
  uint64_t line = reader.first_line();
  Chunk chunk;
  try {
    while (rows.size() < most && reader.next(chunk)) {
      line += scanner
                  .scan(chunk, line,
                        [&](const Field* fields, uint64_t, std::string_view) {
                          std::vector<std::string> texts;
                          for (size_t column = 0; column < head.columns; ++column)
                            texts.push_back(shortened(fields[column].text));
                          rows.push_back(Json::strings(texts));
                          if (rows.size() >= most) throw Enough();
                        })
                  .lines;
    }
  } catch (const Enough&) {
  } catch (const Error& error) {
    throw Error(error.kind(), head.file + ": " + error.message(), error.hint());
  }
  Json json = Json::object();
  json.add("columns", Json::strings(names));
  json.add("rows", Json::array(std::move(rows)));
  return json;
}

}  // namespace fugu::studio
