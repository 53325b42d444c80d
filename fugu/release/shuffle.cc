#include "fugu/release/shuffle.h"

#include <utility>

#include "fugu/core/error.h"
#include "fugu/core/number.h"
#include "fugu/sample/random.h"

namespace fugu::inline in_release {
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

void ShuffledRows::add(std::string rows, const std::vector<uint32_t>& ends) {
  const auto part = static_cast<uint32_t>(parts_.size());
  uint32_t begin = 0;
  for (uint32_t end : ends) {
    rows_.push_back({part, begin, end - begin});
    begin = end;
  }
  if (begin != rows.size())
    throw Error(ErrorKind::kBug, "rows to be shuffled do not end where their text ends",
                "please report this");
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

}  // namespace fugu::inline in_release
