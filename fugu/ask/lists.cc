#include "fugu/ask/lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "fugu/core/error.h"
#include "fugu/csv/csv_field.h"
#include "fugu/file/text_file.h"

namespace fugu::inline in_ask {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Error bad_quote(const std::string& option, const char* what) {
  return Error(ErrorKind::kUsage, option + ": " + what,
               "quote an item as in CSV: a,\"b,c\",\"say \"\"x\"\"\"");
}

// The item in quotes that begins at `at`, which is left behind its closing quote.
std::string quoted_item(std::string_view text, size_t& at, const std::string& option) {
  std::string item;
  for (++at; at < text.size(); ++at) {
    if (text[at] != '"') {
      item += text[at];
    } else if (at + 1 < text.size() && text[at + 1] == '"') {
      item += text[at++];
    } else {
      ++at;
      return item;
    }
  }
  throw bad_quote(option, "a quote is not closed");
}

}  // namespace

std::vector<std::string> split_list(std::string_view text, const std::string& option) {
  std::vector<std::string> items;
  if (text.empty()) return items;
  for (size_t at = 0;; ++at) {
    while (at < text.size() && text[at] == ' ') ++at;
    if (at < text.size() && text[at] == '"') {
      items.push_back(quoted_item(text, at, option));
      while (at < text.size() && text[at] == ' ') ++at;
      if (at < text.size() && text[at] != ',') throw bad_quote(option, "text follows a closed quote");
    } else {
      const size_t end = std::min(text.find(',', at), text.size());
      items.emplace_back(trimmed(text.substr(at, end - at)));
      at = end;
    }
    if (at >= text.size()) return items;
  }
}

uint64_t read_count(const std::string& text, const char* option, const char* what) {
  uint64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [read, failed] = std::from_chars(text.data(), end, count);
  if (failed != std::errc() || read != end || count < 1 || count >> 60 != 0) {
    throw usage(fmt::format("{}: '{}' is not a number of {}", option, text, what),
                "give a whole number of at least 1, for example 20");
  }
  return count;
}

std::string list_of_file(const std::string& path, const std::string& option) {
  std::istringstream lines(read_text(path));
  std::string list, line;
  while (std::getline(lines, line)) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty())
      throw usage(option + ": " + path + ": a line is empty",
                  "write one category per line, and no empty line");
    if (!list.empty()) list += ',';
    append_quoted(list, line);
  }
  if (list.empty())
    throw usage(option + ": " + path + ": there is no category", "write one category per line");
  return list;
}

std::string shell_word(const std::string& text) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace fugu::inline in_ask
