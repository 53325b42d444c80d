#include "fugu/compose/joint_loss.h"

#include <algorithm>

#include "fugu/proof/kernel.h"

namespace fugu::inline in_compose {
namespace {

constexpr double kMostProducts = 6e7;  // products of intervals: some six seconds
constexpr double kMostForMany = 1e6;   // the same for more than three releases, where the grid soon explodes
constexpr double kMostTable = 5e5;     // intervals held for one release

using Row = std::vector<Interval>;

// One release, as seen from the atoms of a prior: P(y|x) up to a factor that y and x do not change.
struct ReleaseAxis {
  size_t outputs = 0;
  std::vector<Row> given = {};   // given[y][x], or
  std::optional<Row> gaps = {};  // for Laplace noise, whose outputs are the atoms: ratio^gap between them

  // The row of one output, in `room` where it has to be made.
  const Row& row(size_t y, Row& room) const {
    if (!gaps) return given[y];
    room[y] = Interval(Integer(1), room[y].precision());
    for (size_t x = y; x + 1 < room.size(); ++x) (room[x + 1] = room[x]) *= (*gaps)[x];
    for (size_t x = y; x > 0; --x) (room[x - 1] = room[x]) *= (*gaps)[x - 1];
    return room;
  }
};

// Laplace noise, or none.
ReleaseAxis laplace_axis(const std::vector<int64_t>& atoms, const NoiseBounds& noise) {
  ReleaseAxis axis{.outputs = atoms.size()};
  axis.gaps.emplace();
  for (size_t k = 0; k + 1 < atoms.size(); ++k)
    axis.gaps->push_back(pow(noise.tail, static_cast<uint64_t>(atoms[k + 1] - atoms[k])));
  return axis;
}

// Any noise with a table: the outputs within its reach of an atom.
ReleaseAxis noise_axis(const std::vector<int64_t>& atoms, const MechanismBounds& bounds) {
  const auto masses = column_kernel(atoms, bounds);
  ReleaseAxis axis{.outputs = masses->outputs().size()};
  axis.given.resize(axis.outputs);
  for (int64_t x : atoms) {
    Row at = masses->of(Distribution::from_counts({x}, {1}), false).at;
    for (size_t y = 0; y < at.size(); ++y) axis.given[y].push_back(std::move(at[y]));
  }
  return axis;
}

// How many outputs the release has here; 0 when a channel lacks a row.
double outputs_of(const std::vector<int64_t>& atoms, const Mechanism& mechanism) {
  if (const Channel* channel = std::get_if<Channel>(&mechanism)) {
    const bool whole =
        std::includes(channel->inputs.begin(), channel->inputs.end(), atoms.begin(), atoms.end());
    return whole ? static_cast<double>(channel->outputs.size()) : 0;
  }
  // Within the reach of a value; what several values reach is one output.
  const int64_t reach = std::get<Noise>(mechanism).reach();
  double count = 0;
  int64_t next = atoms.front() - reach;
  for (int64_t atom : atoms) {
    next = std::max(next, atom - reach);
    count += static_cast<double>(atom + reach - next + 1);
    next = atom + reach + 1;
  }
  return count;
}

bool is_laplace(const Mechanism& mechanism) {
  const Noise* noise = std::get_if<Noise>(&mechanism);
  return noise && noise->reach() == 0;
}

class Grid {
 public:
  Grid(const Prior& prior, const PairSet& pairs, std::vector<ReleaseAxis> axes,
       const std::vector<int64_t>& atoms, Interval& worst)
      : pairs_(pairs),
        list_(pairs.is_all() ? std::vector<SecretPair>{} : pairs.list(prior.by_secret.size())),
        axes_(std::move(axes)),
        bits_(worst.precision()),
        worst_(worst) {
    for (const Distribution& given : prior.by_secret) {
      Row& row = weights_.emplace_back(atoms.size(), Interval(bits_));
      for (size_t k = 0, x = 0; k < given.size(); ++k, ++x) {
        while (atoms[x] != given.atoms()[k]) ++x;
        row[x] = Interval(given.mass(k), bits_);
        if (given.blur() != 0) row[x] *= blur_factor(given, bits_);
      }
    }
  }

  // False as soon as the loss is infinite.
  bool look() { return look(0, weights_); }

 private:
  // `weights` are those of every secret's atoms after the outputs of the first `depth` releases.
  bool look(size_t depth, const std::vector<Row>& weights) {
    const ReleaseAxis& axis = axes_[depth];
    if (depth + 1 == axes_.size()) return look_last(axis, weights);
    std::vector<Row> next = weights;
    Row room(weights[0].size(), zero_);
    for (size_t y = 0; y < axis.outputs; ++y) {
      const Row& given = axis.row(y, room);
      for (size_t s = 0; s < weights.size(); ++s) {
        for (size_t x = 0; x < given.size(); ++x) {
          next[s][x] = weights[s][x];
          next[s][x] *= given[x];
        }
      }
      if (!look(depth + 1, next)) return false;
    }
    return true;
  }

