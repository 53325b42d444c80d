#include "fugu/ledger/outlook.h"

#include <algorithm>
#include <iterator>

#include "fugu/core/error.h"
#include "fugu/ledger/family.h"
#include "fugu/ledger/ledger_rules.h"
#include "fugu/ledger/ledger_sum.h"
#include "fugu/plan/plan.h"

namespace fugu::inline in_ledger {
namespace {

constexpr int64_t kMostMore = 1000;
constexpr int64_t kMostTried = 100;
constexpr int64_t kMostExchanges = 400000;  // of any value for any other, of all releases that are tried
// Beyond so many releases of Laplace noise no bound is less than what their influences prove.
constexpr int64_t kMostBeyondInfluence = 8;

bool is_refusal(const Error& error) {
  return error.kind() == ErrorKind::kBudget || error.kind() == ErrorKind::kGuarantee;
}

size_t concerned(const std::vector<Account>& accounts, const std::vector<LedgerRelease>& releases) {
  return static_cast<size_t>(std::count_if(accounts.begin(), accounts.end(), [&](const Account& account) {
    return concerns(account.secret, releases.back(), releases);
  }));
}

// Every release that is tried takes its time: fewer of many values.
int64_t most_tried(const Scenario& scenario) {
  const auto values = static_cast<int64_t>(
      scenario.is_joint() ? scenario.points.size() : union_support(scenario.priors.front().by_secret).size());
  return std::clamp(kMostExchanges / std::max<int64_t>(1, values * values), int64_t{2}, kMostTried);
}

// Further releases like one, written down behind the others for a while.
class Trial {
 public:
  Trial(const LedgerRelease& like, const std::vector<Account>& accounts, std::vector<LedgerRelease> releases)
      : accounts_(accounts), releases_(std::move(releases)), before_(releases_.size()), like_(like) {
    request_.dataset = like.dataset;
    request_.kept = like.kept;
    like_.state = ReleaseState::kSpent;
    like_.id = releases_.empty() ? 1 : releases_.back().id + 1;
  }

  bool fits(int64_t more) {
    set(more);
    try {
      judged(request_, accounts_, releases_);
      return true;
    } catch (const Error& error) {
      if (!is_refusal(error)) throw;
      return false;
    }
  }

  // How many more than one are proved to fit once one does; nothing is looked for here.
  std::optional<int64_t> proved() {
    set(1);
    if (const auto more = more_in_family(releases_, kMostMore)) return more;
    if (concerned(accounts_, releases_) != 1) return std::nullopt;
    const auto own = std::find_if(accounts_.begin(), accounts_.end(),
                                  [&](const Account& account) { return account.secret == like_.secret; });
    const auto influence = influence_account(sum_of_account(like_.secret, releases_), *own);
    if (!influence) return std::nullopt;
    return influence->more_like_last(kMostMore);
  }
  bool in_family() { return more_in_family(releases_, 1).has_value(); }

 private:
  void set(int64_t more) {
    releases_.resize(before_, like_);
    for (int64_t k = 0; k < more; ++k) {
      releases_.push_back(like_);
      releases_.back().id += k;
    }
  }

  const std::vector<Account>& accounts_;
  std::vector<LedgerRelease> releases_;
  size_t before_;
  LedgerRelease like_;
  SpendRequest request_;
};

// What is taken for granted when nobody has read the rows yet.
void take_rows_of_last(LedgerRelease& asked, const std::vector<LedgerRelease>& releases,
                       std::vector<std::string>& assumptions) {
  if (!asked.rows.digest.empty() || asked.values_unchanged) return;
  for (auto before = releases.rbegin(); before != releases.rend(); ++before) {
    if (!before->counts() || before->rows.digest.empty() || before->published != asked.published ||
        before->digest != asked.digest)
      continue;
    asked.rows.digest = before->rows.digest;
    assumptions.push_back("The rows are taken to be those of release " + std::to_string(before->id) +
                          ", of the same columns and frequencies.");
    return;
  }
  asked.rows.digest = "asked";  // that of no rows
  assumptions.push_back("Releases like this one are taken to be of the same rows in the same order.");
}

}  // namespace

double InfluenceLeft::left() const {
  return round_down(std::max(Rational(0), Rational(exact(*most) - exact(spent))));
}

More more_like(const LedgerRelease& like, const std::vector<Account>& accounts,
               std::vector<LedgerRelease> releases) {
  Trial trial(like, accounts, std::move(releases));
  if (!trial.fits(1)) return {};
  const auto proved = trial.proved();
  if (proved && *proved >= kMostMore - 1) return {kMostMore, true};
  int64_t low = 1 + proved.value_or(0);
  if (proved && (trial.in_family() || low > kMostBeyondInfluence)) return {low, false};
  const int64_t last = std::max(low + 1, most_tried(like.plan.scenario));
  int64_t high = low + 1;
  for (int64_t stride = 2; trial.fits(high); stride *= 2) {
    low = high;
    if (low >= last) return {low, true};
    high = std::min(low + stride, last);
  }
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (trial.fits(middle) ? low : high) = middle;
  }
  return {low, false};
}

