// What can be asked, once: each flag with its name, its kind, where it applies and its words. The command
// line's options, help and completion, the arguments of Python, the fields of the studio and the tables of
// the documents are made from these rows. A flag is added by a row and by its use.
//
//   for (const auto* row : flags_for<QuestionOptions>("calibrate")) set_text(options, *row, "…");
//
// The rows are in question_flags.cc, plan_flags.cc, release_flags.cc, model_flags.cc and rate_flags.cc, each
// with the text that it fills. Where several rows have one name, the first that applies counts. What only one
// command of the terminal has stands with that command, once.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "fugu/core/json.h"

namespace fugu::inline in_ask {

// What a value is, as Python takes it: the command line takes texts for all of them.
enum class FlagKind {
  kWord,         // a text as it is
  kChoice,       // one of the words of `value`; FILE among them is a name
  kNumber,       // one, or several where `value` says so
  kSpan,         // LO:HI, a pair
  kNames,        // a name, or a list
  kNamesOrFile,  // a list, or after @ the name of a file with one a line
  kValues,       // a list of numbers and texts
  kPairs,        // of secrets
  kFile,         // or, in Python, what the file would hold
  kFiles,        // may be repeated
  kPeople,       // a whole number of people
  kSwitch,       // given or not
  kNotSwitch     // the same, where Python asks for the opposite: header=False
};
const char* kind_name(FlagKind kind);  // "names or file"

// What becomes of it on the studio's page. A null section: the page does not ask it. An empty one: it takes
// it, and has no field of this kind for it.
struct FlagField {
  const char* section = nullptr;
  const char* label = "";
  const char* example = "";  // shown in the empty field
  const char* help = "";     // where the flag's own does not fit
};

// Where it stands in the file of a job (job.h): a member of a section; as section "role" or "shape" it is
// said of the columns, "-" is nowhere. An empty section is that of the flag's group, an empty key the name in
// Python.
struct JobPlace {
  const char* section = "";
  const char* key = "";
};

struct Flag {
  const char* name;  // without dashes; in capitals it is an argument
  FlagKind kind;
  const char* value;  // as the help writes it: "LO:HI", "free|clamp"
  const char* group;  // of the help
  const char* help;
  const char* commands = nullptr;  // words; null: every command that takes the text
  const char* functions = "";      // of Python, words
  const char* python_name = "";    // where it is not that of the flag with _ for -
  const char* sayers = "";         // "plan", "scenario", "database": what says it already
  FlagField field = {};
  JobPlace job = {};
  char letter = 0;            // -o
  bool required = false;      // an argument of the command line, or of Python
  const char* short_in = "";  // the commands whose short help shows it, words; "*": every command

  // With that besides.
  constexpr Flag& of(const char* words) {
    commands = words;
    return *this;
  }
  constexpr Flag& python(const char* words) {
    functions = words;
    return *this;
  }
  constexpr Flag& named(const char* text) {
    python_name = text;
    return *this;
  }
  constexpr Flag& said_by(const char* words) {
    sayers = words;
    return *this;
  }
  constexpr Flag& page(const FlagField& shown) {
    field = shown;
    return *this;
  }
  constexpr Flag& in_job(const char* section, const char* key = "") {
    job = {section, key};
    return *this;
  }
  constexpr Flag& lettered(char short_name) {
    letter = short_name;
    return *this;
  }
  constexpr Flag& needed() {
    required = true;
    return *this;
  }
  constexpr Flag& everyday(const char* words = "*") {
    short_in = words;
    return *this;
  }

  bool is_argument() const { return name[0] >= 'A' && name[0] <= 'Z'; }
  bool is_switch() const { return kind == FlagKind::kSwitch || kind == FlagKind::kNotSwitch; }
  std::string dashed() const { return is_argument() ? name : std::string("--") + name; }
  std::string in_python() const;
  bool is_for(std::string_view command) const;
  bool is_said_by(std::string_view what) const;
  bool is_everyday(std::string_view command) const;
};

template <class Options>
struct FlagOf {
  Flag flag;
  std::variant<std::string Options::*, bool Options::*, std::vector<std::string> Options::*> to;

