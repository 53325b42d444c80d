// fugu ledger: what was released and what is left; and what never appeared, taken out of the sum.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/ledger_words.h"
#include "apps/cli/options.h"
#include "apps/cli/text_io.h"
#include "apps/cli/usage_error.h"
#include "fugu/core/error.h"
#include "fugu/ledger/ledger.h"
#include "fugu/ledger/ledger_json.h"
#include "fugu/show/text_table.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

struct Options {
  std::string action, id, path, reason;
  GeneralOptions general;
};

std::string budget_of(const Scenario& scenario) {
  return scenario.epsilon.text() + (scenario.delta.is_zero() ? "" : ", " + scenario.delta.text());
}

std::string account_text(const AccountView& view) {
  const Account& account = view.account;
  std::string out = fmt::format("Dataset {}, secret {}: ", printable(account.dataset),
                                printable(fmt::format("{}", fmt::join(account.secret, ", "))));
  if (view.counted > 0 && !view.together) {
    out += fmt::format("no bound of its {} together is known, so nothing is left of {}\n",
                       counted(view.counted, "release"), short_text(account.epsilon));
  } else {
    const Rational spent = view.together ? view.together->epsilon : Rational(0);
    const Rational left = std::max(Rational(0), Rational(account.epsilon - spent));
    out += fmt::format("{} of {} spent, {} left", rounded_up(static_cast<double>(spent), 4),
                       short_text(account.epsilon),
                       left < Rational(1, 1000000000000) ? "0" : for_people(round_down(left), 4));
    if (account.delta > 0) {
      out += fmt::format("; {} of {} of delta",
                         for_people(view.together ? round_up(view.together->delta) : 0.0, 4),
                         short_text(account.delta));
    }
    out += view.together
               ? fmt::format(" (bound: {})\n  together: {}\n", view.together->bound, in_words(*view.together))
               : "\n";
  }
  for (const std::string& sentence : view.assumptions) out += "  assumed: " + sentence + "\n";
  const auto own =
      static_cast<size_t>(std::count_if(view.releases.begin(), view.releases.end(),
                                        [](const LedgerRelease& release) { return release.counts(); }));
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
               printable(state_name(release.state) + (release.reason.empty() ? "" : ": " + release.reason)),
               printable(release.output)});
  }
  return out + table.text();
}

void show(const Options& options) {
  if (!options.id.empty()) throw usage("show takes no number", "fugu ledger show --ledger FILE");
  if (!options.reason.empty()) throw usage("--reason: it is for void", "leave it out");
  const auto accounts = Ledger(options.path).accounts();
  if (options.general.json()) return print(accounts_to_json(accounts).pretty());
  std::string out;
  for (const AccountView& view : accounts) out += (out.empty() ? "" : "\n") + account_text(view);
  print(out.empty() ? "The ledger is empty.\n" : out);
}

void make_void(const Options& options) {
  int64_t id = 0;
  const char* const end = options.id.data() + options.id.size();
  const auto [stop, failed] = std::from_chars(options.id.data(), end, id);
  if (options.id.empty() || stop != end || failed != std::errc{})
    throw usage("void needs the number of a release", "fugu ledger show lists them");
  if (options.reason.empty())
    throw usage("--reason: say why the release never appeared", "for example --reason 'killed, no output'");
  Ledger(options.path).void_release(id, options.reason);
  if (options.general.json()) {
    Json json = Json::object();
    json.add("void", Json::number(static_cast<long long>(id)));
    return print(json.pretty());
  }
  print(
      fmt::format("Release {} is void and counts no more. If its output did leave, it must be counted: "
                  "release nothing more.\n",
                  id));
}

void run(const Options& options) {
  options.general.json();  // an unknown format is refused before anything is done
  if (options.path.empty())
    throw usage("--ledger: no ledger is given", "name its file, for example --ledger budget.db");
  if (options.action == "show") return show(options);
  if (options.action == "void") return make_void(options);
  throw usage(fmt::format("there is no action '{}'", options.action), "use show or void");
}

}  // namespace

Command add_ledger(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("ledger", "what was released of a dataset, and what is left of its budget");
  auto options = std::make_shared<Options>();
  command
      ->add_option("ACTION", options->action, "show, or void: a release that never appeared counts no more")
      ->type_name("show|void")
      ->required();
  command->add_option("ID", options->id, "the number of the release to be void")->type_name("ID");
  command->add_option("--ledger", options->path, "the ledger's file, as fugu release --ledger made it")
      ->type_name("FILE")
      ->group("Budget");
  command->add_option("--reason", options->reason, "why the release is void; it is kept")
      ->type_name("TEXT")
      ->group("Budget");
  add_general_options(*command, options->general);
  command->footer(
      "fugu ledger show --ledger budget.db\n"
      "fugu ledger void 7 --ledger budget.db --reason 'killed before the output appeared'\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
