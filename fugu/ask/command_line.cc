#include "fugu/ask/command_line.h"

#include "fugu/ask/fields.h"
#include "fugu/ask/lists.h"

namespace fugu {
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
  auto add = [&line](const char* name, const std::string& value) {
    if (!value.empty()) line += flag_words("--" + std::string(name), value);
  };
  for (const QuestionField& field : question_fields()) {
    const std::string& value = question.*field.text;
    // Here it is a list; on the command line @ alone would begin the name of a file.
    const bool looks_like_file = field.text == &QuestionOptions::order && value.starts_with("@");
    add(field.name, looks_like_file ? " " + value : value);
  }
  if (question.no_header) line += " --no-header";
  for (const PlanField& field : plan_fields()) add(field.name, plan.*field.text);
  for (const PlanSwitch& field : plan_switches()) {
    if (plan.*field.value) line += " --" + std::string(field.name);
  }
  for (const auto& [flag, value] : more) line += value.empty() ? " " + flag : flag_words(flag, value);
  return line;
}

}  // namespace fugu
