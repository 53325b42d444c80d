#include "fugu/release/arrow_row_reader.h"

#include <string>

#include "fugu/arrow/arrow_type.h"

namespace fugu::inline in_release {

ArrowRowReader::ArrowRowReader(const ArrowTable& table, const RowLayout& layout)
    : table_(table),
      layout_(layout),
      texts_(layout.terms.fields()),
      longer_(layout.terms.fields()),
      rows_(layout) {
  const TableHead& head = table.head();
  for (size_t k = 0; k < layout.terms.fields(); ++k) {
    const std::string place = head.column_place(layout.wanted[k]);
    readers_.emplace_back(arrow_type(table.column(layout.wanted[k]), head.file + ": " + place), head.name(),
                          place);
  }
}

// The row at this place of texts_, which has not been seen.
uint32_t ArrowRowReader::look(size_t at, uint64_t row) {
  std::vector<Field> fields;
  for (size_t k = 0; k < readers_.size(); ++k) fields.push_back({readers_[k].text(texts_[k][at]), {}});
  return rows_.number(fields.data(), row);
}

void ArrowRowReader::read(size_t chunk, int64_t from, int64_t count, uint64_t row,
                          std::vector<uint32_t>& numbers) {
  const auto size = static_cast<size_t>(count);
  for (size_t k = 0; k < readers_.size(); ++k) {
    texts_[k].resize(size);
    readers_[k].forget_dictionary();
    readers_[k].read(table_.column(chunk, layout_.wanted[k]), table_.offset(chunk) + from, count, row,
                     texts_[k].data());
  }
  numbers.resize(size);
  for (size_t r = 0; r < size; ++r) {
    uint32_t stretch = texts_[0][r];
    for (size_t k = 1; k < readers_.size(); ++k) {
      stretch = longer_[k].get({uint64_t{stretch} << 32 | texts_[k][r]},
                               [&] { return static_cast<uint32_t>(longer_[k].size()); });
    }
    if (stretch >= known_.size()) known_.resize(stretch + 1, RowCache::kNone);
    uint32_t& known = known_[stretch];
    if (known == RowCache::kNone) known = look(r, row + r);
    rows_.add(known);
    numbers[r] = known;
  }
}

}  // namespace fugu::inline in_release
