// fugu ledger: what was released and what is left, what a release would spend, what is reserved for later
// ones; and what never appeared, taken out of the sum.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/ledger_words.h"
#include "apps/cli/options.h"
#include "apps/cli/text_io.h"
#include "apps/cli/usage_error.h"
#include "fugu/ask/lists.h"
#include "fugu/ask/plan_io.h"
#include "fugu/ask/question.h"
#include "fugu/core/error.h"
#include "fugu/database/database_url.h"
#include "fugu/ledger/ledger.h"
#include "fugu/ledger/ledger_json.h"
#include "fugu/ledger/release_within_budget.h"
#include "fugu/run/ledger_request.h"
#include "fugu/show/text_table.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

struct Options {
  std::string action, what, reason, plan, keep, separator;
  LedgerTexts ledger;
  GeneralOptions general;
};

std::string budget_of(const Scenario& scenario) {
  const auto [epsilon, delta] = scenario.stated();
  return epsilon.text() + (delta.is_zero() ? "" : ", " + delta.text());
}

std::string reservation_text(const Reservation& reservation) {
  std::vector<std::string> columns;
  for (const ReservedColumn& column : reservation.columns) {
    columns.push_back(
        fmt::format("{} {} of {}", printable(column.name), less_of(column.left), less_of(column.influence)));
  }
  return fmt::format("  reserved: by release {}; of influence is left: {}\n", reservation.id,
                     fmt::join(columns, ", "));
}

std::string account_text(const AccountView& view) {
  const Account& account = view.account;
  std::string out = fmt::format("Dataset {}, secret {}: ", printable(account.dataset),
                                printable(fmt::format("{}", fmt::join(account.secret, ", "))));
  if (view.counted > 0 && !view.together) {
    out += fmt::format("no bound is known for its {} together, so nothing is left of {}\n",
                       counted(view.counted, "release"), short_text(account.epsilon));
  } else {
    const Rational spent = view.together ? view.together->epsilon : Rational(0);
    const Rational left = std::max(Rational(0), Rational(account.epsilon - spent));
    out += fmt::format("{} of {} spent, {} left", rounded_up(static_cast<double>(spent), 4),
                       short_text(account.epsilon), less_of(round_down(left)));
    if (account.delta > 0) {
      out += fmt::format("; {} of {} of delta",
                         for_people(view.together ? round_up(view.together->delta) : 0.0, 4),
                         short_text(account.delta));
    }
    out += view.together
               ? fmt::format(" (bound: {})\n  together: {}\n", view.together->bound, in_words(*view.together))
               : "\n";
  }
  if (view.more) {
    out += fmt::format("  left: {}\n", more_words(*view.more, "more", fmt::format("release {}", view.last)));
  }
  if (view.influence) out += fmt::format("  influence: {}\n", influence_words(*view.influence));
  for (const Reservation& reservation : view.reservations) out += reservation_text(reservation);
  if (view.counted > 1 && view.together && view.together->delta == 0)
    out += "  chosen: each release may have been chosen after seeing the ones before it\n";
  for (const std::string& sentence : view.assumptions) out += "  assumed: " + sentence + "\n";
  const auto own = static_cast<size_t>(
      std::count_if(view.releases.begin(), view.releases.end(),
                    [](const LedgerRelease& release) { return release.counts() && !release.reserved; }));
  if (view.counted > own) {
    out += fmt::format(
        "  with {} that other accounts list: their secrets share a column with this one, or they "
        "release its column\n",
        counted(view.counted - own, "release"));
  }
  TextTable table({{"id", Align::kRight},
                   {"when", Align::kLeft},
                   {"column", Align::kLeft},
                   {"method", Align::kLeft},
                   {"noise", Align::kLeft},
                   {"epsilon", Align::kRight},
                   {"state", Align::kLeft},
                   {"output", Align::kLeft}});
  for (const LedgerRelease& release : view.releases) {
    table.add({std::to_string(release.id), release.time,
               printable(fmt::format("{}{}{}", fmt::join(release.published, ", "),
                                     release.kept.empty() ? "" : " beside ", fmt::join(release.kept, ", "))),
               release.plan.method, mechanism_name(release.plan.mechanism), budget_of(release.plan.scenario),
               printable(state_name(release) + (release.reason.empty() ? "" : ": " + release.reason)),
               printable(release.output)});
  }
  return out + table.text();
}

void show(const Options& options) {
  if (!options.what.empty()) throw usage("show takes no number", "fugu ledger show --ledger FILE");
  const auto accounts = Ledger(options.ledger.path).accounts();
  if (options.general.json()) return print(accounts_to_json(accounts).pretty());
  std::string out;
  for (const AccountView& view : accounts) out += (out.empty() ? "" : "\n") + account_text(view);
  print(out.empty() ? "The ledger is empty.\n" : out);
}

Plan plan_of(const Options& options) {
  if (options.plan.empty())
    throw usage("--plan: no plan is given", "name the file that fugu calibrate wrote, for example plan.json");
  check_ledger(options.ledger, false);
  check_ledger_file(options.ledger);
  return read_and_verify(options.plan).plan;
}

void ask(const Options& options) {
  if (!options.what.empty()) throw usage("ask takes no table", "fugu ledger ask --plan PLAN --ledger FILE");
  const Plan plan = plan_of(options);
  const Budgeted budget{options.ledger.path, spend_request(options.ledger, "", now())};
  const Outlook outlook = ask_within_budget(budget, plan, {.keep = split_list(options.keep, "--keep")});
  print(options.general.json() ? outlook_to_json(outlook).pretty() : outlook_text(outlook));
}

