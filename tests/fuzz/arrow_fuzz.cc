// Arrow columns: a table and a stream of the same chunks are counted alike, and all is released once.
#include <fmt/format.h>

#include <numeric>

#include "fugu/count/arrow_rows.h"
#include "tests/fuzz/arrow_input.h"

using namespace fugu;

namespace {

std::string counted(RowSource& rows) {
  if (rows.head().columns == 0) return "";  // then nobody can name one
  std::vector<size_t> columns(rows.head().columns);
  std::iota(columns.begin(), columns.end(), size_t{0});
  const RowCounts counts = rows.count(columns, [](const Field*, uint64_t) {}, {});
  std::string log = fmt::format("{} rows\n", counts.total);
  uint64_t sum = 0;
  for (const auto& row : counts.rows.entries()) {
    log += fmt::format("{} {} {}\n", row.line, row.count, row.key);
    sum += row.count;
  }
  fuzz::insist(sum == counts.total, "every row is counted once");
  return log;
}

// What is counted, or what is wrong.
template <class Count>
std::string outcome(Count count) {
  std::string wrong;
  const auto log = fuzz::read_or_refuse([&] {
    try {
      return count();
    } catch (const Error& error) {
      wrong = "! " + error.message();
      throw;
    }
  });
  return log ? *log : wrong;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const uint8_t times = input.byte();
  fuzz::ArrowInput made(input);
  const std::string whole = outcome([&] {
    ArrowArrayStream stream = made.stream();
    const ArrowTable table(stream);
    ArrowRows rows(table);
    return counted(rows);
  });
  fuzz::insist(made.held() == 0, "all of a table is released once");
  const std::string pieces = outcome([&] {
    ArrowArrayStream stream = made.stream();
    ArrowRows rows(stream);
    return counted(rows);
  });
  fuzz::insist(made.held() == 0, "all of a stream is released once");
  const bool named = !whole.empty() && !pieces.empty();
  if (named && (!whole.starts_with("! ") || !pieces.starts_with("! ")))
    fuzz::insist(whole == pieces, "a table and its stream are counted alike");
  if (times < 4) {
    outcome([&] {
      ArrowArrayStream stream = made.stream();
      ArrowRows rows(stream, std::to_string(times));
      return counted(rows);
    });
    fuzz::insist(made.held() == 0, "all is released once");
  }
  return 0;
}
