#include "fugu/database/database_url.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "fugu/database/libpq.h"

namespace fugu::inline in_database {
namespace {

// What stands before a PostgreSQL URL's authority; nothing in any other text.
size_t scheme_size(std::string_view url) { return is_postgres(url) ? url.find("://") + 3 : 0; }

void overwrite(char* begin, const char* end) { std::fill(begin, const_cast<char*>(end), 'x'); }

std::string value_of(const PQconninfoOption* options, std::string_view keyword) {
  for (const PQconninfoOption* option = options; option->keyword; ++option) {
    if (option->keyword == keyword && option->val) return option->val;
  }
  return "";
}

}  // namespace

std::string database_place(const std::string& url) {
  if (!is_postgres(url)) return url;
  const Libpq* const pq = find_libpq();
  if (!pq) return "postgresql://...";
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(
      pq->PQconninfoParse(url.c_str(), nullptr), pq->PQconninfoFree);
  const std::string user_info = url.substr(0, std::min(url.rfind('@'), url.size()));
  const bool odd = url.find('@') != std::string::npos &&
                   user_info.find_first_of("/@?", scheme_size(url)) != std::string::npos;
  if (!options || odd) return "postgresql://...";
  const std::string port = value_of(options.get(), "port");
  return fmt::format("postgresql://{}{}{}/{}", value_of(options.get(), "host"), port.empty() ? "" : ":", port,
                     value_of(options.get(), "dbname"));
}

bool quotes_credentials(std::string_view message, std::string_view url) {
  const std::string_view rest = url.substr(scheme_size(url));
  const size_t at = rest.rfind('@');
  if (at == std::string_view::npos) return false;
  constexpr std::string_view kParts = ":/@?&=";
  // The user's name may be told.
  for (size_t begin = std::min(rest.find_first_of(kParts), at) + 1; begin < at;) {
    const size_t end = std::min(rest.find_first_of(kParts, begin), at);
    const std::string_view part = rest.substr(begin, end - begin);
    if (part.size() > 2 && message.find(part) != std::string_view::npos) return true;
    begin = end + 1;
  }
  return false;
}

std::string without_credentials(std::string text) {
  for (size_t from = 0; (from = text.find("://", from)) != std::string::npos;) {
    from += 3;
    const size_t end = std::min(text.find_first_of(" \t\n'\"", from), text.size());
    const size_t at = text.rfind('@', end);
    if (at != std::string::npos && at >= from && at < end) text.replace(from, at - from, "...");
  }
  return text;
}

void hide_passwords(char* text) {
  char* const scheme = std::strstr(text, "://");
  if (!scheme) return;
  char* const begin = scheme + 3;
  char* const end = text + std::strlen(text);
  // A password may hold what ends the authority if its owner forgot to encode it: the last @ counts.
  char* const at = static_cast<char*>(memrchr(begin, '@', static_cast<size_t>(end - begin)));
  if (at) {
    char* const colon = std::find(begin, at, ':');
    if (colon != at) overwrite(colon + 1, at);
  }
  // Names of parameters may be encoded too, so all of their values go.
  for (char* place = std::find(at ? at : begin, end, '?'); place != end;) {
    char* const next = std::find(place + 1, end, '&');
    char* const value = std::find(place, next, '=');
    if (value != next) overwrite(value + 1, next);
    place = next;
  }
}

}  // namespace fugu::inline in_database
