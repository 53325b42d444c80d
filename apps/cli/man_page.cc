#include "apps/cli/man_page.h"

#include <fmt/format.h>

#include "apps/cli/shape.h"

namespace fugu::cli {
namespace {

// Text as roff: no line is taken for a request, a dash stays a dash.
std::string roff(const std::string& text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '.':
        out += out.empty() ? "\\&." : ".";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string entry(const OptionShape& option) {
  std::string head;
  for (const std::string& name : option.names)
    head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", roff(name));
  if (!option.value.empty()) head += fmt::format("{}\\fI{}\\fR", head.empty() ? "" : " ", roff(option.value));
  return fmt::format(".TP\n{}\n{}\n", head, roff(option.description));
}

std::string options_section(const CLI::App& app) {
  std::string out, group;
  for (const OptionShape& option : options_of(app)) {
    if (!option.is_argument() && option.group != group) {
      out += fmt::format(".PP\n{}:\n", roff(option.group));
      group = option.group;
    }
    out += entry(option);
  }
  return out;
}

std::string examples(const CLI::App& app) {
  std::string out;
  for (const std::string& example : examples_of(app))
    out += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(example));
  return out;
}

constexpr const char* kStatus[][2] = {
    {"0", "done"},
    {"1", "a bug in fugu, or not enough memory"},
    {"2", "wrong usage: change the command"},
    {"3", "bad data: change the file"},
    {"4", "the promise cannot be kept, or a plan did not verify"},
    {"5", "input or output failed"},
    {"6", "the budget is spent, or a release cannot be counted against it"},
};

}  // namespace

std::string man_page(const CLI::App& program, const std::string& version) {
  std::string out = fmt::format(".TH FUGU 1 \"\" \"{}\" \"User Commands\"\n", roff(version));
  out += fmt::format(".SH NAME\nfugu \\- {}\n", roff("Pufferfish privacy with a proof"));
  out += ".SH SYNOPSIS\n";
  for (const CLI::App* command : runnable_of(program))
    out += fmt::format(".PP\n\\fB{}\\fR\n", roff(usage_line(*command)));
  out += fmt::format(".SH DESCRIPTION\n{}\n", roff(program.get_description()));
  out +=
      ".PP\nAn error is one line that says what is wrong and where, and one line that says what to do; it "
      "never shows a "
      "private value. Plans hold the counts of the table and are private.\n";
  out +=
      ".PP\n\\fBfugu count\\fR, \\fBfugu chain\\fR and \\fBfugu rate\\fR are older names of the commands of "
      "\\fBfugu model\\fR.\n";
  out += ".SH OPTIONS\n" + options_section(program);
  for (const CLI::App* command : runnable_of(program)) {
    out += fmt::format(".SH \"{}\"\n{}\n", full_name(*command), roff(command->get_description()));
    out += options_section(*command) + examples(*command);
  }
  out += ".SH EXIT STATUS\n";
  for (const auto& [status, meaning] : kStatus) out += fmt::format(".TP\n{}\n{}\n", status, roff(meaning));
  return out + ".SH EXAMPLES\n" + examples(program);
}

}  // namespace fugu::cli
