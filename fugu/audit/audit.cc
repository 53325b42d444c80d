#include "fugu/audit/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "fugu/audit/drawn.h"
#include "fugu/audit/halves.h"
#include "fugu/audit/original_rows.h"
#include "fugu/audit/other_columns.h"
#include "fugu/audit/shuffled.h"
#include "fugu/core/error.h"
#include "fugu/models/crowd_scenario.h"
#include "fugu/release/release_numbers.h"
#include "fugu/release/row_draw.h"

namespace fugu::inline in_audit {
namespace {

Budget proved(const Scenario& scenario) { return {scenario.epsilon, scenario.delta}; }

Rational half_error(const AuditOptions& options) { return (1 - options.confidence) / 2; }

bool exceeds(const Seen& seen, const Budget& promise) {
  return exact(seen.bound.epsilon) > promise.epsilon.value() ||
         exact(seen.bound.delta) > promise.delta.value();
}

PriorPair witness_of(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  auto number = [&](const std::string& secret) {
    return static_cast<uint32_t>(std::find(scenario.secrets.begin(), scenario.secrets.end(), secret) -
                                 scenario.secrets.begin());
  };
  const auto prior = std::find_if(scenario.priors.begin(), scenario.priors.end(),
                                  [&](const Prior& one) { return one.name == plan.witness.prior; });
  const uint32_t a = number(plan.witness.pair.first), b = number(plan.witness.pair.second);
  if (prior == scenario.priors.end() || a == b || std::max(a, b) >= scenario.secrets.size())
    return {0, scenario.pairs.list(scenario.secrets.size()).front()};
  return {static_cast<size_t>(prior - scenario.priors.begin()), {std::min(a, b), std::max(a, b)}};
}

// The half of the draws that had no part in the choice.
Tested other_half(const Drawn& drawn, const AuditedRows& rows, uint64_t draws) {
  return [&drawn, &rows, draws](const PriorPair& at) -> std::optional<std::pair<Outputs, Outputs>> {
    return std::pair(drawn.of(rows, at.prior, at.pair.first, draws / 2, draws),
                     drawn.of(rows, at.prior, at.pair.second, draws / 2, draws));
  };
}

// No right release has a rarity of 0: what is only rare is rounded up.
bool is_certain_fault(const Check& check) { return check.fault && check.rarity == 0; }

std::string blame(const Check& check) { return fmt::format("{} (check {})", *check.fault, check.name); }

Audit start(const AuditOptions& options, const Budget& promise, const AuditedRows& rows) {
  return {
      .rows = rows.rows(), .confidence = options.confidence, .promise = promise, .seen = {}, .checks = {}};
}

// Rows that are drawn as a whole are one value: their place among all that trade places, or -1 for a row that
// its stratum does not have.
AuditedRows as_whole(const Plan& plan, const AuditedRows& rows, const KnownOfRows& known) {
  const RowDraw draw(plan);
  auto places = [&](std::vector<int64_t> AuditedColumn::*side) {
    std::vector<int64_t> result;
    for (size_t row = 0; row < (rows.columns.front().*side).size(); ++row) {
      Point point;
      for (const AuditedColumn& column : rows.columns) point.push_back((column.*side)[row]);
      const auto place = draw.place(known.empty() ? nullptr : known[row], point);
      result.push_back(place ? static_cast<int64_t>(*place) : -1);
    }
    return result;
  };
  AuditedRows result;
  result.odd_text = rows.odd_text;
  result.columns.push_back({places(&AuditedColumn::truth), places(&AuditedColumn::released)});
  return result;
}

// The same flows between the places of all strata.
Swap among_places(const Swap& swap) {
  SwapStratum all;
  for (const SwapStratum& stratum : swap.strata) {
    const auto first = static_cast<uint32_t>(all.totals.size());
    all.totals.insert(all.totals.end(), stratum.totals.begin(), stratum.totals.end());
    for (const SwapFlow& flow : stratum.flows)
      all.flows.push_back({first + flow.from, first + flow.to, flow.weight});
  }
  for (size_t place = 0; place < all.totals.size(); ++place)
    all.points.push_back(static_cast<int64_t>(place));
  return {{std::move(all)}};
}

std::vector<Check> checks_of(const Plan& plan, const AuditedRows& rows, const KnownOfRows& known,
                             const Rational& error, const std::vector<RowGroups>& groups = {}) {
  if (plan.scenario.rows_per_person() > 1 && !rows.odd_text)
    return check_rows(column_releases(plan), row_by_row(rows, plan.scenario.released_columns()), error);
  if (!draws_whole_rows(plan) || rows.odd_text) return check_rows(column_releases(plan), rows, error, groups);
  ColumnRelease whole{};
  whole.mechanism = among_places(std::get<Swap>(plan.mechanism));
  return check_rows({whole}, as_whole(plan, rows, known), error, groups);
}

// The strata that rows belong to, where columns are known.
std::vector<RowGroups> strata_of(const Scenario& scenario, const std::vector<size_t>& priors) {
  if (!scenario.source || !scenario.source->has_strata()) return {};
  RowGroups groups{"law", {priors.begin(), priors.end()}, {}};
  for (const Prior& prior : scenario.priors) groups.names.push_back(prior.name);
  return {std::move(groups)};
}

// And the secrets, of all rows and stratum by stratum.
std::vector<RowGroups> groups_of(const Scenario& scenario, const OriginalRows& original) {
  std::vector<RowGroups> groups = strata_of(scenario, original.prior);
  groups.push_back({"secrets", original.secret, scenario.secrets});
  if (groups.size() == 1) return groups;
  RowGroups both{"secrets", {}, {}};
  const auto secrets = static_cast<uint32_t>(scenario.secrets.size());
  for (const Prior& prior : scenario.priors) {
    for (const std::string& secret : scenario.secrets)
      both.names.push_back(fmt::format("{} in {}", secret, prior.name));
  }
  for (size_t row = 0; row < original.secret.size(); ++row) {
    const uint32_t secret = original.secret[row];
    both.of_row.push_back(secret < secrets ? static_cast<uint32_t>(original.prior[row]) * secrets + secret
                                           : static_cast<uint32_t>(both.names.size()));
  }
  groups.push_back(std::move(both));
  return groups;
}

KnownOfRows known_of(const Scenario& scenario, const Drawn& drawn) {
  KnownOfRows known;
  for (size_t prior : drawn.priors) known.push_back(&scenario.priors[prior].known);
  return known;
}

}  // namespace

bool Audit::contradicts() const { return seen && exceeds(*seen, promise); }

bool Audit::is_certain() const { return std::any_of(checks.begin(), checks.end(), is_certain_fault); }

std::optional<std::string> Audit::finding() const {
  const auto certain = std::find_if(checks.begin(), checks.end(), is_certain_fault);
  if (certain != checks.end()) return blame(*certain);
  if (seen && exceeds(*seen, promise)) {
    const Seen& best = *seen;
    const bool pure = promise.delta.is_zero();
    return fmt::format("seen at least {} {} where at most {} is promised: {} from {} when {} (prior {})",
                       pure ? "epsilon" : "delta",
                       for_people(pure ? best.bound.epsilon : best.bound.delta, 4),
                       pure ? promise.epsilon.text() : promise.delta.text(), best.pair.first,
                       best.pair.second, best.event, best.prior);
  }
  for (const Check& check : checks) {
    if (check.fault) return blame(check);
  }
  return std::nullopt;
}

namespace {

void check_is_plain(const Scenario& scenario) {
  if (scenario.is_plain()) return;
  throw Error(ErrorKind::kUsage, "audit: only one epsilon for the odds between secrets can be tested",
              "fugu verify proves a promise in belief, and separate epsilons");
}

// The event is chosen on draws of our own, and tested on the rows of the file: all rows of a secret, of those
// in a stratum where columns are known, together have exactly its law under the prior of these rows.
std::optional<Seen> bound_by_own_draws(const Plan& plan, const OriginalRows& original,
                                       const AuditedRows& rows, const AuditOptions& options,
                                       const Rational& error) {
  const Scenario& scenario = plan.scenario;
  std::set<size_t> own;
  for (const Prior* prior : scenario.own_priors())
    own.insert(static_cast<size_t>(prior - scenario.priors.data()));
  std::vector<PriorPair> pairs =
      worst_pairs(scenario, plan.mechanism, witness_of(plan), options.pairs * scenario.priors.size());
  std::erase_if(pairs, [&](const PriorPair& at) { return !own.contains(at.prior); });
  pairs.resize(std::min(pairs.size(), options.pairs));
  const Drawn drawn = draw_truth(scenario, pairs, options.draws);
  AuditedRows choice;
  try {
    choice = release_and_read(plan, {drawn.truth, drawn.priors}, release_rows);
  } catch (const Error& error_of_texts) {
    if (error_of_texts.kind() != ErrorKind::kUsage) throw;
    return std::nullopt;  // a value or a group that no table of ours could have: the file's own halves are
                          // left
  }
  const Tested tested = [&](const PriorPair& at) -> std::optional<std::pair<Outputs, Outputs>> {
    std::pair found(original.outputs(rows, at.prior, at.pair.first),
                    original.outputs(rows, at.prior, at.pair.second));
    if (found.first[0].empty() || found.second[0].empty()) return std::nullopt;
    return found;
  };
  return largest_bound(scenario, {scenario.epsilon, scenario.delta}, drawn, choice, options.draws, tested,
                       error);
}

}  // namespace

Audit audit_with(const Plan& plan, const AuditOptions& options, const RowReleaser& releaser,
                 const Progress& progress) {
  check_is_plain(plan.scenario);
  const Scenario& scenario = plan.scenario;
  report(progress, 0, "drawing values");
  const Drawn drawn = draw_truth(
      scenario, worst_pairs(scenario, plan.mechanism, witness_of(plan), options.pairs), options.draws);
  report(progress, 0.2, "releasing them");
  const AuditedRows rows = release_and_read(plan, {drawn.truth, drawn.priors}, releaser);
  report(progress, 0.5, "testing them");
  Audit result = start(options, proved(scenario), rows);
  result.checks = checks_of(plan, rows, known_of(scenario, drawn), half_error(options),
                            strata_of(scenario, drawn.priors));
  if (!rows.odd_text)
    result.seen = largest_bound(scenario, result.promise, drawn, rows, options.draws / 2,
                                other_half(drawn, rows, options.draws), half_error(options));
  return result;
}

Audit audit(const Plan& plan, const AuditOptions& options, const Progress& progress) {
  return audit_with(plan, options, release_rows, progress);
}

Audit audit(const ModelPlan& plan, const AuditOptions& options, const Progress& progress) {
  const Crowd* crowd = std::get_if<Crowd>(&plan.model);
  std::optional<Scenario> scenario;
  if (crowd && crowd->size() <= kMostExpanded) {
    try {
      scenario = crowd_scenario(*crowd, plan.budget);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kUsage) throw;  // some users cannot have some letter
    }
  }
  Drawn drawn;
  if (scenario) {
    const PriorPair first{0, scenario->pairs.list(scenario->secrets.size()).front()};
    drawn = draw_truth(*scenario, worst_pairs(*scenario, plan.noise, first, options.pairs), options.draws);
  } else {
    drawn.truth = {std::vector<int64_t>(options.draws)};
  }
  AuditedRows rows;
  rows.columns.push_back({drawn.truth[0], release_numbers(plan, drawn.truth[0], progress)});
  ColumnRelease column{};
  column.map.lattice = plan.lattice();
  column.mechanism = plan.noise;
  Audit result = start(options, plan.budget, rows);
  result.checks = check_rows({column}, rows, half_error(options));
  if (scenario)
    result.seen = largest_bound(*scenario, plan.budget, drawn, rows, options.draws / 2,
                                other_half(drawn, rows, options.draws), half_error(options));
  return result;
}

