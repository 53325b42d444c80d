#include "fugu/ledger/ledger.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "fugu/core/digest.h"
#include "fugu/core/error.h"
#include "fugu/core/json_read.h"
#include "fugu/ledger/ledger_file.h"
#include "fugu/ledger/ledger_names.h"
#include "fugu/ledger/ledger_output.h"
#include "fugu/ledger/ledger_schema.h"
#include "fugu/ledger/ledger_sum.h"
#include "fugu/scenario/scenario_json.h"

namespace fugu::inline in_ledger {
namespace {

Error spent_up(std::string message, std::string hint) {
  return Error(ErrorKind::kBudget, std::move(message), std::move(hint));
}

std::string list_text(const std::vector<std::string>& items) { return Json::strings(items).canonical(); }
std::vector<std::string> list_of(const std::string& text, const std::string& place) {
  return need_strings(parse_json(text, place), place);
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

const Source& source_of(const Plan& plan) {
  if (!plan.scenario.source || plan.scenario.source->published.empty() ||
      plan.scenario.source->secret.empty()) {
    throw usage("--ledger: the plan does not say which columns it is about",
                "make the plan from a table with --secret and --public");
  }
  return *plan.scenario.source;
}

std::vector<std::string> key_of(const Source& source) {
  std::vector<std::string> secret = source.secret;
  std::sort(secret.begin(), secret.end());
  return secret;
}

// Columns that one plan names and another numbers cannot be compared.
void check_same_header(const Source& source, const Plan& before, int64_t id) {
  if (before.scenario.source->header == source.header) return;
  throw spent_up(fmt::format("release {} of the dataset was of a table {} a header, this one is {}", id,
                             source.header ? "without" : "with", source.header ? "with" : "without"),
                 "which columns are the same cannot be told: release from tables with a header, or from "
                 "tables without");
}

// Whether a release may stand beside an earlier one whose secret shares a column with its own.
void check_goes_along(const SpendRequest& request, const Source& source, const LedgerRelease& before) {
  if (before.plan.scenario.source->known != source.known) {
    throw spent_up(fmt::format("release {} of dataset '{}' was made within groups of other known columns",
                               before.id, request.dataset),
                   "who has both files knows the columns of both: calibrate with the same --known");
  }
  if (!before.kept.empty() && !request.kept.empty() && before.kept != request.kept) {
    throw spent_up(fmt::format("with release {} of dataset '{}' other columns were kept: {}", before.id,
                               request.dataset, fmt::join(before.kept, ", ")),
                   "who has both files knows all of these columns: keep the same ones, or none");
  }
  // Its laws are of another secret: nothing is known of what they are given the kept columns.
  if (before.secret != key_of(source) && !(before.kept.empty() && request.kept.empty())) {
    throw spent_up(fmt::format("release {} of dataset '{}' hides other secret columns, and columns are kept",
                               before.id, request.dataset),
                   "release with --secret as before, or keep no columns");
  }
}

// What is released with noise, or trades places, is nowhere written as it is: neither kept nor known.
void check_not_also_as_it_is(const SpendRequest& request, const Source& source, const LedgerRelease& before) {
  if (const std::string* name = first_shared(before.published, request.kept)) {
    throw spent_up(
        fmt::format("{} was released before with a promise, as release {}, and would now be written as it is",
                    *name, before.id),
        "whoever has it as it is needs no release of it: leave it out of --keep and --known");
  }
  if (const std::string* name = first_shared(source.published, before.kept)) {
    throw spent_up(fmt::format("{} was written as it is before, beside release {}", *name, before.id),
                   "there is nothing left to promise about it");
  }
}

// What is the secret of one account is not released by another, with noise or as it is. The last release is
// the one that is asked for.
void check_columns(const SpendRequest& request, const Source& source, const std::vector<Account>& accounts,
                   const std::vector<LedgerRelease>& releases) {
  const std::vector<std::string> secret = key_of(source), shown = joined(source.published, request.kept);
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
                     "it is no secret any more; give another dataset name only if these are other people");
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

void check_budget_is(const Account& account, const SpendRequest& request) {
  const std::string hint = "a budget is set once: leave the flag out; fugu ledger show tells what is left";
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

ReleaseState state_of(const std::string& name, const std::string& path) {
  for (const ReleaseState state : {ReleaseState::kSpent, ReleaseState::kDone, ReleaseState::kVoid}) {
    if (state_name(state) == name) return state;
  }
  throw no_ledger(path);
}

Rational need_budget(const std::string& text, const std::string& path) {
  const auto value = parse_number(text);
  if (!value) throw no_ledger(path);
  return *value;
}

}  // namespace

std::string state_name(ReleaseState state) {
  return state == ReleaseState::kSpent ? "spent" : state == ReleaseState::kDone ? "done" : "void";
}

std::string counts_digest(const Scenario& scenario) {
  return sha256(scenario_to_json(scenario).find("priors")->canonical());
}

Ledger::Ledger(const std::string& path) : path_(path), database_(existing_ledger(path)) {
  update_ledger_tables(database_, path_);
}

Ledger::Ledger(const std::string& path, Fresh) : path_(path), database_(created_ledger(path)) {}

std::vector<Account> Ledger::accounts_of(const std::string& dataset) {
  std::vector<Account> accounts;
  Query query(database_, "SELECT secret, epsilon, delta FROM accounts WHERE dataset = ? ORDER BY secret");
  query.bind(dataset);
  while (query.step()) {
    accounts.push_back({dataset, list_of(query.text(0), path_), need_budget(query.text(1), path_),
                        need_budget(query.text(2), path_)});
  }
  return accounts;
}

std::vector<LedgerRelease> Ledger::releases_of(const std::string& dataset) {
  std::vector<LedgerRelease> releases;
  Query query(database_,
              "SELECT id, time, secret, public, digest, output, plan, state, reason, kept, rows, counted, "
              "drops, unchanged FROM releases WHERE dataset = ? ORDER BY id");
  query.bind(dataset);
  while (query.step()) {
    const std::string place = fmt::format("{}: release {}", path_, query.number(0));
    releases.push_back({query.number(0), query.text(1), dataset, list_of(query.text(2), place),
                        list_of(query.text(3), place), query.text(4), query.text(5),
                        list_of(query.text(9), place), state_of(query.text(7), path_), query.text(8),
                        plan_from_json(parse_json(query.text(6), place), place),
                        RowsSeen{query.text(10), query.number(11) != 0, query.number(12) != 0},
                        query.number(13) != 0});
  }
  return releases;
}

int64_t Ledger::write_down(const Plan& plan, const SpendRequest& request) {
  Query(database_,
        "INSERT INTO releases (time, dataset, secret, public, digest, output, kept, process, plan, state, "
        "rows, counted, drops, unchanged) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'spent', ?, ?, ?, ?)")
      .bind(request.time)
      .bind(request.dataset)
      .bind(list_text(key_of(*plan.scenario.source)))
      .bind(list_text(plan.scenario.source->published))
      .bind(counts_digest(plan.scenario))
      .bind(request.output)
      .bind(list_text(request.kept))
      .bind(process_name(::getpid()))
      .bind(plan_to_json(plan).canonical())
      .bind(salted(database_, request.rows.digest))
      .bind(int64_t{request.rows.counted})
      .bind(int64_t{request.rows.drops})
      .bind(int64_t{request.values_unchanged})
      .step();
  return database_.last_id();
}

std::pair<Ledger, Spent> Ledger::spend(const std::string& path, const Plan& plan, const SpendRequest& request,
                                       const Progress& progress) {
  const Source& source = source_of(plan);
  const std::vector<std::string> secret = key_of(source);
  check_ledger_names(source, request.kept, request.table);
  // A refusal leaves no file behind.
  if (!ledger_exists(path))
    within_budget({.bounds = sound_bounds({plan}, Beliefs::kAny)}, new_account(request, secret), secret);

  Ledger ledger(path, Fresh{});
  Database& database = ledger.database_;
  WriteTransaction transaction(database, progress);  // whatever is thrown from here on undoes all of it
  make_ledger_tables(database, path);
  std::vector<Account> accounts = ledger.accounts_of(request.dataset);
  auto own = std::find_if(accounts.begin(), accounts.end(),
                          [&](const Account& account) { return account.secret == secret; });
  if (own != accounts.end()) {
    check_budget_is(*own, request);
  } else {
    own = accounts.insert(own, new_account(request, secret));
    Query(database, "INSERT INTO accounts (dataset, secret, epsilon, delta) VALUES (?, ?, ?, ?)")
        .bind(own->dataset)
        .bind(list_text(own->secret))
        .bind(to_text(own->epsilon))
        .bind(to_text(own->delta))
        .step();
  }
  Spent spent;
  spent.account = *own;
  spent.id = ledger.write_down(plan, request);
  const std::vector<LedgerRelease> releases = ledger.releases_of(request.dataset);
  check_columns(request, source, accounts, releases);
  check_word(releases);
  for (const Account& account : accounts) {
    const bool is_own = account.secret == secret;
    if (!concerns(account.secret, releases.back(), releases)) {
      spent.other_secret = true;
      continue;
    }
    if (!is_own && !has_released(account, releases)) continue;  // it has promised nothing yet
    const AccountSum sum = sum_or_refusal(account.secret, releases);
    const Composition together = within_budget(sum, account, secret);
    if (!is_own) continue;
    spent.together = together;
    spent.releases = sum.releases;
    spent.assumptions = sum.assumptions;
  }
  for (const LedgerRelease& before : releases) {
    if (before.counts() && before.secret == secret && before.digest != releases.back().digest)
      spent.other_data = before.id;
  }
  transaction.commit();
  return {std::move(ledger), std::move(spent)};
}

void Ledger::mark_done(int64_t id) {
  WriteTransaction transaction(database_);
  Query(database_, "UPDATE releases SET state = 'done' WHERE id = ? AND state = 'spent'").bind(id).step();
  transaction.commit();
}

void Ledger::void_release(int64_t id, const std::string& reason) {
  WriteTransaction transaction(database_);
  {
    Query query(database_, "SELECT state, output, process FROM releases WHERE id = ?");
    const std::string list = "fugu ledger show lists the releases";
    if (!query.bind(id).step()) throw usage(fmt::format("there is no release {}", id), list);
    const ReleaseState state = state_of(query.text(0), path_);
    if (state == ReleaseState::kDone) {
      throw usage(fmt::format("release {} has appeared", id),
                  "what is out cannot be taken back; only a release that never appeared can be void");
    }
    if (state == ReleaseState::kVoid) throw usage(fmt::format("release {} is void already", id), list);
    check_never_appeared(id, query.text(1), query.text(2));
  }
  Query(database_, "UPDATE releases SET state = 'void', reason = ? WHERE id = ?")
      .bind(reason)
      .bind(id)
      .step();
  transaction.commit();
}

std::vector<AccountView> Ledger::accounts() {
  std::vector<AccountView> views;
  std::map<std::string, std::vector<LedgerRelease>> releases;  // by dataset
  database_.run("BEGIN");                                      // one moment for everything that is read
  {
    Query query(database_, "SELECT DISTINCT dataset FROM accounts ORDER BY dataset");
    while (query.step()) {
      releases[query.text(0)] = releases_of(query.text(0));
      for (Account& account : accounts_of(query.text(0))) views.push_back({.account = std::move(account)});
    }
  }
  database_.run("COMMIT");
  for (AccountView& view : views) {
    const std::vector<LedgerRelease>& all = releases[view.account.dataset];
    std::copy_if(all.begin(), all.end(), std::back_inserter(view.releases),
                 [&](const LedgerRelease& release) { return release.secret == view.account.secret; });
    view.counted = static_cast<size_t>(std::count_if(all.begin(), all.end(), [&](const auto& release) {
      return release.counts() && concerns(view.account.secret, release, all);
    }));
    if (view.counted == 0) continue;
    try {
      AccountSum sum = sum_of_account(view.account.secret, all);
      if (const Composition* least = least_bound(sum.bounds, view.account.delta)) view.together = *least;
      view.assumptions = std::move(sum.assumptions);
    } catch (const Error& error) {
      // An older ledger may have accounts that do not go together: then no bound is known.
      if (error.kind() != ErrorKind::kGuarantee) throw;
    }
  }
  return views;
}

}  // namespace fugu::inline in_ledger
