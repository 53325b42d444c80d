// Names of tables as people write them, and as SQL takes them: nothing a name holds is read as SQL.
#pragma once

#include <string>
#include <string_view>

namespace fugu::inline in_database {

struct SqlName {
  std::string schema = {};  // empty when none was named
  std::string name;

  // "schema"."name", each in quotes.
  std::string quoted() const;
};

// The name in double quotes, its own doubled. Error (usage) when it holds NUL or is empty.
std::string quoted_name(std::string_view name);

// Reads name, schema.name, or either in double quotes ("odd; name"), as SQL does. Letters outside quotes
// become small ones when `folds`. Error (usage), naming `option`.
SqlName parse_sql_name(std::string_view text, const std::string& option, bool folds);

}  // namespace fugu::inline in_database
