#include "fugu/audit/drawn.h"

#include <algorithm>

#include "fugu/sample/random.h"
#include "fugu/sample/table_sampler.h"

namespace fugu::inline in_audit {
namespace {

void append_draws(const Scenario& scenario, const Distribution& law, uint64_t draws, SecureRandom& random,
                  std::vector<std::vector<int64_t>>& truth) {
  std::vector<Integer> weights;
  for (size_t k = 0; k < law.size(); ++k) weights.push_back(law.weights().at(k));
  std::vector<uint32_t> drawn(draws);
  TableSampler(weights).draw(random, drawn);
  for (uint32_t k : drawn) {
    const int64_t atom = law.atoms()[k];
    if (!scenario.is_joint()) {
      truth[0].push_back(atom);
      continue;
    }
    const std::vector<int64_t>& point = scenario.points[static_cast<size_t>(atom)];
    for (size_t c = 0; c < point.size(); ++c) truth[c].push_back(point[c]);
  }
}

}  // namespace

Drawn draw_truth(const Scenario& scenario, std::vector<PriorPair> pairs, uint64_t draws) {
  Drawn result{
      std::move(pairs), {}, std::vector<std::vector<int64_t>>(std::max<size_t>(1, scenario.axes.size()))};
  SecureRandom random;
  for (const PriorPair& at : result.pairs) {
    for (uint32_t secret : {at.pair.first, at.pair.second}) {
      const bool known =
          std::any_of(result.secrets.begin(), result.secrets.end(),
                      [&](const DrawnSecret& one) { return one.prior == at.prior && one.secret == secret; });
      if (known) continue;
      result.secrets.push_back({at.prior, secret, result.truth[0].size()});
      append_draws(scenario, scenario.priors[at.prior].by_secret[secret], draws, random, result.truth);
      result.priors.resize(result.truth[0].size(), at.prior);
    }
  }
  return result;
}

Outputs Drawn::of(const AuditedRows& rows, size_t prior, uint32_t secret, size_t first, size_t last) const {
  const auto found = std::find_if(secrets.begin(), secrets.end(), [&](const DrawnSecret& one) {
    return one.prior == prior && one.secret == secret;
  });
  Outputs outputs;
  for (const AuditedColumn& column : rows.columns) {
    const auto begin = column.released.begin() + static_cast<std::ptrdiff_t>(found->begin);
    outputs.emplace_back(begin + static_cast<std::ptrdiff_t>(first),
                         begin + static_cast<std::ptrdiff_t>(last));
  }
  return outputs;
}

void keep_larger(Seen seen, const Budget& promise, std::optional<Seen>& best) {
  const bool larger = !best || (promise.delta.is_zero() ? seen.bound.epsilon > best->bound.epsilon
                                                        : seen.bound.delta > best->bound.delta);
  if (larger) best = std::move(seen);
}

std::optional<Seen> largest_bound(const Scenario& scenario, const Budget& promise, const Drawn& drawn,
                                  const AuditedRows& rows, uint64_t choice, const Tested& tested,
                                  const Rational& error) {
  std::optional<Seen> best;
  // Two ways for each pair, two chances for each way.
  const Rational tail = error / Integer(4 * std::max<size_t>(drawn.pairs.size(), 1));
  for (const PriorPair& at : drawn.pairs) {
    const auto test = tested(at);
    if (!test) continue;
    for (const bool turned : {false, true}) {
      const uint32_t a = turned ? at.pair.second : at.pair.first, b = turned ? at.pair.first : at.pair.second;
      const Outputs& first = turned ? test->second : test->first;
      const Outputs& second = turned ? test->first : test->second;
      const OutputEvent event =
          loudest_event(drawn.of(rows, at.prior, a, 0, choice), drawn.of(rows, at.prior, b, 0, choice),
                        promise, {first[0].size(), second[0].size()});
      const SeenBound bound = bound_seen(event, first, second, promise, tail);
      keep_larger(Seen{bound,
                       scenario.priors[at.prior].name,
                       {scenario.secrets[a], scenario.secrets[b]},
                       event.text(scenario)},
                  promise, best);
    }
  }
  return best;
}

}  // namespace fugu::inline in_audit
