#include "fugu/ask/command_line.h"

#include "fugu/ask/flags.h"
#include "fugu/ask/lists.h"

namespace fugu::inline in_ask {
namespace {

// A value that begins with a dash would be read as a flag, did it stand alone.
std::string flag_words(const std::string& flag, const std::string& value) {
  if (value.starts_with("-") && flag.starts_with("--")) return " " + shell_word(flag + "=" + value);
  return " " + flag + " " + shell_word(value.starts_with("-") ? "./" + value : value);
}

}  // namespace

std::string command_line(const std::string& command, const QuestionOptions& question, const PlanOptions& plan,
                         const MoreFlags& more) {
  const std::string table = question.table.starts_with("-") ? "./" + question.table : question.table;
  std::string line = "fugu " + command + " " + shell_word(table);
  auto add = [&line](const auto& options) {
    for (const auto* row : flags_of_page<std::decay_t<decltype(options)>>()) {
      const std::string value = text_of(options, *row);
      if (value.empty()) continue;
      if (row->flag.is_switch()) {
        line += " " + row->flag.dashed();
        continue;
      }
      // Here it is a list; on the command line @ alone would begin the name of a file.
      const bool looks_like_file = row->flag.kind == FlagKind::kNamesOrFile && value.starts_with("@");
      line += flag_words(row->flag.dashed(), looks_like_file ? " " + value : value);
    }
  };
  add(question);
  add(plan);
  for (const auto& [flag, value] : more) line += value.empty() ? " " + flag : flag_words(flag, value);
  return line;
}

}  // namespace fugu::inline in_ask
