#include "fugu/count/arrow_names.h"

#include <algorithm>
#include <optional>

#include "fugu/arrow/arrow_reader.h"
#include "fugu/core/error.h"
#include "fugu/count/column_name.h"

namespace fugu::inline in_count {
namespace {

constexpr int64_t kNameSlice = int64_t{1} << 16;

std::optional<ArrowType> texts_of(const ArrowTable& table, size_t column) {
  try {
    const ArrowType type = arrow_type(table.column(column), "");
    return type.kind == ArrowType::kText ? std::optional(type) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

// A slice at a time: an identifier has as many texts as rows.
void see_texts(const ArrowTable& table, size_t column, const ArrowType& type, ColumnName& name) {
  std::vector<uint32_t> places(kNameSlice);
  for (size_t chunk = 0; chunk < table.chunks(); ++chunk) {
    for (int64_t from = 0; from < table.rows(chunk) && !name.is_value(); from += kNameSlice) {
      ArrowReader reader(type, table.head().name(), "");
      const int64_t count = std::min(kNameSlice, table.rows(chunk) - from);
      reader.read(table.column(chunk, column), table.offset(chunk) + from, count, 1, places.data());
      for (uint32_t k = 0; k < reader.size(); ++k) name.see(reader.text(k));
    }
  }
}

}  // namespace

void check_arrow_names(const ArrowTable& table, const std::vector<std::string>& na,
                       const std::vector<size_t>& numbers) {
  std::vector<ColumnName> names;
  std::vector<size_t> columns;
  for (size_t k = 0; k < table.columns() && table.is_table(); ++k) {
    const auto type = texts_of(table, k);
    if (!type) continue;
    ColumnName name(table.head(), k, na);
    try {
      see_texts(table, k, *type, name);
    } catch (const Error&) {  // a text that no column of the plan may hold: it goes along as it is
    }
    names.push_back(std::move(name));
    columns.push_back(numbers.at(k) - 1);
  }
  check_names(table.head(), names, columns, true);
}

}  // namespace fugu::inline in_count
