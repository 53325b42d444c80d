#include "apps/cli/ledger_options.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <filesystem>

#include "apps/cli/usage_error.h"
#include "fugu/database/database_url.h"
#include "fugu/ledger/ledger_file.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

// "2026-11-15T09:00:00Z".
std::string now() {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace

void LedgerOptions::check() const {
  if (!given()) {
    const std::pair<const std::string&, const char*> alone[] = {
        {dataset, "--dataset"}, {budget, "--budget"}, {budget_delta, "--budget-delta"}};
    for (const auto& [value, name] : alone) {
      if (!value.empty())
        throw usage(fmt::format("{}: there is no ledger", name), "name its file with --ledger");
    }
    if (values_unchanged)
      throw usage("--values-unchanged: there is no ledger", "name its file with --ledger");
    return;
  }
  if (dataset.empty()) {
    throw usage("--dataset: the ledger needs the dataset's name",
                "give the same name for every release of the same people, for example --dataset adult");
  }
  if (budget.empty() && !std::filesystem::exists(path)) {
    throw usage(fmt::format("--budget: {} does not exist, so there is no budget yet", path),
                "give the epsilon that all releases together may spend, for example --budget 1");
  }
  request("");
}

void LedgerOptions::check_file() const {
  if (given()) ledger_exists(path);
}

SpendRequest LedgerOptions::request(const std::string& output) const {
  SpendRequest request{.dataset = dataset, .time = now(), .values_unchanged = values_unchanged};
  if (is_database(output)) {
    request.output = output;
  } else if (!output.empty()) {
    request.output = std::filesystem::absolute(output).lexically_normal().string();
  }
  if (!budget.empty()) request.budget = Epsilon::parse(budget, "--budget", ErrorKind::kUsage);
  if (!budget_delta.empty())
    request.budget_delta = Delta::parse(budget_delta, "--budget-delta", ErrorKind::kUsage);
  return request;
}

void add_ledger_options(CLI::App& command, LedgerOptions& options) {
  auto option = [&](const char* name, std::string& value, const char* type, const char* what) {
    command.add_option(name, value, what)->type_name(type)->group("Budget");
  };
  option("--ledger", options.path, "FILE",
         "count the release in this ledger; refuse it when the budget would be passed");
  option("--dataset", options.dataset, "NAME",
         "whose budget it is: one name for all releases of the same people");
  option("--budget", options.budget, "E",
         "epsilon that all releases of the dataset and secret together may spend; given once, at the first");
  option("--budget-delta", options.budget_delta, "D", "the same for delta; 0 when not given");
  command
      .add_flag("--values-unchanged", options.values_unchanged,
                "your word that nobody's value has changed since the column's first release in the dataset; "
                "needed where its rows are not the same in the same order, unless the releases add up "
                "whatever the values are; the receipt repeats it")
      ->disable_flag_override()
      ->group("Budget");
}

std::string spent_text(const Spent& spent) {
  std::string text = fmt::format(
      "  budget     {} of {} spent of dataset {} by {}, {} left (bound: {}); this is release {}\n",
      rounded_up(static_cast<double>(spent.together.epsilon), 4), short_text(spent.account.epsilon),
      printable(spent.account.dataset), counted(spent.releases, "release"),
      spent.left() < Rational(1, 1000000000000) ? "0" : for_people(round_down(spent.left()), 4),
      spent.together.bound, spent.id);
  if (spent.account.delta > 0) {
    text += fmt::format("             and {} of {} of its delta\n",
                        for_people(round_up(spent.together.delta), 4), short_text(spent.account.delta));
  }
  for (const std::string& sentence : spent.assumptions)
    text += "  assumed    " + wrapped(sentence, 87, 13) + "\n";
  if (spent.other_data) {
    text += fmt::format(
        "  note       the frequencies are not those of release {}: both are counted, against either's\n",
        *spent.other_data);
  }
  if (spent.other_secret) {
    text +=
        "  note       the dataset has an account for another secret: what this release says of that one is "
        "not counted\n";
  }
  return text;
}

Json spent_to_json(const Spent& spent) {
  Json budget = Json::object();
  budget.add("epsilon", bound_number(spent.account.epsilon));
  budget.add("delta", bound_number(spent.account.delta));
  Json json = Json::object();
  json.add("release", Json::number(static_cast<long long>(spent.id)));
  json.add("dataset", Json::string(spent.account.dataset));
  json.add("budget", std::move(budget));
  json.add("spent", composition_to_json(spent.together));
  json.add("left", Json::number(round_down(spent.left())));
  json.add("releases", Json::number(static_cast<long long>(spent.releases)));
  json.add("other_data",
           spent.other_data ? Json::number(static_cast<long long>(*spent.other_data)) : Json::null());
  json.add("assumptions", Json::strings(spent.assumptions));
  return json;
}

}  // namespace fugu::cli
