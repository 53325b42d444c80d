#include "fugu/ledger/ledger_word.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "fugu/core/error.h"
#include "fugu/ledger/ledger_sum.h"

namespace fugu::inline in_ledger {
namespace {

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

void check_word(const std::vector<LedgerRelease>& releases) {
  const LedgerRelease& now = releases.back();
  if (!now.values_unchanged) return;
  for (const LedgerRelease& before : releases) {
    if (!before.counts() || before.id == now.id || before.published != now.published || !moved(before, now))
      continue;
    throw usage(
        fmt::format("--values-unchanged: since release {} some counts have grown and others fallen, "
                    "so values have changed, or people have come and others left",
                    before.id),
        fmt::format("leave it out; these methods add up whatever the values are: --method {}", kAdding));
  }
}

}  // namespace fugu::inline in_ledger
