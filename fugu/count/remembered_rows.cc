#include "fugu/count/remembered_rows.h"

#include <algorithm>
#include <string>
#include <utility>

#include "fugu/table/row_key.h"

namespace fugu::inline in_count {

void RememberedRows::remember(const std::vector<size_t>& columns, RowCounts& counts) {
  columns_.clear();
  rows_ = {};
  order_ = std::exchange(counts.order, {});
  if (counts.rows.size() > kMostDistinct) {
    order_ = {};
    return;
  }
  columns_ = columns;
  for (const Tally::Entry& row : counts.rows.entries()) rows_.add(row.key, row.line, row.count);
}

std::optional<std::vector<size_t>> RememberedRows::places(const std::vector<size_t>& columns) const {
  std::vector<size_t> places;
  for (size_t column : columns) {
    const auto at = std::find(columns_.begin(), columns_.end(), column);
    if (at == columns_.end()) return std::nullopt;
    places.push_back(static_cast<size_t>(at - columns_.begin()));
  }
  return places;
}

std::optional<Tally> RememberedRows::counted(const std::vector<size_t>& columns,
                                             std::vector<uint32_t>* become) const {
  const auto stand = places(columns);
  if (!stand) return std::nullopt;
  Tally result;
  for (const Tally::Entry& row : rows_.entries()) {
    const auto texts = texts_in(row.key);
    std::string key;
    for (size_t k = 0; k < stand->size(); ++k) key.append(k > 0 ? 1 : 0, '\0').append(texts[(*stand)[k]]);
    const size_t number = result.add(key, row.line, row.count);
    if (become) become->push_back(static_cast<uint32_t>(number));
  }
  return result;
}

}  // namespace fugu::inline in_count
