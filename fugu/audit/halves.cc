#include "fugu/audit/halves.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "fugu/audit/drawn.h"
#include "fugu/audit/trials.h"
#include "fugu/sample/random.h"

namespace fugu::inline in_audit {
namespace {

constexpr size_t kMostPairs = 200,
                 kMostJoint = 20;  // those with most rows; of several columns each takes long

// A secret's rows.
struct Halves {
  std::vector<size_t> choice, test;
  size_t missing = 0;  // rows, rounded up, by which `test` is less than half of all
};

// In an order that nobody could foresee. Any order will do for the bound.
void mix(std::vector<size_t>& rows, SecureRandom& random) {
  for (size_t k = rows.size(); k > 1; --k) std::swap(rows[k - 1], rows[random.word() % k]);
}

// By prior and secret.
using AllHalves = std::map<std::pair<size_t, uint32_t>, Halves>;

AllHalves split(const Scenario& scenario, const OriginalRows& original) {
  std::map<std::tuple<size_t, uint32_t, std::vector<int64_t>>, std::vector<size_t>> cells;
  for (size_t row = 0; row < original.secret.size(); ++row) {
    if (original.secret[row] >= scenario.secrets.size()) continue;
    std::vector<int64_t> value;
    for (const std::vector<int64_t>& column : original.truth) value.push_back(column[row]);
    cells[{original.prior[row], original.secret[row], std::move(value)}].push_back(row);
  }
  SecureRandom random;
  AllHalves secrets;
  for (auto& [cell, rows] : cells) {
    Halves& halves = secrets[{std::get<0>(cell), std::get<1>(cell)}];
    mix(rows, random);
    const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
    halves.test.insert(halves.test.end(), rows.begin(), middle);
    halves.choice.insert(halves.choice.end(), middle, rows.end());
    halves.missing += rows.size() % 2;
  }
  for (auto& [secret, halves] : secrets) {
    halves.missing = (halves.missing + 1) / 2;
    mix(halves.choice, random);  // whose halves an event's list is made from
  }
  return secrets;
}

Outputs outputs_of(const AuditedRows& rows, const std::vector<size_t>& places) {
  Outputs outputs;
  for (const AuditedColumn& column : rows.columns) {
    outputs.emplace_back();
    for (size_t row : places) outputs.back().push_back(column.released[row]);
  }
  return outputs;
}

// Which pairs: by their numbers of rows alone, which say nothing about the noise.
std::vector<PriorPair> pairs_to_test(const Scenario& scenario, const AllHalves& secrets) {
  auto of_secret = [&](size_t prior, uint32_t secret) {
    const auto found = secrets.find({prior, secret});
    return found == secrets.end() ? size_t{0} : found->second.test.size();
  };
  auto rows = [&](const PriorPair& at) {
    return std::min(of_secret(at.prior, at.pair.first), of_secret(at.prior, at.pair.second));
  };
  std::vector<PriorPair> pairs;
  for (size_t prior = 0; prior < scenario.priors.size(); ++prior) {
    for (const SecretPair& pair : scenario.pairs.list(scenario.secrets.size()))
      if (rows({prior, pair}) >= kFewestRows) pairs.push_back({prior, pair});
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const PriorPair& a, const PriorPair& b) { return rows(a) > rows(b); });
  pairs.resize(std::min(pairs.size(), scenario.is_joint() ? kMostJoint : kMostPairs));
  return pairs;
}

}  // namespace

std::optional<Seen> bound_on_halves(const Plan& plan, const OriginalRows& original, const AuditedRows& rows,
                                    const Rational& error) {
  const Scenario& scenario = plan.scenario;
  const Budget promise{scenario.epsilon, scenario.delta};
  const AllHalves secrets = split(scenario, original);
  const std::vector<PriorPair> pairs = pairs_to_test(scenario, secrets);
  // Two ways for each pair, two chances for each way.
  const Rational tail = error / Integer(4 * std::max<size_t>(pairs.size(), 1));
  std::optional<Seen> best;
  for (const PriorPair& at : pairs) {
    for (const bool turned : {false, true}) {
      const uint32_t a = turned ? at.pair.second : at.pair.first, b = turned ? at.pair.first : at.pair.second;
      const Halves &of_a = secrets.at({at.prior, a}), &of_b = secrets.at({at.prior, b});
      const Outputs first = outputs_of(rows, of_a.test), second = outputs_of(rows, of_b.test);
      const OutputEvent event = loudest_event(outputs_of(rows, of_a.choice), outputs_of(rows, of_b.choice),
                                              promise, {first[0].size(), second[0].size()});
      keep_larger(Seen{bound_seen(event, first, second, promise, tail, {of_a.missing, of_b.missing}),
                       scenario.priors[at.prior].name,
                       {scenario.secrets[a], scenario.secrets[b]},
                       event.text(scenario)},
                  promise, best);
    }
  }
  return best;
}

}  // namespace fugu::inline in_audit