  bool is_given(const Options& options) const {
    return std::visit(
        [&](auto member) {
          if constexpr (std::is_same_v<decltype(member), bool Options::*>) {
            return options.*member;
          } else {
            return !(options.*member).empty();
          }
        },
        to);
  }
};

// Every row of the texts, in the order of the help.
template <class Options>
std::span<const FlagOf<Options>> flags_of();
template <>
std::span<const FlagOf<struct QuestionOptions>> flags_of();
template <>
std::span<const FlagOf<struct PlanOptions>> flags_of();
template <>
std::span<const FlagOf<struct ReleaseTexts>> flags_of();
template <>
std::span<const FlagOf<struct ReleaseOutput>> flags_of();
template <>
std::span<const FlagOf<struct LedgerTexts>> flags_of();
template <>
std::span<const FlagOf<struct CrowdOptions>> flags_of();
template <>
std::span<const FlagOf<struct ChainOptions>> flags_of();
template <>
std::span<const FlagOf<struct ModelBudget>> flags_of();
template <>
std::span<const FlagOf<struct RateOptions>> flags_of();
template <>
std::span<const FlagOf<struct EstimateTexts>> flags_of();
template <>
std::span<const FlagOf<struct PreviewTexts>> flags_of();

// Those of a command.
template <class Options>
std::vector<const FlagOf<Options>*> flags_for(std::string_view command) {
  std::vector<const FlagOf<Options>*> rows;
  for (const FlagOf<Options>& row : flags_of<Options>()) {
    const bool first = std::none_of(rows.begin(), rows.end(), [&](const auto* other) {
      return std::string_view(other->flag.name) == row.flag.name;
    });
    if (first && row.flag.is_for(command)) rows.push_back(&row);
  }
  return rows;
}

// The same of the studio's page: what fugu calibrate takes, less what names files.
template <class Options>
std::vector<const FlagOf<Options>*> flags_of_page() {
  auto rows = flags_for<Options>("calibrate");
  std::erase_if(rows, [](const auto* row) { return row->flag.field.section == nullptr; });
  return rows;
}

// The row of a flag. Precondition: there is one.
template <class Options>
const Flag& flag_named(std::string_view name) {
  const auto rows = flags_of<Options>();
  return std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return name == row.flag.name; })->flag;
}

// The text, or for a switch whether there is one; a list gets one more.
template <class Options>
void set_text(Options& options, const FlagOf<Options>& row, const std::string& text) {
  std::visit(
      [&](auto member) {
        if constexpr (std::is_same_v<decltype(member), bool Options::*>) {
          options.*member = !text.empty();
        } else if constexpr (std::is_same_v<decltype(member), std::string Options::*>) {
          options.*member = text;
        } else {
          (options.*member).push_back(text);
        }
      },
      row.to);
}

// Of a switch "yes"; of a list nothing.
template <class Options>
std::string text_of(const Options& options, const FlagOf<Options>& row) {
  if (const auto* on = std::get_if<bool Options::*>(&row.to)) return options.*(*on) ? "yes" : "";
  if (const auto* text = std::get_if<std::string Options::*>(&row.to)) return options.*(*text);
  return "";
}

// The first flag that is given and that `what` says already, with its dashes; empty where there is none.
template <class Options>
std::string said_already(const Options& options, std::string_view what) {
  for (const auto* row : flags_for<Options>("calibrate")) {
    if (row->flag.is_said_by(what) && row->is_given(options)) return row->flag.dashed();
  }
  return "";
}

// The section and the key of a flag in a job, of the texts that all_flags() names; none where it has no place
// there.
std::optional<std::pair<std::string, std::string>> job_place(std::string_view texts, const Flag& flag);

// Every row of fugu/ask, by the texts that it fills ("question", "plan", "count", …).
std::vector<std::pair<std::string, Flag>> all_flags();
// [{"texts", "name", "kind", "value", "group", "help", "commands", "python": {"name", "functions"}}].
Json flags_to_json();
// {section: [{"texts", "name", "label", "help", "example", "words"}]}: what the studio's page asks.
Json page_fields_to_json();

// The first flag that a message names, without dashes: "epsilon" of "--epsilon: no epsilon is given". Empty
// where it names none of a question or a plan.
std::string field_of_message(std::string_view message);

}  // namespace fugu::inline in_ask
