// Words of the command line: lists, shell words, pairs of secrets, names in SQL, URLs of databases. What is
// quoted reads back, and no password is told.
#include <algorithm>
#include <cstring>

#include "fugu/ask/lists.h"
#include "fugu/csv/csv_field.h"
#include "fugu/database/database_url.h"
#include "fugu/database/sql_name.h"
#include "fugu/law/pairs.h"
#include "tests/fuzz/fuzz.h"

using namespace fugu;

namespace {

void check_list(const std::string& text) {
  const auto items = fuzz::read_or_refuse([&] { return split_list(text, "--list"); });
  if (!items || items->empty()) return;
  std::string written;
  for (const std::string& item : *items) {
    if (!written.empty()) written += ',';
    append_quoted(written, item);
  }
  fuzz::insist(split_list(written, "--list") == *items, "quoted items read back");
}

// As a shell reads one word of what shell_word() writes.
std::string read_shell_word(std::string_view word) {
  std::string text;
  for (size_t at = 0; at < word.size();) {
    if (word[at] == '\'') {
      const size_t end = word.find('\'', at + 1);
      fuzz::insist(end != std::string_view::npos, "a shell's quote is closed");
      text += word.substr(at + 1, end - at - 1);
      at = end + 1;
    } else if (word[at] == '\\') {
      fuzz::insist(at + 1 < word.size(), "something follows a backslash");
      text += word[at + 1];
      at += 2;
    } else {
      fuzz::insist(std::isalnum(static_cast<unsigned char>(word[at])) || std::strchr("-_./,:=+@%", word[at]),
                   "what a shell reads otherwise is quoted");
      text += word[at++];
    }
  }
  return text;
}

void check_sql(std::string_view text) {
  for (bool folds : {false, true}) {
    const auto name = fuzz::read_or_refuse([&] { return parse_sql_name(text, "--table", folds); });
    if (!name) continue;
    const auto quoted = fuzz::read_or_refuse([&] { return name->quoted(); });
    if (!quoted) continue;
    const SqlName again = parse_sql_name(*quoted, "--table", folds);
    fuzz::insist(again.schema == name->schema && again.name == name->name, "a quoted name reads back");
  }
}

// The URL as it is, and one with a password of our own in it.
void check_url(const std::string& text) {
  (void)is_database(text);
  if (is_database(text)) (void)database_place(text);
  (void)without_credentials(text);
  (void)quotes_credentials(text, text);
  const std::string secret = "Sw0rdfish";
  const std::string url = "postgresql://user:" + secret + "@" + text;
  if (text.find('\0') != std::string::npos || text.find(secret) != std::string::npos) return;
  fuzz::insist(database_place(url).find(secret) == std::string::npos, "a place holds no password");
  std::string hidden = url;
  hide_passwords(hidden.data());
  fuzz::insist(hidden.size() == url.size() && hidden.find(secret) == std::string::npos,
               "a hidden password is gone");
}

void check_pairs(const std::string& text) {
  const std::vector<std::string> secrets{"a", "b", "c,d", "e:f", "*", "\"", "all"};
  const auto pairs = fuzz::read_or_refuse([&] { return PairSet::parse(text, secrets); });
  if (!pairs) return;
  const auto list = pairs->list(secrets.size());
  fuzz::insist(!list.empty() && list.size() == pairs->size(secrets.size()), "there is a pair");
  for (const auto& [first, second] : list)
    fuzz::insist(first < second && second < secrets.size(), "a pair is of two secrets");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check_list(text);
  check_sql(text);
  check_url(text);
  check_pairs(text);
  fuzz::insist(read_shell_word(shell_word(text)) == text, "a shell reads back what was meant");
  return 0;
}
