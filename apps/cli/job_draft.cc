#include "apps/cli/job_draft.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/ask/job_rows.h"
#include "fugu/ask/lists.h"
#include "fugu/core/error.h"

namespace fugu::cli {
namespace {

// By its name where it is the only one of it, else by its number.
std::string name_of(const Inspection& inspection, size_t column) {
  const std::string& name = inspection.columns[column].name;
  const auto same = std::count_if(inspection.columns.begin(), inspection.columns.end(),
                                  [&](const InspectedColumn& other) { return other.name == name; });
  return name.empty() || same > 1 ? fmt::format("{}", column + 1) : name;
}

// What people call this column, as the job calls it: they may have given its number.
std::string as_named(const std::string& list, const char* flag, const std::vector<std::string>& names) {
  std::string named;
  for (const std::string& item : split_list(list, flag)) {
    std::string name = item;
    if (std::find(names.begin(), names.end(), item) == names.end()) {
      const bool digits = !item.empty() && item.find_first_not_of("0123456789") == std::string::npos;
      const size_t number = digits && item.size() < 9 ? std::stoul(item) : 0;
      if (number < 1 || number > names.size())
        throw usage(fmt::format("{}: the table has no column '{}'", flag, item),
                    "name a column of the table");
      name = names[number - 1];
    }
    named += (named.empty() ? "" : ",") + list_item(name);
  }
  return named;
}

}  // namespace

Job drafted_job(const QuestionOptions& question, const Inspection& inspection) {
  Job job{.question = question};
  for (size_t k = 0; k < inspection.columns.size(); ++k) {
    if (inspection.columns[k].name_is_data && !question.no_header) {
      throw Error(ErrorKind::kData,
                  fmt::format("{}: the first line may be data, but a job needs column names", question.table),
                  "give --no-header, or a header whose names do not occur as values");
    }
    job.columns.push_back(name_of(inspection, k));
  }
  job.question.secret = as_named(question.secret, "--secret", job.columns);
  job.question.published = as_named(question.published, "--public", job.columns);
  std::vector<std::string> used = split_list(job.question.secret, "--secret");
  const auto published = split_list(job.question.published, "--public");
  used.insert(used.end(), published.begin(), published.end());
  const auto& rows = job_rows();
  const auto person = std::find_if(rows.begin(), rows.end(),
                                   [](const JobRow& row) { return row.is_role() && row.key == "person"; });
  for (size_t k = 0; k < job.columns.size(); ++k) {
    const InspectedColumn& column = inspection.columns[k];
    const std::string& name = job.columns[k];
    if (!column.said_kind.empty())
      job.question.kind += (job.question.kind.empty() ? "" : ",") + list_item(name + "=" + column.said_kind);
    const bool is_used = std::find(used.begin(), used.end(), name) != used.end();
    if (column.names_people && !is_used && person != rows.end() && person->texts(job).empty())
      person->add(job, list_item(name));
  }
  return job_from_json(job_to_json(job), "the job");
}

}  // namespace fugu::cli
