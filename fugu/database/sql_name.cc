#include "fugu/database/sql_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "fugu/core/error.h"
#include "fugu/core/letters.h"

namespace fugu::inline in_database {
namespace {

bool is_plain(char c, bool first) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (!first && ((c >= '0' && c <= '9') || c == '$'));
}

class NameReader {
 public:
  NameReader(std::string_view text, const std::string& option, bool folds)
      : text_(text), option_(option), folds_(folds) {}

  SqlName read() {
    std::vector<std::string> parts{part()};
    while (at_ < text_.size()) {
      if (text_[at_++] != '.' || parts.size() == 2) throw bad();
      parts.push_back(part());
    }
    return parts.size() == 1 ? SqlName{.name = parts[0]} : SqlName{parts[0], parts[1]};
  }

 private:
  std::string part() {
    std::string result;
    if (at_ < text_.size() && text_[at_] == '"') {
      for (++at_;; ++at_) {
        if (at_ == text_.size()) throw bad();
        const bool quote = text_[at_] == '"';
        if (quote && !text_.substr(at_ + 1).starts_with('"')) break;
        at_ += quote;
        result += text_[at_];
      }
      ++at_;
    } else {
      for (; at_ < text_.size() && is_plain(text_[at_], result.empty()); ++at_)
        result += folds_ ? small_letter(text_[at_]) : text_[at_];
    }
    if (result.empty()) throw bad();
    return result;
  }

  Error bad() const {
    return usage(fmt::format("{}: '{}' is not the name of a table", option_, text_),
                 fmt::format("name, schema.name, or in double quotes for other characters, as in {} "
                             "'\"My table\"'",
                             option_));
  }

  std::string_view text_;
  const std::string& option_;
  bool folds_;
  size_t at_ = 0;
};

}  // namespace

std::string quoted_name(std::string_view name) {
  if (name.empty() || name.find('\0') != std::string_view::npos)
    throw usage("a column or table has no name", "name it in --query, with AS");
  std::string quoted = "\"";
  for (char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string SqlName::quoted() const {
  return schema.empty() ? quoted_name(name) : quoted_name(schema) + "." + quoted_name(name);
}

SqlName parse_sql_name(std::string_view text, const std::string& option, bool folds) {
  return NameReader(text, option, folds).read();
}

}  // namespace fugu::inline in_database