void reserve(const Options& options) {
  if (options.what == "-" || is_database(options.what)) {
    throw usage("TABLE: later releases are compared with the rows of a file",
                "name a CSV file; or leave it out, and release with --values-unchanged");
  }
  const Plan plan = plan_of(options);
  const ReleaseRequest request{.input = options.what,
                               .separator = read_separator(options.separator),
                               .digest_rows = true,
                               .values_unchanged = options.ledger.values_unchanged};
  const Budgeted budget{options.ledger.path, spend_request(options.ledger, "", now())};
  const Spent spent = reserve_within_budget(budget, plan, request, {});
  if (options.general.json()) return print(spent_to_json(spent).pretty());
  print(fmt::format("Reserved {} for later releases{}; nothing is released.\n{}",
                    printable(fmt::format("{}", fmt::join(plan.scenario.source->published, ", "))),
                    options.what.empty() ? " with --values-unchanged" : "", spent_text(spent)));
}

void make_void(const Options& options) {
  int64_t id = 0;
  const char* const end = options.what.data() + options.what.size();
  const auto [stop, failed] = std::from_chars(options.what.data(), end, id);
  if (options.what.empty() || stop != end || failed != std::errc{})
    throw usage("void needs the number of a release", "fugu ledger show lists them");
  if (options.reason.empty())
    throw usage("--reason: say why the release never appeared", "for example --reason 'killed, no output'");
  Ledger(options.ledger.path).void_release(id, options.reason);
  if (options.general.json()) {
    Json json = Json::object();
    json.add("void", Json::number(static_cast<long long>(id)));
    return print(json.pretty());
  }
  print(
      fmt::format("Release {} is void and no longer counts. If its output did get out, it must count: then "
                  "release nothing more.\n",
                  id));
}

// Flags of another action are wrong usage, not ignored.
void check_action(const Options& options) {
  const bool counts = options.action == "ask" || options.action == "reserve";
  if (options.action != "void" && !options.reason.empty())
    throw usage("--reason: this is for void", "leave it out");
  if (options.action != "ask" && !options.keep.empty())
    throw usage("--keep: this is for ask", "leave it out");
  if (options.action != "reserve" && !options.separator.empty())
    throw usage("--separator: this is for reserve", "leave it out");
  const LedgerTexts& ledger = options.ledger;
  const std::pair<bool, const char*> given[] = {{!options.plan.empty(), "--plan"},
                                                {!ledger.dataset.empty(), "--dataset"},
                                                {!ledger.budget.empty(), "--budget"},
                                                {!ledger.budget_delta.empty(), "--budget-delta"},
                                                {ledger.values_unchanged, "--values-unchanged"}};
  for (const auto& [there, name] : given) {
    if (there && !counts) throw usage(fmt::format("{}: this is for ask and reserve", name), "leave it out");
  }
}

void run(const Options& options) {
  options.general.json();  // an unknown format is refused before anything is done
  if (options.ledger.path.empty())
    throw usage("--ledger: no ledger is given", "name its file, for example --ledger budget.db");
  check_action(options);
  if (options.action == "show") return show(options);
  if (options.action == "ask") return ask(options);
  if (options.action == "reserve") return reserve(options);
  if (options.action == "void") return make_void(options);
  throw usage(fmt::format("there is no action '{}'", options.action), "use show, ask, reserve or void");
}

}  // namespace

Command add_ledger(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("ledger", "what was released of a dataset, and what is left of its budget");
  auto options = std::make_shared<Options>();
  using enum FlagKind;
  constexpr const char* kBudget = "Budget";
  add_flag(*command,
           Flag{"ACTION", kChoice, "show|ask|reserve|void", "",
                "show: the releases and what is left; ask: what a release by --plan would spend, and how "
                "many like it fit; "
                "reserve: count a joint plan, so that later releases of its columns within it cost nothing "
                "more; void: "
                "take a release that never appeared, or an unused reservation, out of the account"}
               .needed(),
           options->action);
  add_flag(*command,
           Flag{"WHAT", kWord, "TABLE|ID", "",
                "for reserve: the table whose rows later releases are compared with; for void: the number of "
                "the release"},
           options->what);
  add_flags(*command, options->ledger);
  add_flag(*command, Flag{"plan", kFile, "PLAN", kBudget, "for ask and reserve: the plan"}.everyday(),
           options->plan);
  add_flag(
      *command,
      Flag{"keep", kNames, "COL,...", kBudget, "for ask: given columns that the release would also write"},
      options->keep);
  add_flag(*command, Flag{"separator", kWord, "CHAR", kBudget, "for reserve: between the table's fields"},
           options->separator);
  add_flag(*command, Flag{"reason", kWord, "TEXT", kBudget, "for void: why; the ledger keeps it"}.everyday(),
           options->reason);
  add_general_options(*command, options->general);
  command->footer(
      "fugu ledger show --ledger budget.db\n"
      "fugu ledger ask --plan fugu-demo/plan.json --ledger budget.db --dataset adult --budget 1\n"
      "fugu ledger reserve people.csv --plan joint.json --ledger budget.db --dataset people --budget "
      "1\n"
      "fugu ledger void 7 --ledger budget.db --reason 'killed before the output appeared'\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
