// Which names mean a database and no file.
#pragma once

#include <string>
#include <string_view>

namespace fugu::inline in_file {

// postgresql://…, postgres://… or sqlite:FILE.
bool is_database(std::string_view name);
bool is_postgres(std::string_view name);

// The file of sqlite:FILE; any other name as it is.
std::string file_behind(const std::string& name);

}  // namespace fugu::inline in_file
