#include "fugu/release/counted_rows.h"

#include <bit>
#include <cstring>

#include "fugu/csv/csv_field.h"
#include "fugu/release/shuffle.h"
#include "fugu/table/row_key.h"

namespace fugu::inline in_release {
namespace {

constexpr uint64_t kRowsOfHeap = uint64_t{1} << 18;  // on average, at most
constexpr uint64_t kMostHeaps = uint64_t{1} << 16;   // a heap is drawn by 16 bits
constexpr uint64_t kMostHeld = uint64_t{1} << 22;    // distinct rows times heaps

}  // namespace

std::unique_ptr<CountedRows> CountedRows::in_random_order(const Tally& rows, char separator) {
  uint64_t total = 0;
  for (const Tally::Entry& row : rows.entries()) total += row.count;
  const uint64_t heaps = std::bit_ceil(total / kRowsOfHeap + 1);
  if (heaps > kMostHeaps || rows.size() > kMostHeld / heaps) return nullptr;
  return std::unique_ptr<CountedRows>(new CountedRows(rows, separator, total, heaps));
}

CountedRows::CountedRows(const Tally& rows, char separator, uint64_t total, size_t heaps)
    : heaps_(heaps), held_(rows.size() * heaps), done_(total) {
  for (const Tally::Entry& row : rows.entries()) {
    std::string& record = records_.emplace_back();
    for (std::string_view text : texts_in(row.key)) record += csv_field(text, separator) + separator;
    record.back() = '\n';
    scatter(records_.size() - 1, row.count);
  }
}

// Four rows by each word.
void CountedRows::scatter(size_t row, uint64_t times) {
  uint32_t* const held = &held_[row * heaps_];
  uint64_t word = 0;
  for (uint64_t k = 0; k < times; ++k) {
    word = k % 4 == 0 ? random_.word() : word >> 16;
    ++held[word & (heaps_ - 1)];
  }
}

void CountedRows::shuffle(size_t heap) {
  order_.clear();
  for (size_t row = 0; row < records_.size(); ++row)
    order_.insert(order_.end(), held_[row * heaps_ + heap], static_cast<uint32_t>(row));
  in_release::shuffle(random_, order_);
  next_ = 0;
}

size_t CountedRows::read(char* to, size_t size) {
  char* const begin = to;
  char* const end = to + size;
  while (to < end) {
    if (rest_.empty()) {
      while (next_ == order_.size()) {
        if (next_heap_ == heaps_) return static_cast<size_t>(to - begin);
        shuffle(next_heap_++);
      }
      rest_ = records_[order_[next_++]];
      done_.add();
    }
    const size_t taken = rest_.copy(to, static_cast<size_t>(end - to));
    rest_.remove_prefix(taken);
    to += taken;
  }
  return size;
}

}  // namespace fugu::inline in_release
