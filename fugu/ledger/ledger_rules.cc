#include "fugu/ledger/ledger_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/compose/compose.h"
#include "fugu/compose/value_range.h"
#include "fugu/core/error.h"
#include "fugu/ledger/family.h"
#include "fugu/ledger/ledger_sum.h"
#include "fugu/ledger/ledger_word.h"

namespace fugu::inline in_ledger {
namespace {

Error spent_up(std::string message, std::string hint) {
  return Error(ErrorKind::kBudget, std::move(message), std::move(hint));
}

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// The first of `names` that is among `others`; null when there is none.
const std::string* first_shared(const std::vector<std::string>& names,
                                const std::vector<std::string>& others) {
  const auto shared = std::find_first_of(names.begin(), names.end(), others.begin(), others.end());
  return shared == names.end() ? nullptr : &*shared;
}

// Columns that one plan names and another numbers cannot be compared.
void check_same_header(const Source& source, const Plan& before, int64_t id) {
  if (before.scenario.source->header == source.header) return;
  throw spent_up(fmt::format("release {} of the dataset was of a table {} a header, this one is {}", id,
                             source.header ? "without" : "with", source.header ? "with" : "without"),
                 "fugu cannot tell which columns are the same: release only from tables with a header, or "
                 "only from tables without");
}

// Whether a release may stand beside an earlier one whose secret shares a column with its own.
void check_goes_along(const SpendRequest& request, const Source& source, const LedgerRelease& before) {
  if (before.plan.scenario.source->known != source.known) {
    throw spent_up(fmt::format("release {} of dataset '{}' was made within groups of other known columns",
                               before.id, request.dataset),
                   "whoever has both files knows the columns of both: calibrate with the same --known");
  }
  if (!before.kept.empty() && !request.kept.empty() && before.kept != request.kept) {
    throw spent_up(fmt::format("with release {} of dataset '{}' other columns were kept: {}", before.id,
                               request.dataset, fmt::join(before.kept, ", ")),
                   "whoever has both files knows all of these columns: keep the same ones, or none");
  }
  // Its laws are of another secret: nothing is known of what they are given the kept columns.
  if (before.secret != secret_of(source) && !(before.kept.empty() && request.kept.empty())) {
    throw spent_up(fmt::format("release {} of dataset '{}' hides other secret columns, and columns are kept",
                               before.id, request.dataset),
                   "release with --secret as before, or keep no columns");
  }
}

// What is released with noise, or trades places, is nowhere written as it is: neither kept nor known.
void check_not_also_as_it_is(const SpendRequest& request, const Source& source, const LedgerRelease& before) {
  if (const std::string* name = first_shared(before.published, request.kept)) {
    throw spent_up(
        fmt::format(
            "{} was released before with a promise, as release {}, and would now be written unchanged", *name,
            before.id),
        "then everybody has it unchanged: leave it out of --keep and --known");
  }
  if (const std::string* name = first_shared(source.published, before.kept)) {
    throw spent_up(fmt::format("{} was written unchanged before, beside release {}", *name, before.id),
                   "there is nothing left to promise about it");
  }
}

// What is the secret of one account is not released by another, with noise or as it is. The last release is
// the one that is asked for.
void check_columns(const SpendRequest& request, const Source& source, const std::vector<Account>& accounts,
                   const std::vector<LedgerRelease>& releases) {
  const std::vector<std::string> secret = secret_of(source), shown = joined(source.published, request.kept);
  for (const Account& account : accounts) {
    if (account.secret == secret) continue;
    if (const std::string* name = first_shared(shown, account.secret)) {
      throw spent_up(fmt::format("{} is a secret of dataset '{}' in this ledger", *name, request.dataset),
                     "a secret is not released; give another dataset name only if these are other people");
    }
  }
  for (const LedgerRelease& before : releases) {
    if (!before.counts() || before.id == releases.back().id) continue;
    if (first_shared(joined(before.published, before.kept), secret)) {
      throw spent_up(fmt::format("the secret column was released before, as release {}", before.id),
                     "it is no longer a secret; give another dataset name only if these are other people");
    }
    check_same_header(source, before.plan, before.id);
    check_not_also_as_it_is(request, source, before);
    if (concerns(secret, before, releases)) check_goes_along(request, source, before);
  }
}

bool has_released(const Account& account, const std::vector<LedgerRelease>& releases) {
  return std::any_of(releases.begin(), releases.end(), [&](const LedgerRelease& release) {
    return release.counts() && release.secret == account.secret;
  });
}

AccountSum sum_or_refusal(const std::vector<std::string>& secret,
                          const std::vector<LedgerRelease>& releases) {
  try {
    return sum_of_account(secret, releases);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kGuarantee) throw;
    throw spent_up("this release cannot be counted with those before it: " + error.message(),
                   "fugu ledger show lists them; " + error.hint());
  }
}

// Outside of what was reserved of its columns a release would cost far more than it seems to: unless it hides
// the values themselves, and so costs its epsilon.
void check_within_families(const std::vector<LedgerRelease>& releases) {
  const LedgerRelease& last = releases.back();
  const std::string outside = why_outside_families(releases);
  if (last.reserved || outside.empty()) return;
  const auto range = drops_rows(last) ? std::nullopt : value_range(last.plan);
  if (range && *range <= last.plan.scenario.epsilon.value()) return;
  throw spent_up(
      outside,
      "reveal less (a smaller --epsilon), or use a --method that hides the values themselves: dp-laplace");
}

}  // namespace

