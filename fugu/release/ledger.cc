#include "fugu/release/ledger.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "fugu/core/digest.h"
#include "fugu/core/error.h"
#include "fugu/core/json_read.h"
#include "fugu/release/ledger_file.h"
#include "fugu/release/ledger_names.h"
#include "fugu/release/ledger_output.h"
#include "fugu/scenario/scenario_json.h"

namespace fugu {
namespace {

constexpr int kApplication = 0x66756775;  // "fugu", in the file's header
constexpr int kVersion = 1;

Error spent_up(std::string message, std::string hint) {
  return Error(ErrorKind::kBudget, std::move(message), std::move(hint));
}
Error no_ledger(const std::string& path) {
  return Error(ErrorKind::kData, path + ": this is no ledger of fugu", "name the file that --ledger made");
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

// What the plans promise together within the budget. Error (budget).
Composition within_budget(const std::vector<Plan>& plans, const Account& account) {
  std::vector<Composition> bounds;
  try {
    bounds = sound_bounds(plans, Beliefs::kAny);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kGuarantee) throw;
    throw spent_up("this release cannot be counted with those before it: " + error.message(),
                   "fugu ledger show lists them; " + error.hint());
  }
  const Composition* least = least_bound(bounds, account.delta);
  if (!least && bounds.empty()) {
    throw spent_up("no bound of the joint loss with the releases before is finite",
                   "release with noise that has tails, such as laplace");
  }
  if (!least) {
    throw spent_up(fmt::format("the release needs a delta, and the budget of dataset '{}' allows {}",
                               account.dataset, short_text(account.delta)),
                   "release with delta 0; a budget's delta is set once, by --budget-delta");
  }
  if (least->epsilon > account.epsilon) {
    throw spent_up(
        fmt::format("the budget of dataset '{}' is {}, and with this release {} would be spent",
                    account.dataset, short_text(account.epsilon), for_people(round_up(least->epsilon), 4)),
        "ask for less (a smaller --epsilon, or the plan of an earlier release), or release no more of it");
  }
  return *least;
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

Ledger::Ledger(const std::string& path) : path_(path), database_(existing_ledger(path)) { check_schema(); }

Ledger::Ledger(const std::string& path, Fresh) : path_(path), database_(created_ledger(path)) {}

void Ledger::check_schema() {
  if (database_.number("PRAGMA application_id") != kApplication) throw no_ledger(path_);
  if (database_.number("PRAGMA user_version") != kVersion) {
    throw Error(ErrorKind::kData, path_ + ": this ledger was made by another version of fugu",
                "use the version that made it");
  }
}

// Within a transaction.
void Ledger::make_schema() {
  if (database_.number("SELECT count(*) FROM sqlite_master") > 0) return check_schema();
  database_.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, kVersion));
  database_.run(
      "CREATE TABLE accounts ("
      " dataset TEXT NOT NULL, secret TEXT NOT NULL, epsilon TEXT NOT NULL, delta TEXT NOT NULL,"
      " PRIMARY KEY (dataset, secret));"
      "CREATE TABLE releases ("
      " id INTEGER PRIMARY KEY AUTOINCREMENT, time TEXT NOT NULL,"
      " dataset TEXT NOT NULL, secret TEXT NOT NULL, public TEXT NOT NULL,"
      " digest TEXT NOT NULL, output TEXT NOT NULL, kept TEXT NOT NULL, process TEXT NOT NULL, plan TEXT NOT "
      "NULL,"
      " state TEXT NOT NULL CHECK (state IN ('spent', 'done', 'void')), reason TEXT NOT NULL DEFAULT '',"
      " FOREIGN KEY (dataset, secret) REFERENCES accounts (dataset, secret))");
}

std::optional<Account> Ledger::find_account(const std::string& dataset,
                                            const std::vector<std::string>& secret) {
  Query query(database_, "SELECT epsilon, delta FROM accounts WHERE dataset = ? AND secret = ?");
  query.bind(dataset).bind(list_text(secret));
  if (!query.step()) return std::nullopt;
  return Account{dataset, secret, need_budget(query.text(0), path_), need_budget(query.text(1), path_)};
}

std::vector<LedgerRelease> Ledger::releases_of(const Account& account) {
  std::vector<LedgerRelease> releases;
  Query query(database_,
              "SELECT id, time, public, digest, output, plan, state, reason, kept FROM releases "
              "WHERE dataset = ? AND secret = ? ORDER BY id");
  query.bind(account.dataset).bind(list_text(account.secret));
  while (query.step()) {
    const std::string place = fmt::format("{}: release {}", path_, query.number(0));
    releases.push_back({query.number(0), query.text(1), account.dataset, account.secret,
                        list_of(query.text(2), place), query.text(3), query.text(4),
                        list_of(query.text(8), place), state_of(query.text(6), path_), query.text(7),
                        plan_from_json(parse_json(query.text(5), place), place)});
  }
  return releases;
}

// What is the secret of one account is not released by another, with noise or as it is. Returns whether there
// is another.
bool Ledger::check_other_accounts(const std::string& dataset, const Source& source,
                                  const std::vector<std::string>& kept) {
  const std::vector<std::string> secret = key_of(source), shown = joined(source.published, kept);
  bool others = false;
  Query accounts(database_, "SELECT secret FROM accounts WHERE dataset = ?");
  accounts.bind(dataset);
  while (accounts.step()) {
    const std::vector<std::string> other = list_of(accounts.text(0), path_);
    if (other == secret) continue;
    others = true;
    if (const std::string* name = first_shared(shown, other)) {
      throw spent_up(fmt::format("{} is a secret of dataset '{}' in this ledger", *name, dataset),
                     "a secret is not released; give another dataset name only if these are other people");
    }
  }
  Query releases(database_,
                 "SELECT id, public, kept, secret, plan FROM releases WHERE dataset = ? AND state != 'void'");
  releases.bind(dataset);
  while (releases.step()) {
    if (first_shared(joined(list_of(releases.text(1), path_), list_of(releases.text(2), path_)), secret)) {
      throw spent_up(fmt::format("the secret column was released before, as release {}", releases.number(0)),
                     "it is no secret any more; give another dataset name only if these are other people");
    }
    if (releases.text(3) != list_text(secret))
      check_same_header(source, plan_from_json(parse_json(releases.text(4), path_), path_),
                        releases.number(0));
  }
  return others;
}

std::pair<Ledger, Spent> Ledger::spend(const std::string& path, const Plan& plan, const SpendRequest& request,
                                       const Progress& progress) {
  const Source& source = source_of(plan);
  const std::vector<std::string> secret = key_of(source);
  check_ledger_names(source, request.kept, request.table);
  // A refusal leaves no file behind.
  if (!ledger_exists(path)) within_budget({plan}, new_account(request, secret));

  Ledger ledger(path, Fresh{});
  Database& database = ledger.database_;
  WriteTransaction transaction(database, progress);
  ledger.make_schema();
  const auto known = ledger.find_account(request.dataset, secret);
  if (known) check_budget_is(*known, request);
  Spent spent;
  spent.account = known ? *known : new_account(request, secret);
  spent.other_secret = ledger.check_other_accounts(request.dataset, source, request.kept);
  const std::string digest = counts_digest(plan.scenario);
  std::vector<Plan> plans{plan};
  for (const LedgerRelease& before : ledger.releases_of(spent.account)) {
    if (before.state == ReleaseState::kVoid) continue;
    check_same_header(source, before.plan, before.id);
    if (before.published != source.published) {
      throw spent_up(
          fmt::format("of dataset '{}' the column {} was released before, as release {}", request.dataset,
                      fmt::join(before.published, ", "), before.id),
          "two columns may say nothing each and everything together: only one plan for both could promise");
    }
    if (!before.kept.empty() && !request.kept.empty() && before.kept != request.kept) {
      throw spent_up(fmt::format("with release {} of dataset '{}' other columns were kept: {}", before.id,
                                 request.dataset, fmt::join(before.kept, ", ")),
                     "who has both files knows all of these columns: keep the same ones, or none");
    }
    if (before.digest != digest) spent.other_data = before.id;
    plans.push_back(before.plan);
  }
  spent.together = within_budget(plans, spent.account);
  spent.releases = plans.size();

  if (!known) {
    Query(database, "INSERT INTO accounts (dataset, secret, epsilon, delta) VALUES (?, ?, ?, ?)")
        .bind(request.dataset)
        .bind(list_text(secret))
        .bind(to_text(spent.account.epsilon))
        .bind(to_text(spent.account.delta))
        .step();
  }
  Query(database,
        "INSERT INTO releases (time, dataset, secret, public, digest, output, kept, process, plan, state) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'spent')")
      .bind(request.time)
      .bind(request.dataset)
      .bind(list_text(secret))
      .bind(list_text(source.published))
      .bind(digest)
      .bind(request.output)
      .bind(list_text(request.kept))
      .bind(process_name(::getpid()))
      .bind(plan_to_json(plan).canonical())
      .step();
  spent.id = database.last_id();
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
  database_.run("BEGIN");  // one moment for everything that is read
  std::vector<AccountView> views;
  {
    Query query(database_, "SELECT dataset, secret, epsilon, delta FROM accounts ORDER BY dataset, secret");
    while (query.step()) {
      views.push_back({{query.text(0), list_of(query.text(1), path_), need_budget(query.text(2), path_),
                        need_budget(query.text(3), path_)},
                       {},
                       {}});
    }
  }
  for (AccountView& view : views) view.releases = releases_of(view.account);
  database_.run("COMMIT");
  for (AccountView& view : views) {
    std::vector<Plan> plans;
    for (const LedgerRelease& release : view.releases) {
      if (release.state != ReleaseState::kVoid) plans.push_back(release.plan);
    }
    if (plans.empty()) continue;
    const auto bounds = sound_bounds(plans, Beliefs::kAny);
    if (const Composition* least = least_bound(bounds, view.account.delta)) view.together = *least;
  }
  return views;
}

}  // namespace fugu
