// The flags that shape columns, as people write them: for the one column, or by column:
// --clip 'age=20:70;hours=0:80'.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fugu/ask/question.h"
#include "fugu/count/shaping.h"

namespace fugu::inline in_ask {

struct ReadShaping {
  std::vector<Shaping> own = {};  // by released column
  Shaping common = {};            // of all that it suits, where it names none of several
};
// Error (usage); errors of reading the files of --map.
ReadShaping read_shaping(const QuestionOptions& options, const std::vector<std::string>& published);

// The parts of such a text by column; none where it names no released column first. Where values hold commas,
// only semicolons part the columns.
std::vector<std::pair<std::string, std::string>> split_by_column(std::string_view text, bool lists,
                                                                 const std::vector<std::string>& published);

}  // namespace fugu::inline in_ask
