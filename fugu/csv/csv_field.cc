#include "fugu/csv/csv_field.h"

namespace fugu::inline in_csv {
namespace {

bool needs_quotes(std::string_view text, char separator) {
  return text.empty() || text.front() == ' ' || text.back() == ' ' || text.front() == '\t' ||
         text.back() == '\t' || text == "\\." ||  // which ends the rows of PostgreSQL's COPY
         text.find_first_of(std::string("\"\r\n") + separator) != std::string_view::npos;
}

}  // namespace

void append_quoted(std::string& to, std::string_view text) {
  to += '"';
  for (size_t quote = 0; (quote = text.find('"')) != std::string_view::npos; text.remove_prefix(quote + 1))
    to.append(text.substr(0, quote + 1)).append(1, '"');
  to.append(text).append(1, '"');
}

std::string csv_field(std::string_view text, char separator) {
  if (!needs_quotes(text, separator)) return std::string(text);
  std::string quoted;
  append_quoted(quoted, text);
  return quoted;
}

}  // namespace fugu::inline in_csv