namespace {

std::string columns_of(const Scenario& scenario) {
  return scenario.source ? listed(*scenario.source, scenario.source->published) : "";
}

// Of an account in influence.
std::string column_of(const AccountSum& sum) { return columns_of(sum.values.front().plans.front().scenario); }

}  // namespace

std::optional<InfluenceLeft> influence_left(const Account& account,
                                            const std::vector<LedgerRelease>& releases) {
  try {
    const AccountSum sum = sum_of_account(account.secret, releases);
    const auto influence = influence_account(sum, account);
    if (!influence) return std::nullopt;
    return InfluenceLeft{influence->spent(), influence->most(), column_of(sum)};
  } catch (const Error& error) {
    if (!is_refusal(error)) throw;
    return std::nullopt;
  }
}

void fill_view(AccountView& view, const std::vector<LedgerRelease>& releases) {
  std::copy_if(releases.begin(), releases.end(), std::back_inserter(view.releases),
               [&](const LedgerRelease& release) { return release.secret == view.account.secret; });
  bool any = false;
  for (const LedgerRelease& release : releases) {
    if (!release.counts() || !concerns(view.account.secret, release, releases)) continue;
    any = true;
    if (!release.reserved) ++view.counted;
    if (!release.reserved && release.secret == view.account.secret) view.last = release.id;
  }
  if (!any) return;
  for (const Family& family : families_of(releases)) {
    if (family.reserved->secret != view.account.secret) continue;
    Reservation reservation{.id = family.reserved->id};
    for (size_t c = 0; c < family.drawn.size(); ++c)
      reservation.columns.push_back({family.reserved->published[c], family.influence(c), family.left(c)});
    for (const LedgerRelease* member : family.members) reservation.members.push_back(member->id);
    view.reservations.push_back(std::move(reservation));
  }
  try {
    const AccountSum sum = sum_of_account(view.account.secret, releases);
    view.assumptions = sum.assumptions;
    if (const Composition* least = least_bound(sum.bounds, view.account.delta)) {
      view.together = *least;
      const std::string chosen = chosen_beforehand(*least, sum.releases);
      if (!chosen.empty()) view.assumptions.push_back(chosen);
    }
    if (const auto influence = influence_account(sum, view.account)) {
      view.influence = InfluenceLeft{influence->spent(), influence->most(), column_of(sum)};
      // What influences prove may lie in the last digit of what the bounds are rounded to.
      if (view.together && view.together->epsilon > view.account.epsilon && influence->holds())
        view.together = {view.account.epsilon, Rational(0), "transfer"};
    }
  } catch (const Error& error) {
    // An older ledger may have accounts that do not go together: then no bound is known.
    if (!is_refusal(error)) throw;
  }
}

void look_ahead(AccountView& view, const std::vector<Account>& accounts,
                const std::vector<LedgerRelease>& releases) {
  if (!view.together || view.last == 0) return;
  const auto last = std::find_if(releases.begin(), releases.end(),
                                 [&](const LedgerRelease& release) { return release.id == view.last; });
  view.more = more_like(*last, accounts, releases);
}

Outlook outlook_of(LedgerRelease asked, const SpendRequest& request, const std::vector<Account>& accounts,
                   std::vector<LedgerRelease> releases) {
  AccountView view;
  view.account = *std::find_if(accounts.begin(), accounts.end(),
                               [&](const Account& account) { return account.secret == asked.secret; });
  Outlook outlook{.account = view.account, .column = columns_of(asked.plan.scenario)};
  if (const Noise* noise = std::get_if<Noise>(&asked.plan.mechanism);
      noise && noise->reach() == 0 && noise->tail.numerator != 0)
    outlook.of_release = influence_of(*noise);
  take_rows_of_last(asked, releases, outlook.assumptions);
  fill_view(view, releases);
  outlook.releases = view.counted;
  outlook.spent = view.together;
  outlook.influence = view.influence;
  std::vector<LedgerRelease> with = releases;
  with.push_back(asked);
  try {
    const Spent spent = judged(request, accounts, with);
    outlook.together = spent.together;
    outlook.assumptions.insert(outlook.assumptions.end(), spent.assumptions.begin(), spent.assumptions.end());
    outlook.more = asked.reserved ? More{1, false} : more_like(asked, accounts, std::move(releases));
    // Before anything is spent the budget is an amount of influence, too.
    if (!view.together && view.counted == 0) outlook.influence = influence_left(view.account, with);
    if (!view.together && outlook.influence) outlook.influence->spent = 0;
  } catch (const Error& error) {
    if (!is_refusal(error)) throw;
    outlook.refusal = error.message();
    outlook.hint = error.hint();
  }
  return outlook;
}

}  // namespace fugu::inline in_ledger
