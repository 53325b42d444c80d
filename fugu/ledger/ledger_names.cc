#include "fugu/ledger/ledger_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "fugu/core/digits.h"
#include "fugu/core/error.h"
#include "fugu/csv/chunks.h"

namespace fugu::inline in_ledger {
namespace {

// TableHead::column() may read digits as a column's number.
void check_name(const std::string& name, const TableHead& head) {
  if (std::find(head.header.begin(), head.header.end(), name) != head.header.end() || !are_digits(name))
    return;
  const std::string own = head.column_text(head.column(name, "--plan"));
  if (own == name) return;  // the column has no other name
  throw usage(
      fmt::format("--ledger: the plan calls {} '{}'", head.column_place(head.column(name, "--plan")), name),
      "a ledger knows columns by their names: make the plan from the table, by the column's name");
}

std::optional<TableHead> readable_head(const ReleaseRequest& request, const Plan& plan) {
  if (request.database) return request.database->head();
  std::error_code failed;
  if (request.input == "-" || !std::filesystem::is_regular_file(request.input, failed)) return std::nullopt;
  const bool header = !plan.scenario.source || plan.scenario.source->header;
  return ChunkReader(
             request.input,
             CsvOptions{.separator = request.separator, .header = header, .block_size = request.chunk_size})
      .head();
}

}  // namespace

SpendRequest with_release(SpendRequest spending, const ReleaseRequest& request, const Plan& plan,
                          const ReleaseSummary& summary) {
  const auto& source = plan.scenario.source;
  if (source && (source->has_strata() || !request.keep.empty()))
    spending.kept = source->grouping();  // all of them, or none
  std::sort(spending.kept.begin(), spending.kept.end());
  spending.table = readable_head(request, plan);
  spending.rows = {.digest = summary.rows_digest, .counted = !request.new_data, .drops = request.drop};
  return spending;
}

void check_ledger_names(const Source& source, const std::vector<std::string>& kept,
                        const std::optional<TableHead>& head) {
  // Without a header all names are numbers, which spend() does not mix with names.
  if (!source.header && !(head && !head->header.empty())) return;
  for (const auto* names : {&source.secret, &source.published, &kept}) {
    for (const std::string& name : *names) {
      if (head) {
        check_name(name, *head);
      } else if (are_digits(name)) {
        throw usage(
            fmt::format("--ledger: '{}' may be a column's number, and the table is read only once", name),
            "give the table as a file, or a plan with the columns' names");
      }
    }
  }
}

}  // namespace fugu::inline in_ledger
