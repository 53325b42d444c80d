// Words, numbers and lists on the command line: lists split at commas, an item that holds a comma quoted as
// in CSV.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fugu::inline in_ask {

// `a,"b,c","say ""x"""` is a | b,c | say "x". Blanks around items are dropped unless quoted; empty text is no
// item. Error (usage), naming `option`, for an open quote or text after a closed one.
std::vector<std::string> split_list(std::string_view text, const std::string& option);

// A whole number of at least 1. Error (usage), naming `option`; `what` calls what is counted ("rows").
uint64_t read_count(const std::string& text, const char* option, const char* what);

// The items of a file, one a line, as such a list. Error (usage), naming `option`, for a file that has none
// or an empty line; errors of read_text().
std::string list_of_file(const std::string& path, const std::string& option);

// The text as a shell reads it back as one word, quoted where it must be.
std::string shell_word(const std::string& text);

}  // namespace fugu::inline in_ask
