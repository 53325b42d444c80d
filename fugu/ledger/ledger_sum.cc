#include "fugu/ledger/ledger_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fugu/compose/value_range.h"
#include "fugu/core/error.h"
#include "fugu/ledger/family.h"

namespace fugu::inline in_ledger {
namespace {

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
    values.cover_those_of(release->plan.scenario);
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

// All releases of a family count as its reservation.
SameValues values_of(const Family& family, const std::vector<const LedgerRelease*>& set,
                     const std::vector<std::string>& secret, bool changing) {
  SameValues values;
  if (family.reserved->secret == secret) {
    values.reserved = family.reserved->plan;
    values.cover_those_of(family.reserved->plan.scenario);
  }
  const bool drops =
      std::any_of(set.begin(), set.end(), [](const LedgerRelease* release) { return drops_rows(*release); });
  if ((changing || !values.reserved) && !drops) values.range = value_range(family.reserved->plan);
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

// Of what the account speaks, where that is less than all pairs of secrets and the table's own frequencies.
// Error (guarantee) where its releases promise different things: one sum would say more than some of them do.
std::string what_is_promised(const std::vector<std::string>& secret,
                             const std::vector<LedgerRelease>& releases) {
  const Scenario* first = nullptr;
  for (const LedgerRelease& release : releases) {
    if (!release.counts() || release.secret != secret) continue;
    if (!first) first = &release.plan.scenario;
    check_same_promise(*first, release.plan.scenario);
  }
  if (!first) return "";
  std::string words;
  if (!first->pairs.is_all()) {
    words = first->pair_count() == 1
                ? "Only the one pair of secrets that the plans list is protected."
                : fmt::format("Only the {} pairs of secrets that the plans list are protected.",
                              first->pair_count());
  }
  if (first->confidence) {
    words += fmt::format("{}What is said of a release holds with confidence {}, for each table by itself.",
                         words.empty() ? "" : " ", to_text(*first->confidence));
  }
  return words;
}

std::string within_reservation(const Family& family) {
  const bool same_rows = std::all_of(family.members.begin(), family.members.end(), [&](const auto* member) {
    return !member->rows.digest.empty() && member->rows.digest == family.reserved->rows.digest;
  });
  return fmt::format(
      "{} {} within what release {} reserved; the values are taken to be those that it was made for{}.",
      family.members.size() == 1 ? "Release" : "Releases",
      numbers_of(family.members) + (family.members.size() == 1 ? " keeps" : " keep"), family.reserved->id,
      same_rows ? ", being the same rows in the same order"
                : ": the ledger has the user's word (--values-unchanged)");
}

}  // namespace

bool drops_rows(const LedgerRelease& release) {
  return release.rows.drops || release.plan.scenario.source->missing == Missing::kDrop;
}

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
  const std::vector<Family> families = families_of(releases);
  auto family_of = [&](const LedgerRelease& release) {
    return std::find_if(families.begin(), families.end(), [&](const Family& family) {
      return family.reserved == &release ||
             std::find(family.members.begin(), family.members.end(), &release) != family.members.end();
    });
  };
  // By the first release of the same values; families come after all of these.
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
    const auto family = family_of(releases[k]);
    sets[family == families.end() ? first[k]
                                  : releases.size() + static_cast<size_t>(family - families.begin())]
        .push_back(&releases[k]);
    if (!releases[k].reserved) ++sum.releases;
  }
  // A family counts as a whole, whichever of its releases tell of the secret.
  for (size_t f = 0; f < families.size(); ++f) {
    const auto set = sets.find(releases.size() + f);
    if (set == sets.end()) continue;
    set->second = families[f].members;
    set->second.insert(set->second.begin(), families[f].reserved);
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
  if (const std::string promise = what_is_promised(secret, releases); !promise.empty())
    sum.assumptions.push_back(promise);
  sum.changing = sets.size() > 1;
  const auto& columns = sets.empty() ? std::vector<std::string>{} : sets.begin()->second.front()->published;
  sum.several_columns = std::any_of(
      sets.begin(), sets.end(), [&](const auto& set) { return set.second.front()->published != columns; });
  std::vector<const LedgerRelease*> changing;
  for (const auto& [number, set] : sets) {
    changing.push_back(set.front());
    if (number >= releases.size()) {
      const Family& family = families[number - releases.size()];
      if (!family.members.empty()) sum.assumptions.push_back(within_reservation(family));
      sum.values.push_back(values_of(family, set, secret, sum.changing));
    } else {
      if (set.size() > 1) sum.assumptions.push_back(sameness(set));
      sum.values.push_back(values_of(set, secret, sum.changing));
    }
    // Kept columns may have changed with the values, and then no law of this set is one given theirs.
    if (std::any_of(sets.begin(), sets.end(), [&](const auto& other) {
          return other.first != number && keeps_columns(other.second);
        })) {
      sum.values.back().plans.clear();
      sum.values.back().reserved.reset();
    }
  }
  if (sum.changing) {
    sum.assumptions.push_back(
        fmt::format("{} releases {}: all of these but one count by what they tell whatever the values are.",
                    sum.several_columns ? "There are other columns, or values may have changed, in"
                                        : "Values may have changed between",
                    numbers_of(changing)));
  }
  sum.bounds = changing_bounds(sum.values);
  return sum;
}

Composition within_budget(const AccountSum& sum, const Account& account,
                          const std::vector<std::string>& latest) {
  auto refuse = [](std::string message, std::string hint) {
    return Error(ErrorKind::kBudget, std::move(message), std::move(hint));
  };
  const Composition* least = least_bound(sum.bounds, account.delta);
  if (!least && sum.changing && least_bound(sum.bounds, Rational(1)) == nullptr) {
    const bool alike = std::all_of(sum.values.begin(), sum.values.end(),
                                   [&](const SameValues& set) { return set.covers_all(sum.values); });
    if (!alike) {
      throw refuse(
          "the releases cover people who know different columns (--given), and what all of these people "
          "learn from them together is not bounded",
          fmt::format("calibrate each with the same --given and --min-group, or use a --method that adds up "
                      "whatever the values are: {}",
                      kAdding));
    }
    if (sum.several_columns) {
      throw refuse(
          "columns that reveal nothing alone may reveal everything together with those released before",
          fmt::format(
              "release them in one plan; or all releases but one need a --method that adds up whatever "
              "the values are: {}",
              kAdding));
    }
    throw refuse(
        "these may be other values than those released before, and together the releases could reveal "
        "everything",
        fmt::format("if nobody's value has changed, say so with --values-unchanged; else all releases but "
                    "one need a --method that adds up whatever the values are: {}",
                    kAdding));
  }
  if (!least && sum.bounds.empty()) {
    throw refuse("together with the releases before, no finite bound of the joint loss is known",
                 "use noise with tails, such as laplace");
  }
  std::string whose = fmt::format("dataset '{}'", account.dataset);
  if (account.secret != latest) {
    whose += fmt::format(" for the secret {}, which this release also tells about,",
                         fmt::join(account.secret, ", "));
  }
  if (!least) {
    throw refuse(fmt::format("the release needs a delta, and the budget of {} allows {}", whose,
                             short_text(account.delta)),
                 "release with delta 0; a budget's delta is set once, by --budget-delta");
  }
  if (least->epsilon > account.epsilon) {
    // What is left of an account in influence is left to the last digit.
    const auto influence = influence_account(sum, account);
    if (influence && influence->holds()) return {account.epsilon, Rational(0), "transfer"};
    throw refuse(
        fmt::format("the budget of {} is {}, and with this release {} would be spent", whose,
                    short_text(account.epsilon), for_people(round_up(least->epsilon), 4)),
        fmt::format(
            "reveal less (a smaller --epsilon, or the plan of an earlier release), or release no more{}",
            sum.changing ? "; if nobody's value has changed, --values-unchanged may count it for less" : ""));
  }
  return *least;
}

std::optional<InfluenceAccount> influence_account(const AccountSum& sum, const Account& account) {
  if (sum.values.size() != 1 || sum.values.front().plans.empty()) return std::nullopt;
  return InfluenceAccount::of(sum.values.front().plans, account.epsilon);
}

std::string chosen_beforehand(const Composition& together, size_t releases) {
  if (together.delta == 0 || releases < 2) return "";
  return "Releases that count with a delta were not chosen after seeing those before: what is proved of them "
         "together is proved of choices made beforehand.";
}

}  // namespace fugu::inline in_ledger
