#include "fugu/ledger/ledger_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fugu/compose/compose_changing.h"
#include "fugu/compose/value_range.h"
#include "fugu/core/error.h"

namespace fugu::inline in_ledger {
namespace {

// Over all pairs sensitivity does, too, but not where one secret alone has the least and the greatest value.
constexpr const char* kAdding = "dp-laplace or randomized-response, without --missing drop";

// Of people with several rows each draw takes others (--person).
bool same_draw(const LedgerRelease& a, const LedgerRelease& b) {
  return a.plan.scenario.source->person == b.plan.scenario.source->person;
}

// For each release the first one that is of the same values; a void release counts no more, but its values
// still are what they were.
std::vector<size_t> first_of_values(const std::vector<LedgerRelease>& releases) {
  std::vector<size_t> first(releases.size());
  for (size_t k = 0; k < releases.size(); ++k) {
    first[k] = k;
    for (size_t before = 0; before < k; ++before) {
      const bool same_rows =
          !releases[k].rows.digest.empty() && releases[k].rows.digest == releases[before].rows.digest;
      if (releases[before].published != releases[k].published || !same_draw(releases[before], releases[k]) ||
          !(same_rows || releases[k].values_unchanged))
        continue;
      // Whoever is of the values of either is now of the values of both.
      const size_t one = std::min(first[k], first[before]), other = std::max(first[k], first[before]);
      std::replace(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(k) + 1, other, one);
    }
  }
  return first;
}

// The same release to whoever guesses at another secret: its mechanism, under the laws of that secret.
Plan as_seen_by(const Plan& own, const Plan& release) {
  check_same_value(own.scenario, release.scenario);
  Plan seen = own;
  seen.mechanism = release.mechanism;
  return seen;
}

// A row that is left out tells its value, or that it is missing.
bool drops_rows(const LedgerRelease& release) {
  return release.rows.drops || release.plan.scenario.source->missing == Missing::kDrop;
}

std::optional<Rational> range_of(const std::vector<const LedgerRelease*>& set) {
  Rational sum(0);
  for (const LedgerRelease* release : set) {
    if (drops_rows(*release)) return std::nullopt;
    const auto range = value_range(release->plan);
    if (!range) return std::nullopt;
    sum += *range;
  }
  return sum;
}

SameValues values_of(const std::vector<const LedgerRelease*>& set, const std::vector<std::string>& secret,
                     bool changing) {
  SameValues values;
  const LedgerRelease* own = nullptr;
  for (const LedgerRelease* release : set) {
    if (release->secret != secret) continue;
    if (!own) own = release;
    values.plans.push_back(release->plan);
  }
  for (const LedgerRelease* release : set) {
    if (release->secret == secret || !own) continue;
    // Of other rows the laws of this secret are not known, though no value has changed: they may be more
    // people.
    if (release->rows.digest.empty() || release->rows.digest != own->rows.digest) {
      values.plans.clear();
      break;
    }
    values.plans.push_back(as_seen_by(own->plan, release->plan));
  }
  if (changing || values.plans.empty()) values.range = range_of(set);
  return values;
}

bool keeps_columns(const std::vector<const LedgerRelease*>& set) {
  return std::any_of(set.begin(), set.end(), [](const auto* release) { return !release->kept.empty(); });
}

std::string numbers_of(const std::vector<const LedgerRelease*>& set) {
  std::vector<std::string> numbers;
  for (const LedgerRelease* release : set) numbers.push_back(std::to_string(release->id));
  const std::string last = numbers.back();
  numbers.pop_back();
  return numbers.empty() ? last : fmt::format("{} and {}", fmt::join(numbers, ", "), last);
}

std::string named(const std::vector<const LedgerRelease*>& set) {
  return (set.size() == 1 ? "release " : "releases ") + numbers_of(set);
}

std::string sameness(const std::vector<const LedgerRelease*>& set) {
  const std::string& digest = set.front()->rows.digest;
  const bool same_rows = !digest.empty() && std::all_of(set.begin(), set.end(), [&](const auto* release) {
    return release->rows.digest == digest;
  });
  if (same_rows) {
    return fmt::format(
        "Releases {} are of the same rows in the same order; they are taken to be the same people's.",
        numbers_of(set));
  }
  return fmt::format(
      "Nobody's value has changed between releases {}: the ledger has the user's word (--values-unchanged).",
      numbers_of(set));
}

// By secret, where asked, and value, of several columns each.
using Counts = std::map<std::pair<std::string, std::vector<int64_t>>, Integer>;

Counts counts_of(const Scenario& scenario, bool by_secret) {
  Counts counts;
  for (const Prior* prior : scenario.own_priors()) {
    for (size_t s = 0; s < scenario.secrets.size(); ++s) {
      const Distribution& given = prior->by_secret[s];
      for (size_t k = 0; k < given.size(); ++k) {
        const int64_t atom = given.atoms()[k];
        counts[{by_secret ? scenario.secrets[s] : "",
                scenario.is_joint() ? scenario.points[static_cast<size_t>(atom)] : std::vector{atom}}] +=
            given.weights().at(k);
      }
    }
  }
  return counts;
}

// Whether some counts grew while others fell, which people who only come, or only leave, do not explain.
bool moved(const LedgerRelease& before, const LedgerRelease& now) {
  const Scenario &old = before.plan.scenario, &last = now.plan.scenario;
  auto same_axis = [](const Axis& a, const Axis& b) { return a.lattice == b.lattice; };
  auto same_labels = [](const ColumnShape& a, const ColumnShape& b) { return a.labels == b.labels; };
  const auto &ours = old.source->columns, &theirs = last.source->columns;
  if (!before.rows.counted || !now.rows.counted || old.lattice != last.lattice ||
      !std::equal(old.axes.begin(), old.axes.end(), last.axes.begin(), last.axes.end(), same_axis) ||
      !std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), same_labels))
    return false;
  const bool by_secret = before.secret == now.secret;
  Counts growth = counts_of(last, by_secret);
  for (const auto& [cell, count] : counts_of(old, by_secret)) growth[cell] -= count;
  bool grew = false, fell = false;
  for (const auto& [cell, more] : growth) {
    grew |= more > 0;
    fell |= more < 0;
  }
  return grew && fell;
}

}  // namespace

