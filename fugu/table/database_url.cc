#include "fugu/table/database_url.h"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace fugu {
namespace {

constexpr std::string_view kSqlite = "sqlite:";
constexpr std::string_view kPostgres[] = {"postgresql://", "postgres://"};

std::string_view scheme_of(std::string_view name) {
  for (std::string_view scheme : kPostgres) {
    if (name.starts_with(scheme)) return scheme;
  }
  return {};
}

void overwrite(char* begin, const char* end) { std::fill(begin, const_cast<char*>(end), 'x'); }

std::string value_of(const PQconninfoOption* options, std::string_view keyword) {
  for (const PQconninfoOption* option = options; option->keyword; ++option) {
    if (option->keyword == keyword && option->val) return option->val;
  }
  return "";
}

}  // namespace

bool is_postgres(std::string_view name) { return !scheme_of(name).empty(); }

bool is_database(std::string_view name) { return name.starts_with(kSqlite) || is_postgres(name); }

std::string file_behind(const std::string& name) {
  return name.starts_with(kSqlite) ? name.substr(kSqlite.size()) : name;
}

std::string database_place(const std::string& url) {
  if (!is_postgres(url)) return url;
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(
      PQconninfoParse(url.c_str(), nullptr), &PQconninfoFree);
  if (!options) return "the database";
  const std::string port = value_of(options.get(), "port");
  return fmt::format("postgresql://{}{}{}/{}", value_of(options.get(), "host"), port.empty() ? "" : ":", port,
                     value_of(options.get(), "dbname"));
}

void hide_passwords(char* text) {
  const std::string_view scheme = scheme_of(text);
  if (scheme.empty()) return;
  char* const begin = text + scheme.size();
  char* const end = text + std::strlen(text);
  // A password may hold what ends the authority if its owner forgot to encode it: the last @ counts.
  char* const at = static_cast<char*>(memrchr(begin, '@', static_cast<size_t>(end - begin)));
  if (at) {
    char* const colon = std::find(begin, at, ':');
    if (colon != at) overwrite(colon + 1, at);
  }
  for (char* place = begin; (place = std::strstr(place, "password=")) != nullptr;) {
    place += std::strlen("password=");
    overwrite(place, std::find(place, end, '&'));
  }
}

}  // namespace fugu