const Source& ledger_source(const Plan& plan) {
  if (plan.scenario.is_of_belief()) {
    throw spent_up("this release cannot be counted: a promise in belief is about one release",
                   "calibrate with --promise odds, or leave out --ledger");
  }
  if (!plan.scenario.source || plan.scenario.source->published.empty() ||
      plan.scenario.source->secret.empty()) {
    throw usage("--ledger: the plan does not say which columns it is about",
                "make the plan from a table with --secret and --public");
  }
  return *plan.scenario.source;
}

std::vector<std::string> secret_of(const Source& source) {
  std::vector<std::string> secret = source.secret;
  std::sort(secret.begin(), secret.end());
  return secret;
}

void check_budget_is(const Account& account, const SpendRequest& request) {
  const std::string hint = "a budget is set once: leave the flag out; fugu ledger show says what is left";
  if (request.budget && request.budget->value() != account.epsilon) {
    throw usage(fmt::format("--budget: the budget of dataset '{}' is {} already", account.dataset,
                            short_text(account.epsilon)),
                hint);
  }
  if (request.budget_delta && request.budget_delta->value() != account.delta) {
    throw usage(fmt::format("--budget-delta: that of dataset '{}' is {} already", account.dataset,
                            short_text(account.delta)),
                hint);
  }
}

Account new_account(const SpendRequest& request, std::vector<std::string> secret) {
  if (!request.budget) {
    throw usage(fmt::format("--budget: dataset '{}' has none yet for this secret", request.dataset),
                "give the epsilon that all releases together may spend, for example --budget 1");
  }
  return {request.dataset, std::move(secret), request.budget->value(),
          request.budget_delta ? request.budget_delta->value() : Rational(0)};
}

Spent judged(const SpendRequest& request, const std::vector<Account>& accounts,
             const std::vector<LedgerRelease>& releases) {
  const LedgerRelease& last = releases.back();
  const Source& source = ledger_source(last.plan);
  check_columns(request, source, accounts, releases);
  check_word(releases);
  check_within_families(releases);
  Spent spent;
  spent.id = last.id;
  for (const Account& account : accounts) {
    const bool is_own = account.secret == last.secret;
    if (is_own) spent.account = account;
    if (!concerns(account.secret, last, releases)) {
      spent.other_secret = true;
      continue;
    }
    if (!is_own && !has_released(account, releases)) continue;  // it has promised nothing yet
    const AccountSum sum = sum_or_refusal(account.secret, releases);
    const Composition together = within_budget(sum, account, last.secret);
    if (!is_own) continue;
    spent.together = together;
    spent.releases = sum.releases;
    spent.assumptions = sum.assumptions;
    if (const std::string chosen = chosen_beforehand(together, sum.releases); !chosen.empty())
      spent.assumptions.push_back(chosen);
  }
  for (const LedgerRelease& before : releases) {
    if (before.counts() && before.secret == last.secret && before.published == last.published &&
        before.digest != last.digest)
      spent.other_data = before.id;
  }
  return spent;
}

}  // namespace fugu::inline in_ledger
