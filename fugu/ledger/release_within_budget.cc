#include "fugu/ledger/release_within_budget.h"

#include "fugu/core/error.h"
#include "fugu/ledger/ledger_names.h"

namespace fugu::inline in_ledger {

std::optional<Spent> release_within_budget(const Budgeted& budget, const Plan& plan,
                                           const ReleaseRequest& request, const Progress& progress,
                                           const std::function<void(const CountIt&)>& make) {
  std::optional<std::pair<Ledger, Spent>> counted;
  const bool counts = !budget.ledger.empty();
  make([&](const ReleaseSummary& summary) {
    if (!counts) return;
    counted.emplace(
        Ledger::spend(budget.ledger, plan, with_release(budget.spending, request, plan, summary), progress));
  });
  if (!counts) return std::nullopt;
  if (!counted)
    throw Error(ErrorKind::kBug, "a release appeared that the ledger has not counted", "please report this");
  try {
    counted->first.mark_done(counted->second.id);
  } catch (const Error&) {
    // It stays written down as spent and counts all the same.
  }
  return std::move(counted->second);
}

}  // namespace fugu::inline in_ledger
