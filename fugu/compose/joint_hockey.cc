#include "fugu/compose/joint_hockey.h"

#include <algorithm>
#include <cstdlib>

#include "fugu/compose/exchange.h"
#include "fugu/compose/gaussian_sum.h"
#include "fugu/compose/joint_hockey_rounded.h"
#include "fugu/core/interval.h"
#include "fugu/verify/rounding.h"
#include "fugu/verify/sum_rounded.h"

namespace fugu::inline in_compose {
namespace {

constexpr Bits kHockeyBits = 128;
constexpr double kMostJointOutputs = 2e6;  // by secret or pair, whichever are more, and prior: 60 MB
constexpr double kMostJointProducts = 1e8;
constexpr int64_t kMostBeyond = 2000;  // steps of a tail that are gone through
constexpr double kEndsGivenAway = 0.01;

// The least width found with at most `spare` of the noise outside -width … width.
std::optional<int64_t> width_within(const NoiseBounds& noise, double spare) {
  const int64_t reach = noise.reach();
  const Interval one(Integer(1), kHockeyBits);
  const Interval tails =
      (noise.weights.front() + noise.weights.back()) * noise.tail / (one - noise.tail) / noise.total;
  auto enough = [&](const Interval& outside) { return outside.upper() <= spare; };
  for (int64_t beyond = 1; !enough(tails); ++beyond) {
    if (beyond > kMostBeyond) return std::nullopt;
    if (enough(tails * pow(noise.tail, static_cast<uint64_t>(beyond)))) return reach + beyond;
  }
  Interval outside = tails;
  for (int64_t z = reach; z > 0; --z) {
    const Interval &left = noise.weights[static_cast<size_t>(reach - z)],
                   &right = noise.weights[static_cast<size_t>(reach + z)];
    outside += (left + right) / noise.total;
    if (!enough(outside)) return z;
  }
  return 0;
}

void add_row(RowBounds& rows, const std::vector<Interval>& masses) {
  rows.high.emplace_back();
  rows.low.emplace_back();
  for (const Interval& mass : masses) {
    rows.high.back().push_back(mass.upper());
    rows.low.back().push_back(std::max(0.0, mass.lower()));
  }
}

Interval noise_mass(const NoiseBounds& noise, int64_t z) {
  const int64_t reach = noise.reach(), beyond = std::llabs(z) - reach;
  if (beyond <= 0) return noise.weights[static_cast<size_t>(z + reach)] / noise.total;
  return (z < 0 ? noise.weights.front() : noise.weights.back()) *
         pow(noise.tail, static_cast<uint64_t>(beyond)) / noise.total;
}

// Releases of one and the same mechanism.
struct Group {
  const Mechanism* of;
  size_t number;
};

class HockeyMaker {
 public:
  HockeyMaker(const Scenario& scenario, const std::vector<const Mechanism*>& releases, const Rational& finest)
      : scenario_(scenario),
        releases_(releases),
        pairs_(scenario.pairs.list(scenario.secrets.size())),
        spare_(kEndsGivenAway * std::min(1.0, round_down(finest)) / static_cast<double>(releases.size())) {}

  std::optional<JointHockey> make() {
    if (scenario_.confidence) return std::nullopt;
    for (const Mechanism* release : releases_) {
      const auto same =
          std::find_if(groups_.begin(), groups_.end(), [&](const Group& one) { return *one.of == *release; });
      if (same == groups_.end()) {
        groups_.push_back({release, 1});
      } else {
        ++same->number;
      }
    }
    std::vector<JointOutputs> priors;
    for (const Prior& prior : scenario_.priors) {
      auto outputs = outputs_of(prior);
      if (!outputs) return std::nullopt;
      priors.push_back(std::move(*outputs));
    }
    double outside = 0;
    {
      const Rounding up(Toward::kUp);
      for (const Mechanism* release : releases_)
        if (std::holds_alternative<Noise>(*release)) outside = rounded_sum(outside, spare_);
    }
    return JointHockey(std::move(priors), pairs_, outside, scenario_.blur());
  }

