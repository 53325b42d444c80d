#include "fugu/database/database_table.h"

#include <fmt/format.h>

#include "fugu/csv/csv_field.h"

namespace fugu::inline in_database {

void DatabaseTable::check_readable(size_t column) const {
  if (const auto type = unreadable(column)) {
    throw Error(ErrorKind::kData,
                fmt::format("{}, {}: values of type {} cannot be read", head_.file,
                            head_.column_place(column), *type),
                "cast the column in --query to text, a number or boolean");
  }
}

Error table_exists(const std::string& name) {
  return usage(fmt::format("--into: there is a table '{}' already", name),
               "give another name, or --force to replace it");
}

Error table_is_input(const std::string& name) {
  return usage(fmt::format("--into: '{}' is the input", name), "give the output another name");
}

Error no_ordinary_table(const std::string& name) {
  return usage(fmt::format("--into: '{}' is not an ordinary table", name),
               "give the output another name; only a table can be replaced");
}

}  // namespace fugu::inline in_database
