#include "fugu/ledger/ledger.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "fugu/core/digest.h"
#include "fugu/core/error.h"
#include "fugu/core/json_read.h"
#include "fugu/ledger/family.h"
#include "fugu/ledger/ledger_file.h"
#include "fugu/ledger/ledger_names.h"
#include "fugu/ledger/ledger_output.h"
#include "fugu/ledger/ledger_rules.h"
#include "fugu/ledger/ledger_schema.h"
#include "fugu/ledger/outlook.h"
#include "fugu/scenario/scenario_json.h"

namespace fugu::inline in_ledger {
namespace {

std::string list_text(const std::vector<std::string>& items) { return Json::strings(items).canonical(); }
std::vector<std::string> list_of(const std::string& text, const std::string& place) {
  return need_strings(parse_json(text, place), place);
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

// As write_down() would have it.
LedgerRelease asked_release(const Plan& plan, const SpendRequest& request, int64_t id,
                            const std::string& digest) {
  const Source& source = *plan.scenario.source;
  LedgerRelease release{.id = id,
                        .time = request.time,
                        .dataset = request.dataset,
                        .secret = secret_of(source),
                        .published = source.published,
                        .digest = counts_digest(plan.scenario),
                        .output = request.output,
                        .kept = request.kept,
                        .reason = {},
                        .plan = plan,
                        .rows = request.rows,
                        .values_unchanged = request.values_unchanged,
                        .reserved = request.reserve};
  release.rows.digest = digest;
  return release;
}

void check_unused(int64_t id, const std::vector<LedgerRelease>& releases) {
  for (const Family& family : families_of(releases)) {
    if (family.reserved->id != id || family.members.empty()) continue;
    throw usage(fmt::format("release {} keeps within what {} reserved", family.members.front()->id, id),
                "what was released counts, and so does its reservation");
  }
}

}  // namespace

std::string state_name(ReleaseState state) {
  return state == ReleaseState::kSpent ? "spent" : state == ReleaseState::kDone ? "done" : "void";
}

std::string state_name(const LedgerRelease& release) {
  return release.reserved && release.counts() ? "reserved" : state_name(release.state);
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
              "drops, unchanged, reserved FROM releases WHERE dataset = ? ORDER BY id");
  query.bind(dataset);
  while (query.step()) {
    const std::string place = fmt::format("{}: release {}", path_, query.number(0));
    releases.push_back({query.number(0), query.text(1), dataset, list_of(query.text(2), place),
                        list_of(query.text(3), place), query.text(4), query.text(5),
                        list_of(query.text(9), place), state_of(query.text(7), path_), query.text(8),
                        plan_from_json(parse_json(query.text(6), place), place),
                        RowsSeen{query.text(10), query.number(11) != 0, query.number(12) != 0},
                        query.number(13) != 0, query.number(14) != 0});
  }
  return releases;
}

int64_t Ledger::write_down(const Plan& plan, const SpendRequest& request) {
  Query(database_,
        "INSERT INTO releases (time, dataset, secret, public, digest, output, kept, process, plan, state, "
        "rows, counted, drops, unchanged, reserved) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'spent', ?, ?, ?, ?, ?)")
      .bind(request.time)
      .bind(request.dataset)
      .bind(list_text(secret_of(*plan.scenario.source)))
      .bind(list_text(plan.scenario.source->published))
      .bind(counts_digest(plan.scenario))
      .bind(request.output)
      .bind(list_text(request.kept))
      .bind(this_process())
      .bind(plan_to_json(plan).canonical())
      .bind(salted(database_, request.rows.digest))
      .bind(int64_t{request.rows.counted})
      .bind(int64_t{request.rows.drops})
      .bind(int64_t{request.values_unchanged})
      .bind(int64_t{request.reserve})
      .step();
  return database_.last_id();
}

std::pair<Ledger, Spent> Ledger::spend(const std::string& path, const Plan& plan, const SpendRequest& request,
                                       const Progress& progress) {
  const Source& source = ledger_source(plan);
  const std::vector<std::string> secret = secret_of(source);
  if (request.reserve) check_reservable(plan);
  check_ledger_names(source, request.kept, request.table);
  // A refusal leaves no file behind.
  if (!ledger_exists(path))
    judged(request, {new_account(request, secret)}, {asked_release(plan, request, 1, request.rows.digest)});

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
  ledger.write_down(plan, request);
  Spent spent = judged(request, accounts, ledger.releases_of(request.dataset));
  transaction.commit();
  return {std::move(ledger), std::move(spent)};
}

Outlook Ledger::ask(const std::string& path, const Plan& plan, const SpendRequest& request) {
  const std::vector<std::string> secret = secret_of(ledger_source(plan));
  if (request.reserve) check_reservable(plan);
  check_ledger_names(*plan.scenario.source, request.kept, request.table);
  std::vector<Account> accounts;
  std::vector<LedgerRelease> releases;
  std::string digest = request.rows.digest;
  if (ledger_exists(path)) {
    Ledger ledger(path);
    ledger.database_.run("BEGIN");
    accounts = ledger.accounts_of(request.dataset);
    releases = ledger.releases_of(request.dataset);
    ledger.database_.run("COMMIT");
    digest = salted(ledger.database_, digest);
  }
  const auto own = std::find_if(accounts.begin(), accounts.end(),
                                [&](const Account& account) { return account.secret == secret; });
  if (own != accounts.end()) {
    check_budget_is(*own, request);
  } else {
    accounts.push_back(new_account(request, secret));
  }
  const int64_t id = releases.empty() ? 1 : releases.back().id + 1;
  return outlook_of(asked_release(plan, request, id, digest), request, accounts, std::move(releases));
}

void Ledger::look_ahead(Spent& spent) {
  database_.run("BEGIN");
  const std::vector<Account> accounts = accounts_of(spent.account.dataset);
  const std::vector<LedgerRelease> releases = releases_of(spent.account.dataset);
  database_.run("COMMIT");
  const auto own = std::find_if(releases.begin(), releases.end(),
                                [&](const LedgerRelease& release) { return release.id == spent.id; });
  if (own == releases.end()) return;
  spent.influence = influence_left(spent.account, releases);
  if (!own->reserved) spent.more = more_like(*own, accounts, releases);
}

void Ledger::mark_done(int64_t id) {
  WriteTransaction transaction(database_);
  // Also where somebody made it void meanwhile: it is out.
  Query(database_, "UPDATE releases SET state = 'done', reason = '' WHERE id = ?").bind(id).step();
  transaction.commit();
}

void Ledger::void_release(int64_t id, const std::string& reason) {
  WriteTransaction transaction(database_);
  {
    Query query(database_, "SELECT state, output, process, reserved, dataset FROM releases WHERE id = ?");
    const std::string list = "fugu ledger show lists the releases";
    if (!query.bind(id).step()) throw usage(fmt::format("there is no release {}", id), list);
    const ReleaseState state = state_of(query.text(0), path_);
    if (state == ReleaseState::kDone) {
      throw usage(fmt::format("release {} has appeared", id),
                  "a release that appeared cannot be undone; only one that never appeared can be void");
    }
    if (state == ReleaseState::kVoid) throw usage(fmt::format("release {} is void already", id), list);
    if (query.number(3) == 0) check_never_appeared(id, query.text(1), query.text(2));
    check_unused(id, releases_of(query.text(4)));
  }
  Query(database_, "UPDATE releases SET state = 'void', reason = ? WHERE id = ?")
      .bind(reason)
      .bind(id)
      .step();
  transaction.commit();
}

std::vector<AccountView> Ledger::accounts() {
  std::map<std::string, std::vector<Account>> accounts;  // by dataset
  std::map<std::string, std::vector<LedgerRelease>> releases;
  database_.run("BEGIN");  // one moment for everything that is read
  {
    Query query(database_, "SELECT DISTINCT dataset FROM accounts ORDER BY dataset");
    while (query.step()) {
      accounts[query.text(0)] = accounts_of(query.text(0));
      releases[query.text(0)] = releases_of(query.text(0));
    }
  }
  database_.run("COMMIT");
  std::vector<AccountView> views;
  for (const auto& [dataset, all] : accounts) {
    for (const Account& account : all) {
      views.push_back({.account = account});
      fill_view(views.back(), releases[dataset]);
      fugu::look_ahead(views.back(), all, releases[dataset]);
    }
  }
  return views;
}

}  // namespace fugu::inline in_ledger
