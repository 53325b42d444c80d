// The rows of every text of a job, and how each is written there.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "fugu/ask/flags.h"
#include "fugu/ask/job.h"

namespace fugu::inline in_ask {

template <>
std::span<const FlagOf<JobFiles>> flags_of();

struct JobRow {
  Flag flag;
  std::string section;
  std::string key;
  bool has_flag;                                              // else it is a file that only a job names
  std::function<void(Job&, const std::string&)> add;          // a text; to a list one more
  std::function<std::vector<std::string>(const Job&)> texts;  // none where it is not given
  std::function<std::vector<std::string*>(Job&)> places;      // those that are given; of a switch none

  bool is_role() const { return section == "role"; }
  bool is_shape() const { return section == "shape"; }
  // Whether its text names columns, as in COL=KIND.
  bool names_columns() const { return std::string_view(flag.value).find("COL=") != std::string_view::npos; }
  // Whether a text of it is the name of a file.
  bool is_path(std::string_view text) const;
};
const std::vector<JobRow>& job_rows();

// A text as JSON, and back. Numbers keep their literals.
Json job_value(const JobRow& row, const std::vector<std::string>& texts);
std::vector<std::string> texts_of_value(const JobRow& row, const Json& value, const std::string& place);

// One item of a list, quoted as in CSV where it must be.
std::string list_item(const std::string& text);

// What a flag says of single columns, as (column, text).
using ColumnTexts = std::vector<std::pair<std::string, std::string>>;
// The one text of the flag: a bare one of the one released column, COL=TEXT of several where the flag's
// notation has that, a list in their order where it has that. Error (data).
std::string text_of_columns(const JobRow& row, const ColumnTexts& said,
                            const std::vector<std::string>& published, const std::string& place);
// And back; empty where the text is of no single columns.
ColumnTexts columns_of_text(const JobRow& row, const std::string& text,
                            const std::vector<std::string>& published);

}  // namespace fugu::inline in_ask
