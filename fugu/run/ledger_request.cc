#include "fugu/run/ledger_request.h"

#include <fmt/format.h>

#include <filesystem>

#include "fugu/core/error.h"
#include "fugu/database/database_url.h"
#include "fugu/ledger/ledger_file.h"
#include "fugu/ledger/ledger_output.h"

namespace fugu::inline in_run {

void check_ledger(const LedgerTexts& ledger, bool carries_unprotected) {
  if (!ledger.given()) {
    const std::pair<const std::string&, const char*> alone[] = {
        {ledger.dataset, "--dataset"}, {ledger.budget, "--budget"}, {ledger.budget_delta, "--budget-delta"}};
    for (const auto& [value, name] : alone) {
      if (!value.empty())
        throw usage(fmt::format("{}: there is no ledger", name), "name its file with --ledger");
    }
    if (ledger.values_unchanged)
      throw usage("--values-unchanged: there is no ledger", "name its file with --ledger");
    return;
  }
  if (carries_unprotected) {
    throw usage("--keep-unprotected: this cannot be used with a ledger",
                "the ledger could not count these columns: leave them out, or release without --ledger");
  }
  if (ledger.dataset.empty()) {
    throw usage("--dataset: the ledger needs the dataset's name",
                "use one name for every release about the same people, for example --dataset adult");
  }
  if (ledger.budget.empty() && !std::filesystem::exists(ledger.path)) {
    throw usage(fmt::format("--budget: {} does not exist, so there is no budget yet", ledger.path),
                "give the epsilon that all releases together may spend, for example --budget 1");
  }
  spend_request(ledger, "", "");
}

void check_ledger_file(const LedgerTexts& ledger) {
  if (ledger.given()) ledger_exists(ledger.path);
}

SpendRequest spend_request(const LedgerTexts& ledger, const std::string& output, const std::string& time) {
  SpendRequest request{.dataset = ledger.dataset, .time = time, .values_unchanged = ledger.values_unchanged};
  if (is_database(output) || is_elsewhere(output)) {
    request.output = output;
  } else if (!output.empty()) {
    request.output = std::filesystem::absolute(output).lexically_normal().string();
  }
  if (!ledger.budget.empty()) request.budget = Epsilon::parse(ledger.budget, "--budget", ErrorKind::kUsage);
  if (!ledger.budget_delta.empty())
    request.budget_delta = Delta::parse(ledger.budget_delta, "--budget-delta", ErrorKind::kUsage);
  return request;
}

}  // namespace fugu::inline in_run
