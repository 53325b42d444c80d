#include "fugu/ledger/family.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fugu/compose/compose.h"
#include "fugu/core/error.h"

namespace fugu::inline in_ledger {
namespace {

const std::vector<Noise>& noises_of(const Family& family) {
  return std::get<JointNoise>(family.reserved->plan.mechanism).columns;
}

// -log of a ratio; nothing where the ratio is above 1.
Interval influence_of_ratio(const Rational& ratio) { return log(Interval(Rational(1 / ratio), 128)); }

// A column of the family and the ratio of a release's noise on it.
using Draw = std::pair<size_t, Rational>;

// What a release would take of a family, or why it is outside; neither where it has no column of it.
struct Verdict {
  std::vector<Draw> draws = {};
  std::string why = {};
};

bool of_the_reserved_values(const LedgerRelease& reserved, const LedgerRelease& release) {
  return release.values_unchanged ||
         (!release.rows.digest.empty() && release.rows.digest == reserved.rows.digest);
}

// The noise of each of the release's columns; empty unless all of it is Laplace's.
std::vector<Noise> laplace_columns(const Mechanism& mechanism) {
  std::vector<Noise> columns;
  if (const Noise* noise = std::get_if<Noise>(&mechanism)) columns = {*noise};
  if (const JointNoise* joint = std::get_if<JointNoise>(&mechanism)) columns = joint->columns;
  const bool all = std::all_of(columns.begin(), columns.end(), [](const Noise& noise) {
    return noise.reach() == 0 && noise.tail.numerator != 0;
  });
  return all ? columns : std::vector<Noise>{};
}

Verdict verdict_of(const Family& family, const LedgerRelease& release) {
  const std::vector<std::string>& columns = family.reserved->published;
  const bool shares = std::find_first_of(columns.begin(), columns.end(), release.published.begin(),
                                         release.published.end()) != columns.end();
  if (!shares || family.reserved->id >= release.id || family.reserved->secret != release.secret) return {};
  auto outside = [](std::string why) { return Verdict{{}, std::move(why)}; };
  const bool whole = release.published == columns;
  if (!whole && release.published.size() > 1)
    return outside("a release within it must be of one of its columns, or of all of them in order");
  if (release.plan.scenario.rows_per_person() > 1)
    return outside("a release within it must be of one row for each person");
  const std::vector<Noise> noises = laplace_columns(release.plan.mechanism);
  if (noises.empty()) return outside("every release within it must have Laplace noise");
  if (!of_the_reserved_values(*family.reserved, release))
    return outside("these may be other values than those of its rows");
  Verdict verdict;
  for (size_t k = 0; k < noises.size(); ++k) {
    const auto at = std::find(columns.begin(), columns.end(), release.published[k]);
    verdict.draws.emplace_back(at - columns.begin(), noises[k].tail.value());
  }
  const Scenario& reserved = family.reserved->plan.scenario;
  try {
    check_same(whole ? reserved : reserved.column(verdict.draws.front().first), release.plan.scenario,
               Beliefs::kSame);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kGuarantee) throw;
    return outside(error.message());
  }
  for (const auto& [column, ratio] : verdict.draws) {
    if (family.drawn[column] * ratio >= noises_of(family)[column].tail.value()) continue;
    return outside(fmt::format("of {} influence {} is left, and this release has {}", columns[column],
                               for_people(family.left(column), 4),
                               for_people(influence_of_ratio(ratio).upper(), 4)));
  }
  return verdict;
}

}  // namespace

void check_reservable(const Plan& plan) {
  const JointNoise* joint = std::get_if<JointNoise>(&plan.mechanism);
  const bool noisy = joint && std::all_of(joint->columns.begin(), joint->columns.end(),
                                          [](const Noise& noise) { return noise.tail.numerator != 0; });
  if (!noisy) {
    throw usage("--plan: only Laplace noise on each of several columns can be reserved",
                "calibrate several number columns together: --public age,hours --method exact, with an "
                "epsilon for which each needs noise");
  }
  if (plan.scenario.source->has_strata())
    throw usage("--plan: nothing can be reserved within groups of known columns",
                "calibrate without --known");
  if (plan.scenario.rows_per_person() > 1)
    throw usage("--plan: nothing can be reserved of several rows of a person",
                "calibrate without --rows-per-person");
}

double Family::influence(size_t column) const {
  return influence_of_ratio(noises_of(*this)[column].tail.value()).lower();
}

double Family::left(size_t column) const {
  const Rational rest(noises_of(*this)[column].tail.value() / drawn[column]);
  return std::max(0.0, influence_of_ratio(rest).lower());
}

std::vector<Family> families_of(const std::vector<LedgerRelease>& releases) {
  std::vector<Family> families;
  for (const LedgerRelease& release : releases) {
    if (!release.counts()) continue;
    if (release.reserved) {
      families.push_back({&release, {}, std::vector<Rational>(release.published.size(), Rational(1))});
      continue;
    }
    for (Family& family : families) {
      const Verdict verdict = verdict_of(family, release);
      if (verdict.draws.empty() || !verdict.why.empty()) continue;
      for (const auto& [column, ratio] : verdict.draws) family.drawn[column] *= ratio;
      family.members.push_back(&release);
      break;
    }
  }
  return families;
}

std::string why_outside_families(const std::vector<LedgerRelease>& releases) {
  const LedgerRelease& last = releases.back();
  std::string why;
  for (const Family& family : families_of(releases)) {
    if (!family.members.empty() && family.members.back() == &last) return "";
    const Verdict verdict = verdict_of(family, last);
    if (!verdict.why.empty())
      why = fmt::format("release {} reserved {}, and this one does not keep within it: {}",
                        family.reserved->id, fmt::join(family.reserved->published, ", "), verdict.why);
  }
  return why;
}

std::optional<int64_t> more_in_family(const std::vector<LedgerRelease>& releases, int64_t limit) {
  for (Family& family : families_of(releases)) {
    if (family.members.empty() || family.members.back() != &releases.back()) continue;
    const std::vector<Noise> noises = laplace_columns(releases.back().plan.mechanism);
    const bool whole = noises.size() > 1;
    const auto& columns = family.reserved->published;
    const auto at = static_cast<size_t>(
        std::find(columns.begin(), columns.end(), releases.back().published.front()) - columns.begin());
    for (int64_t more = 0; more < limit; ++more) {
      for (size_t k = 0; k < noises.size(); ++k) {
        Rational& drawn = family.drawn[whole ? k : at];
        drawn *= noises[k].tail.value();
        if (drawn < noises_of(family)[whole ? k : at].tail.value()) return more;
      }
    }
    return limit;
  }
  return std::nullopt;
}

}  // namespace fugu::inline in_ledger