bool concerns(const std::vector<std::string>& secret, const LedgerRelease& release,
              const std::vector<LedgerRelease>& all) {
  auto share = [](const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
  };
  return share(secret, release.secret) || std::any_of(all.begin(), all.end(), [&](const LedgerRelease& own) {
           return own.counts() && own.secret == secret && share(own.published, release.published);
         });
}

AccountSum sum_of_account(const std::vector<std::string>& secret,
                          const std::vector<LedgerRelease>& releases) {
  const std::vector<size_t> first = first_of_values(releases);
  std::map<size_t, std::vector<const LedgerRelease*>> sets;
  AccountSum sum;
  std::vector<const LedgerRelease*> others, dropping;
  for (size_t k = 0; k < releases.size(); ++k) {
    if (!releases[k].counts()) continue;
    if (!concerns(secret, releases[k], releases)) {
      others.push_back(&releases[k]);
      continue;
    }
    if (drops_rows(releases[k])) dropping.push_back(&releases[k]);
    sets[first[k]].push_back(&releases[k]);
    ++sum.releases;
  }
  if (!others.empty()) {
    sum.assumptions.push_back(
        fmt::format("Not counted: {}, for other secrets, where no column of this account is released. What "
                    "these tell together with the releases of "
                    "this account is not bounded.",
                    named(others)));
  }
  if (!dropping.empty()) {
    sum.assumptions.push_back(fmt::format(
        "Rows may have been left out of {}: that they were, or not, is assumed to say nothing of the secret.",
        named(dropping)));
  }
  sum.changing = sets.size() > 1;
  const auto& columns = sets.empty() ? std::vector<std::string>{} : sets.begin()->second.front()->published;
  sum.several_columns = std::any_of(
      sets.begin(), sets.end(), [&](const auto& set) { return set.second.front()->published != columns; });
  std::vector<SameValues> values;
  std::vector<const LedgerRelease*> changing;
  for (const auto& [number, set] : sets) {
    if (set.size() > 1) sum.assumptions.push_back(sameness(set));
    changing.push_back(set.front());
    values.push_back(values_of(set, secret, sum.changing));
    // Kept columns may have changed with the values, and then no law of this set is one given theirs.
    if (std::any_of(sets.begin(), sets.end(),
                    [&](const auto& other) { return other.first != number && keeps_columns(other.second); }))
      values.back().plans.clear();
  }
  if (sum.changing) {
    sum.assumptions.push_back(
        fmt::format("{} releases {}: all of these but one count by what they tell whatever the values are.",
                    sum.several_columns ? "There are other columns, or values may have changed, in"
                                        : "Values may have changed between",
                    numbers_of(changing)));
  }
  sum.bounds = changing_bounds(values);
  return sum;
}