  bool look_last(const ReleaseAxis& axis, const std::vector<Row>& weights) {
    masses_.resize(weights.size());
    for (size_t s = 0; s < weights.size(); ++s) sum_up(axis, weights[s], masses_[s]);
    for (size_t y = 0; y < axis.outputs; ++y) {
      if (!(pairs_.is_all() ? weigh_all(y) : weigh_list(y))) return false;
    }
    return true;
  }

  // Sum over x of given[y][x] weights[x] for every y. For Laplace noise in one pass from each side.
  void sum_up(const ReleaseAxis& axis, const Row& weights, Row& sums) {
    sums.resize(axis.outputs, zero_);
    if (!axis.gaps) {
      for (size_t y = 0; y < axis.outputs; ++y) {
        sums[y] = zero_;
        for (size_t x = 0; x < weights.size(); ++x) {
          carried_ = axis.given[y][x];
          sums[y] += carried_ *= weights[x];
        }
      }
      return;
    }
    carried_ = zero_;
    for (size_t x = 0; x < weights.size(); ++x) {
      if (x > 0) carried_ *= (*axis.gaps)[x - 1];
      sums[x] = carried_ += weights[x];
    }
    carried_ = zero_;
    for (size_t x = weights.size() - 1; x-- > 0;) {
      carried_ += weights[x + 1];
      sums[x] += carried_ *= (*axis.gaps)[x];
    }
  }

  bool weigh_all(size_t y) {
    size_t high = 0, low = 0;
    for (size_t s = 1; s < masses_.size(); ++s) {
      if (upper_less(masses_[high][y], masses_[s][y])) high = s;
      if (lower_less(masses_[s][y], masses_[low][y])) low = s;
    }
    return weigh(masses_[high][y], masses_[low][y]);
  }

  bool weigh_list(size_t y) {
    return std::all_of(list_.begin(), list_.end(), [&](const SecretPair& pair) {
      const Interval &a = masses_[pair.first][y], &b = masses_[pair.second][y];
      return weigh(a, b) && weigh(b, a);
    });
  }

  bool weigh(const Interval& high, const Interval& low) {
    if (high.is_zero()) return true;
    if (!low.certainly_positive()) return false;
    carried_ = high;
    carried_ /= low;
    if (upper_less(worst_, carried_)) worst_ = carried_;
    return true;
  }

  const PairSet& pairs_;
  std::vector<SecretPair> list_;
  std::vector<ReleaseAxis> axes_;
  std::vector<Row> weights_;
  Bits bits_;
  Interval& worst_;
  const Interval zero_{bits_};
  // Kept from call to call: making intervals takes longer than multiplying them.
  std::vector<Row> masses_;
  Interval carried_{bits_};
};

}  // namespace

std::optional<Interval> joint_loss(const Scenario& scenario, const std::vector<const Mechanism*>& releases,
                                   Bits precision) {
  // The last release is summed fastest when it is Laplace, so one of those goes last.
  std::vector<const Mechanism*> order = releases;
  std::stable_partition(order.begin(), order.end(), [](const Mechanism* one) { return !is_laplace(*one); });
  Interval worst(Integer(1), precision);
  for (const Prior& prior : scenario.priors) {
    const auto atoms = union_support(prior.by_secret);
    const auto width = static_cast<double>(atoms.size());
    double work = static_cast<double>(prior.by_secret.size()) * (is_laplace(*order.back()) ? 3 : width);
    for (const Mechanism* release : order) {
      const double outputs = outputs_of(atoms, *release);
      if (outputs == 0 || (!is_laplace(*release) && outputs * width > kMostTable)) return std::nullopt;
      work *= outputs;
    }
    if (!scenario.pairs.is_all()) work *= 1 + static_cast<double>(scenario.pair_count()) / width;
    if (work > (releases.size() > 3 ? kMostForMany : kMostProducts)) return std::nullopt;
    std::vector<ReleaseAxis> axes;
    for (const Mechanism* release : order) {
      const MechanismBounds bounds = bounds_of(*release, precision);
      axes.push_back(is_laplace(*release) ? laplace_axis(atoms, std::get<NoiseBounds>(bounds))
                                          : noise_axis(atoms, bounds));
    }
    if (!Grid(prior, scenario.pairs, std::move(axes), atoms, worst).look()) return std::nullopt;
  }
  return log(worst);
}

std::optional<Interval> raw_loss(const Scenario& scenario, Bits precision) {
  Interval worst(Integer(1), precision);
  for (const Prior& prior : scenario.priors) {
    const auto atoms = union_support(prior.by_secret);
    // Laplace noise of ratio 0: each atom becomes itself.
    ReleaseAxis axis{.outputs = atoms.size()};
    axis.gaps = Row(atoms.size() - 1, Interval(precision));
    if (!Grid(prior, scenario.pairs, {std::move(axis)}, atoms, worst).look()) return std::nullopt;
  }
  return log(worst);
}

}  // namespace fugu::inline in_compose