Audit audit(const Plan& plan, const ReleasedFiles& files, const AuditOptions& options,
            const Progress& progress) {
  check_is_plain(plan.scenario);
  const Scenario& scenario = plan.scenario;
  AuditedRows rows;
  rows.columns.resize(column_releases(plan).size());
  if (receipt_says_shuffled(files.released))
    throw usage(files.released + ": it was shuffled, so its rows cannot be compared with the original's",
                "audit the plan itself: fugu audit PLAN; rows that trade places are shuffled unless "
                "--keep-order is given");
  report(progress, 0, "reading the tables");
  read_released(plan, {files.released, files.separator}, rows);
  Audit result = start(options, proved(scenario), rows);
  if (rows.odd_text) {
    result.checks = checks_of(plan, rows, {}, half_error(options));
    return result;
  }
  const OriginalRows original = read_original(plan, {files.original, files.separator, !rows.others.empty()},
                                              {files.released, rows.rows()});
  for (size_t c = 0; c < rows.columns.size(); ++c) rows.columns[c].truth = original.truth[c];
  report(progress, 0.4, "testing the rows");
  result.checks = checks_of(plan, rows, original.known, half_error(options), groups_of(scenario, original));
  OtherColumns others = look_at_other_columns(rows, original);
  result.checks.insert(result.checks.begin(), std::move(others.check));
  result.unread = std::move(others.unread);
  if (!original.is_the_plans) return result;
  const Rational each = half_error(options) / 2;
  result.seen = bound_by_own_draws(plan, original, rows, options, each);
  if (auto halves = bound_on_halves(plan, original, rows, each))
    keep_larger(std::move(*halves), result.promise, result.seen);
  return result;
}

}  // namespace fugu::inline in_audit
