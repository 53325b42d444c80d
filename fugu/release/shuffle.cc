#include "fugu/release/shuffle.h"

#include <utility>

#include "fugu/core/number.h"
#include "fugu/sample/random.h"

namespace fugu {
namespace {

// Uniform on 0 … bound - 1, exactly: the high word of a product, with the words refused that would favour
// some.
uint64_t below(SecureRandom& random, uint64_t bound) {
  for (;;) {
    const Wide product = Wide(random.word()) * bound;
    const auto low = static_cast<uint64_t>(product);
    if (low >= bound || low >= -bound % bound) return static_cast<uint64_t>(product >> 64);
  }
}

}  // namespace

void ShuffledRows::add(std::string rows, const std::string& line_end) {
  if (rows.empty()) return;
  if (!rows.ends_with(line_end)) rows += line_end;
  const auto part = static_cast<uint32_t>(parts_.size());
  for (size_t begin = 0; begin < rows.size();) {
    // A line end within quotes belongs to its row.
    bool quoted = false;
    size_t end = begin;
    for (; end < rows.size(); ++end) {
      if (rows[end] == '"') quoted = !quoted;
      if (!quoted && rows.compare(end, line_end.size(), line_end) == 0) break;
    }
    end += line_end.size();
    rows_.push_back({part, static_cast<uint32_t>(begin), static_cast<uint32_t>(end - begin)});
    begin = end;
  }
  parts_.push_back(std::move(rows));
}

void ShuffledRows::write(ByteSink& sink) {
  SecureRandom random;
  for (size_t left = rows_.size(); left > 1; --left) std::swap(rows_[left - 1], rows_[below(random, left)]);
  std::string block;
  for (const Span& row : rows_) {
    block.append(parts_[row.part], row.begin, row.size);
    if (block.size() < size_t{1} << 20) continue;
    sink.write(block);
    block.clear();
  }
  sink.write(block);
}

}  // namespace fugu
