#include "fugu/ledger/release_within_budget.h"

#include "fugu/core/error.h"
#include "fugu/ledger/family.h"
#include "fugu/ledger/ledger_names.h"
#include "fugu/verify/verify.h"

namespace fugu::inline in_ledger {
namespace {

// Rows are read to be compared with the plan, and nothing of them is written.
class Nowhere : public ByteSink {
 public:
  void write(std::string_view) override {}
  void finish() override {}
};

// What several releases of one value tell is summed over the values that rows have: noise on the nearest ones
// would count by distances that are not its own. (A channel has rows for its own values alone, and so do
// rows that trade places: no bound counts on any other.)
void check_own_values(const Plan& plan, const ReleaseRequest& request) {
  if (!request.nearest || !adds_noise(plan.mechanism)) return;
  throw usage("--nearest: a ledger counts noise by the values that the rows have, not by the nearest ones",
              "calibrate on this table, or release without --ledger");
}

}  // namespace

std::optional<Spent> release_within_budget(const Budgeted& budget, const Plan& plan,
                                           const ReleaseRequest& request, const Progress& progress,
                                           const std::function<void(const CountIt&)>& make) {
  std::optional<std::pair<Ledger, Spent>> counted;
  const bool counts = !budget.ledger.empty();
  if (counts) check_own_values(plan, request);
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
    counted->first.look_ahead(counted->second);
  } catch (const Error&) {
    // It stays written down as spent and counts all the same; what is left after it is not told then.
  }
  return std::move(counted->second);
}

Outlook ask_within_budget(const Budgeted& budget, const Plan& plan, const ReleaseRequest& request) {
  check_own_values(plan, request);
  return Ledger::ask(budget.ledger, plan, with_release(budget.spending, request, plan, {}));
}

Spent reserve_within_budget(const Budgeted& budget, const Plan& plan, const ReleaseRequest& request,
                            const Progress& progress) {
  check_reservable(plan);
  check_own_values(plan, request);
  ReleaseSummary summary;
  if (!request.input.empty() || request.database) {
    Nowhere sink;
    summary = release_table(
        request, plan, [&](const std::vector<NewColumn>&) -> ByteSink& { return sink; }, progress);
  } else {
    verify(plan);
  }
  SpendRequest spending = with_release(budget.spending, request, plan, summary);
  spending.reserve = true;
  return Ledger::spend(budget.ledger, plan, spending, progress).second;
}

}  // namespace fugu::inline in_ledger