 private:
  std::optional<JointOutputs> outputs_of(const Prior& prior) {
    const auto atoms = union_support(prior.by_secret);
    const auto secrets = static_cast<double>(prior.by_secret.size());
    const auto pairs = static_cast<double>(pairs_.size());
    std::vector<OutputRows> high, low;
    std::vector<bool> same_as_next;
    double joint = static_cast<double>(scenario_.priors.size());
    for (const Group& group : groups_) {
      size_t apart = group.number;
      auto rows = rows_of(group, atoms, apart);
      if (!rows) return std::nullopt;
      for (size_t k = 0; k < apart; ++k) {
        joint *= static_cast<double>(rows->high.size() + k) / static_cast<double>(k + 1);
        if (joint * std::max(secrets, pairs) > kMostJointOutputs ||
            joint * secrets * static_cast<double>(atoms.size()) > kMostJointProducts)
          return std::nullopt;
        high.push_back(rows->high);
        low.push_back(rows->low);
        same_as_next.push_back(k + 1 < apart);
      }
    }
    std::vector<std::vector<double>> most, least;
    for (const Distribution& given : prior.by_secret) {
      most.emplace_back(atoms.size(), 0.0);
      least.emplace_back(atoms.size(), 0.0);
      for (size_t k = 0; k < given.size(); ++k) {
        const auto x = std::lower_bound(atoms.begin(), atoms.end(), given.atoms()[k]) - atoms.begin();
        most.back()[static_cast<size_t>(x)] = round_up(given.mass(k));
        least.back()[static_cast<size_t>(x)] = round_down(given.mass(k));
      }
    }
    JointOutputs outputs;
    {
      const Rounding up(Toward::kUp);
      outputs.high = joint_output_masses(high, same_as_next, most);
    }
    const Rounding down(Toward::kDown);
    outputs.low = joint_output_masses(low, same_as_next, least);
    return outputs;
  }

  // `apart` becomes 1 where the rows are those of a sum of the group's outputs.
  std::optional<RowBounds> rows_of(const Group& group, const std::vector<int64_t>& atoms,
                                   size_t& apart) const {
    const MechanismBounds bounds = bounds_of(*group.of, kHockeyBits);
    RowBounds rows;
    std::vector<Interval> masses;
    if (const ChannelBounds* channel = std::get_if<ChannelBounds>(&bounds)) {
      for (size_t y = 0; y < channel->outputs.size(); ++y) {
        masses.clear();
        for (int64_t x : atoms) {
          const auto* row = row_of(*channel, x);
          if (!row) return std::nullopt;
          masses.push_back((*row)[y]);
        }
        add_row(rows, masses);
      }
      return rows;
    }
    const auto& noise = std::get<NoiseBounds>(bounds);
    const auto width = width_within(noise, spare_);
    if (!width || static_cast<double>(atoms.back() - atoms.front() + 2 * *width) > kMostJointOutputs)
      return std::nullopt;
    if (group.number > 1) {
      const Noise& one = std::get<Noise>(*group.of);
      auto sum = gaussian_sum_rows(one, scenario_.lattice, atoms, *width, group.number);
      if (sum) {
        apart = 1;
        return sum;
      }
    }
    for (int64_t y = atoms.front() - *width; y <= atoms.back() + *width; ++y) {
      masses.clear();
      for (int64_t x : atoms) masses.push_back(noise_mass(noise, y - x));
      add_row(rows, masses);
    }
    return rows;
  }

  const Scenario& scenario_;
  const std::vector<const Mechanism*>& releases_;
  std::vector<SecretPair> pairs_;
  double spare_;
  std::vector<Group> groups_;
};

}  // namespace

std::optional<JointHockey> joint_hockey(const Scenario& scenario,
                                        const std::vector<const Mechanism*>& releases,
                                        const Rational& finest) {
  return HockeyMaker(scenario, releases, finest).make();
}

double JointHockey::at(const Rational& epsilon) const {
  const Interval growth = exp(Interval(epsilon, kHockeyBits));
  // As for the cells of the transport plan.
  const double blurred =
      (Interval(blur_, kHockeyBits) * (Interval(Integer(1), kHockeyBits) + growth)).upper();
  const double minus_growth = -growth.lower();
  const Rounding up(Toward::kUp);
  double most = 0;
  for (const JointOutputs& prior : priors_) {
    for (auto [a, b] : pairs_) {
      most = std::max(most, excess(prior.high[a], prior.low[b], 0, minus_growth));
      most = std::max(most, excess(prior.high[b], prior.low[a], 0, minus_growth));
    }
  }
  return rounded_sum(rounded_sum(most, outside_), blurred);
}

}  // namespace fugu::inline in_compose
