// A row as the key of a tally: its texts, parted by NUL, which no text holds.
#pragma once

#include <string_view>
#include <vector>

namespace fugu::inline in_table {

inline std::vector<std::string_view> texts_in(std::string_view key) {
  std::vector<std::string_view> texts;
  for (size_t end = key.find('\0'); end != std::string_view::npos; end = key.find('\0')) {
    texts.push_back(key.substr(0, end));
    key.remove_prefix(end + 1);
  }
  texts.push_back(key);
  return texts;
}

}  // namespace fugu::inline in_table
