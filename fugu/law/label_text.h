// Labels in a list that people write: plain, or quoted as in CSV.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fugu/core/error.h"

namespace fugu::inline in_law {

// One label from `at` on, plain up to the next of `stops`, or quoted with "" for a quote inside; `at` is then
// behind it. Nullopt where a quote is not closed.
inline std::optional<std::string> take_label(std::string_view text, size_t& at, std::string_view stops) {
  std::string label;
  if (at < text.size() && text[at] == '"') {
    for (++at;; ++at) {
      if (at >= text.size()) return std::nullopt;
      if (text[at] != '"') {
        label += text[at];
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        label += text[at++];
      } else {
        ++at;
        return label;
      }
    }
  }
  while (at < text.size() && stops.find(text[at]) == std::string_view::npos) label += text[at++];
  return label;
}

// Error (usage) for a label that is none of the secrets'. It does not list these: they are texts of the
// table, and messages end up in logs.
inline Error no_such_secret(const std::string& flag, const std::string& label) {
  return usage(flag + ": there is no secret '" + label + "'",
               "write it as the table has it; fugu figure laws shows the secrets");
}

}  // namespace fugu::inline in_law