Composition within_budget(const AccountSum& sum, const Account& account,
                          const std::vector<std::string>& latest) {
  auto refuse = [](std::string message, std::string hint) {
    return Error(ErrorKind::kBudget, std::move(message), std::move(hint));
  };
  const Composition* least = least_bound(sum.bounds, account.delta);
  if (!least && sum.changing && least_bound(sum.bounds, Rational(1)) == nullptr) {
    if (sum.several_columns) {
      throw refuse(
          "columns that say nothing each may say everything together with those released before",
          fmt::format(
              "release them in one plan; or all releases but one need a --method that adds up whatever "
              "the values are: {}",
              kAdding));
    }
    throw refuse(
        "these may be other values than those of the releases before, and together the releases could tell "
        "everything",
        fmt::format("if nobody's value has changed, say so with --values-unchanged; else all releases but "
                    "one need a --method that adds up whatever the values are: {}",
                    kAdding));
  }
  if (!least && sum.bounds.empty()) {
    throw refuse("no bound of the joint loss with the releases before is finite",
                 "release with noise that has tails, such as laplace");
  }
  std::string whose = fmt::format("dataset '{}'", account.dataset);
  if (account.secret != latest) {
    whose +=
        fmt::format(" for the secret {}, of which this release tells, too,", fmt::join(account.secret, ", "));
  }
  if (!least) {
    throw refuse(fmt::format("the release needs a delta, and the budget of {} allows {}", whose,
                             short_text(account.delta)),
                 "release with delta 0; a budget's delta is set once, by --budget-delta");
  }
  if (least->epsilon > account.epsilon) {
    throw refuse(
        fmt::format("the budget of {} is {}, and with this release {} would be spent", whose,
                    short_text(account.epsilon), for_people(round_up(least->epsilon), 4)),
        fmt::format(
            "ask for less (a smaller --epsilon, or the plan of an earlier release), or release no "
            "more of it{}",
            sum.changing ? "; if nobody's value has changed, --values-unchanged may count it for less" : ""));
  }
  return *least;
}

void check_word(const std::vector<LedgerRelease>& releases) {
  const LedgerRelease& now = releases.back();
  if (!now.values_unchanged) return;
  for (const LedgerRelease& before : releases) {
    if (!before.counts() || before.id == now.id || before.published != now.published || !moved(before, now))
      continue;
    throw usage(fmt::format("--values-unchanged: since release {} some counts have grown and others fallen, "
                            "so values have changed, or people have come and others left",
                            before.id),
                fmt::format("leave it out; what adds up whatever the values are: --method {}", kAdding));
  }
}

}  // namespace fugu::inline in_ledger
