#include "fugu/audit/other_columns.h"

#include <fmt/format.h>

#include <algorithm>

namespace fugu::inline in_audit {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<std::string> fault_of(const ColumnTexts& column, const OriginalRows& original) {
  for (const ColumnTexts& hidden : original.hidden) {
    if (same_fields(column, hidden))
      return fmt::format("column '{}' is the original's column '{}' as it is, in every row", column.name(),
                         hidden.name());
  }
  return std::nullopt;
}

// A column that the plan was calibrated against, as it was.
bool is_given(const ColumnTexts& column, const OriginalRows& original) {
  return std::any_of(original.given.begin(), original.given.end(), [&](const ColumnTexts& given) {
    return given.name() == column.name() && same_fields(column, given);
  });
}

bool is_named_given(const ColumnTexts& column, const OriginalRows& original) {
  return std::any_of(original.given.begin(), original.given.end(),
                     [&](const ColumnTexts& given) { return given.name() == column.name(); });
}

}  // namespace

OtherColumns look_at_other_columns(const AuditedRows& rows, const OriginalRows& original) {
  OtherColumns found;
  found.check.tests = std::max(rows.header.size(), rows.columns.size());
  auto blame = [&](const std::string& what) {
    if (!found.check.fault) found.check.fault = what;
    found.check.rarity = 0;
  };
  auto is_secret = [&](const std::string& name) {
    return has(original.secret_names, name) && !has(original.released_names, name);
  };
  for (const std::string& name : rows.header) {
    if (is_secret(name)) blame(fmt::format("column '{}' is a secret of the plan", name));
  }
  for (const ColumnTexts& column : rows.others) {
    if (is_secret(column.name())) continue;
    if (const auto fault = fault_of(column, original)) {
      blame(*fault);
    } else if (is_given(column, original)) {
      continue;
    } else if (original.strata && is_named_given(column, original)) {
      blame(fmt::format("column '{}' is known, and has not what the original has, or in small groups nothing",
                        column.name()));
    } else {
      found.unread.push_back(column.name());
    }
  }
  return found;
}

}  // namespace fugu::inline in_audit
