#include "fugu/file/database_name.h"

namespace fugu::inline in_file {
namespace {

constexpr std::string_view kSqlite = "sqlite:";

}  // namespace

bool is_postgres(std::string_view name) {
  return name.starts_with("postgresql://") || name.starts_with("postgres://");
}

bool is_database(std::string_view name) { return name.starts_with(kSqlite) || is_postgres(name); }

std::string file_behind(const std::string& name) {
  return name.starts_with(kSqlite) ? name.substr(kSqlite.size()) : name;
}

}  // namespace fugu::inline in_file
