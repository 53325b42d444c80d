#include "fugu/audit/halves.h"

#include <algorithm>
#include <map>

#include "fugu/audit/drawn.h"
#include "fugu/sample/random.h"

namespace fugu::inline in_audit {
namespace {

constexpr size_t kFewest = 20;  // rows of a secret that are worth a test
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

std::vector<Halves> split(const Scenario& scenario, const OriginalRows& original) {
  std::map<std::pair<uint32_t, std::vector<int64_t>>, std::vector<size_t>> cells;
  for (size_t row = 0; row < original.secret.size(); ++row) {
    std::vector<int64_t> value;
    for (const std::vector<int64_t>& column : original.truth) value.push_back(column[row]);
    cells[{original.secret[row], std::move(value)}].push_back(row);
  }
  SecureRandom random;
  std::vector<Halves> secrets(scenario.secrets.size());
  for (auto& [cell, rows] : cells) {
    if (cell.first >= secrets.size()) continue;
    Halves& halves = secrets[cell.first];
    mix(rows, random);
    const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
    halves.test.insert(halves.test.end(), rows.begin(), middle);
    halves.choice.insert(halves.choice.end(), middle, rows.end());
    halves.missing += rows.size() % 2;
  }
  for (Halves& halves : secrets) {
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
std::vector<SecretPair> pairs_to_test(const Scenario& scenario, const std::vector<Halves>& secrets) {
  auto rows = [&](const SecretPair& pair) {
    return std::min(secrets[pair.first].test.size(), secrets[pair.second].test.size());
  };
  std::vector<SecretPair> pairs = scenario.pairs.list(scenario.secrets.size());
  std::erase_if(pairs, [&](const SecretPair& pair) { return rows(pair) < kFewest; });
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const SecretPair& a, const SecretPair& b) { return rows(a) > rows(b); });
  pairs.resize(std::min(pairs.size(), scenario.is_joint() ? kMostJoint : kMostPairs));
  return pairs;
}

}  // namespace

std::optional<Seen> bound_on_halves(const Plan& plan, const OriginalRows& original, const AuditedRows& rows,
                                    const Rational& error) {
  const Scenario& scenario = plan.scenario;
  const Budget promise{scenario.epsilon, scenario.delta};
  const std::vector<Halves> secrets = split(scenario, original);
  const std::vector<SecretPair> pairs = pairs_to_test(scenario, secrets);
  // Two ways for each pair, two chances for each way.
  const Rational tail = error / Integer(4 * std::max<size_t>(pairs.size(), 1));
  std::optional<Seen> best;
  for (const SecretPair& pair : pairs) {
    for (const bool turned : {false, true}) {
      const uint32_t a = turned ? pair.second : pair.first, b = turned ? pair.first : pair.second;
      const Outputs first = outputs_of(rows, secrets[a].test), second = outputs_of(rows, secrets[b].test);
      const OutputEvent event =
          loudest_event(outputs_of(rows, secrets[a].choice), outputs_of(rows, secrets[b].choice), promise,
                        {first[0].size(), second[0].size()});
      keep_larger(
          Seen{bound_seen(event, first, second, promise, tail, {secrets[a].missing, secrets[b].missing}),
               scenario.priors[0].name,
               {scenario.secrets[a], scenario.secrets[b]},
               event.text(scenario)},
          promise, best);
    }
  }
  return best;
}

}  // namespace fugu::inline in_audit
