#include "fugu/verify/transfer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "fugu/core/error.h"
#include "fugu/verify/chain_bounds.h"
#include "fugu/verify/long_double_bounds.h"
#include "fugu/verify/transfer_rounded.h"

namespace fugu::inline in_verify {
namespace {

struct RealBounds {
  Reals low, high;
};

RealBounds real_bounds(const std::vector<Rational>& values) {
  RealBounds bounds;
  for (const Rational& value : values) {
    bounds.low.push_back(rounded(value, Toward::kDown));
    bounds.high.push_back(rounded(value, Toward::kUp));
  }
  return bounds;
}

std::vector<Rational> flat(const std::vector<std::vector<Rational>>& matrix) {
  std::vector<Rational> values;
  for (const auto& row : matrix) values.insert(values.end(), row.begin(), row.end());
  return values;
}

RealBounds bounds_after(const RealBounds& law, const RealBounds& matrix) {
  RealBounds next;
  {
    const Rounding down(Toward::kDown);
    next.low = law_after(law.low, matrix.low);
  }
  const Rounding up(Toward::kUp);
  next.high = law_after(law.high, matrix.high);
  return next;
}

RealBounds bounds_back(const RealBounds& before, const RealBounds& matrix, const RealBounds& after) {
  RealBounds back;
  {
    const Rounding down(Toward::kDown);
    back.low = step_back(before.low, matrix.low, after.high);
  }
  const Rounding up(Toward::kUp);
  back.high = step_back(before.high, matrix.high, after.low);
  return back;
}

enum class SideOfTime { kBefore, kAfter };

// What one side of a time tells of its state, as factors for each pair of states, from step to step: the
// lesser of what a step passes on and of what a quilt's state on that side proves (of two states none proves
// less).
class Passage {
 public:
  Passage(const Reals& odds, PowerRatios& powers, SideOfTime side, uint64_t length)
      : odds_(odds),
        table_(odds.size(), 1),
        best_(odds.size(), kUnknown),
        powers_(powers),
        side_(side),
        length_(length) {
    constexpr double kMostWork = 1e9, kMostNumbers = 1e7;  // some seconds, and 16 bytes each
    const auto n = static_cast<double>(odds.size());
    most_steps_ = static_cast<uint64_t>(std::min(kMostWork / (n * n), kMostNumbers / n));
    for (const long double one : odds) farthest_ = std::max(farthest_, one);
  }

  // [u * states + v], or one number for all pairs.
  const Reals& table() const { return table_; }

  // Through steps that lie between these bounds, to a time whose state has these odds (section 12: of the
  // times before; none of those after).
  void step(const RealBounds& steps, const Reals& law) {
    if (taken_++ < most_steps_) {
      const Rounding up(Toward::kUp);
      table_ = passed_on(steps.low, steps.high, times(odds_, table_), table_);
    } else {
      // The next state may be any: for so many states and times that more would take too long.
      const Rounding up(Toward::kUp);
      table_ = times({largest()}, farthest_);
    }
    if (powers_.states() > 2) look_at_quilts(law);
  }

  // Whether a table a trifle above this one, or above where these seem to go, bounds all that follow because
  // such a step does not raise it; it then takes the place of this one. Looks at every 16th step only.
  bool settles(const RealBounds& steps, const Reals& law) {
    if (taken_ % kStride != 0 || taken_ > most_steps_) return false;
    const long double trifle = taken_ < 256 ? 1e-12L : 1e-9L;  // what settles slowly takes long
    if (bounds_all(times(table_, 1 + trifle), steps, law)) return true;
    const std::optional<Reals> limit = seeming_limit();
    before_that_ = std::exchange(earlier_, table_);
    return limit && bounds_all(times(*limit, 1 + trifle), steps, law);
  }

 private:
  static constexpr long double kUnknown = std::numeric_limits<long double>::infinity();

  static constexpr uint64_t kStride = 16;

  long double largest() const { return *std::max_element(table_.begin(), table_.end()); }

  // Any table that a step does not raise bounds what follows all tables below it.
  bool bounds_all(Reals larger, const RealBounds& steps, const Reals& law) {
    const Rounding up(Toward::kUp);
    for (size_t n = powers_.states(), x = 0; x < n; ++x) larger[x * n + x] = 1;
    const Reals next = limited(passed_on(steps.low, steps.high, times(odds_, larger), larger), best_, law);
    for (size_t k = 0; k < next.size(); ++k)
      if (!(next[k] <= larger[k]) || !(table_[k] <= larger[k])) return false;
    table_ = std::move(larger);
    return true;
  }

  // Where the tables go if they go on as in the last strides, in one proportion from stride to stride: only a
  // guess, and only where half of the times are enough to come there.
  std::optional<Reals> seeming_limit() const {
    if (before_that_.empty()) return std::nullopt;
    long double last = 0, one_before = 0, most = 0;
    for (size_t k = 0; k < table_.size(); ++k) {
      const long double step = std::log(table_[k] / earlier_[k]);
      if (!std::isfinite(step)) return std::nullopt;
      most = std::max(most, step);
      last += step;
      one_before += std::log(earlier_[k] / before_that_[k]);
    }
    const long double rate = last / one_before;
    if (!(rate > 0 && rate < 1)) return std::nullopt;
    const long double sum = rate / (1 - rate);
    const auto strides =
        static_cast<long double>(length_ / 2) / kStride - static_cast<long double>(taken_) / kStride;
    if (!(most * sum * std::pow(rate, strides) <= 1e-9L)) return std::nullopt;
    Reals limit(table_.size());
    for (size_t k = 0; k < table_.size(); ++k)
      limit[k] = table_[k] * std::exp(sum * std::log(table_[k] / earlier_[k]));
    return limit;
  }

  // The state `looked_at_` steps away: its influence, and the cost of the states between.
  void look_at_quilts(const Reals& law) {
    while (looked_at_ < taken_ && looked_at_ < powers_.farthest() && between_ < largest()) {
      ++looked_at_;
      const double* const ratios =
          side_ == SideOfTime::kBefore ? powers_.before(looked_at_) : powers_.after(looked_at_);
      const Rounding up(Toward::kUp);
      take_least(ratios, between_, best_);
      between_ = times({between_}, farthest_).front();
    }
    const Rounding up(Toward::kUp);
    table_ = limited(table_, best_, law);
  }

  Reals odds_, table_, best_;
  Reals earlier_ = {}, before_that_ = {};  // the tables one and two strides ago
  PowerRatios& powers_;
  SideOfTime side_;
  uint64_t length_;
  long double farthest_ = 1, between_ = 1;
  uint64_t taken_ = 0, most_steps_ = 0, looked_at_ = 0;
};

// The law of the state from time to time, and that of the state before it.
class LawsBefore {
 public:
  LawsBefore(const MarkovChain& chain, const RealBounds& matrix)
      : matrix_(matrix), law_(real_bounds(start_law(chain))) {
    try {
      still_ = real_bounds(chain.start ? stationary_law(chain.transition, "chain") : start_law(chain));
    } catch (const Error&) {
      return;  // no law to settle to
    }
    if (!chain.start) settle(1);
  }

  std::vector<size_t> possible() const {
    std::vector<size_t> states;
    for (size_t x = 0; x < law_.high.size(); ++x)
      if (law_.high[x] > 0) states.push_back(x);
    return states;
  }
  // The step back from this time; where it is settled, that of all times that follow, too.
  const RealBounds& back() const { return back_; }
  // [u * states + v]: P(v) / P(u).
  Reals odds() const {
    const Rounding up(Toward::kUp);
    return odds_between(law_.low, law_.high);
  }
  bool settled() const { return settled_; }

  void step() {
    if (settled_) return;
    if (close_ > 0) return settle(close_);
    RealBounds next = bounds_after(law_, matrix_);
    back_ = bounds_back(law_, matrix_, next);
    law_ = std::move(next);
    compare();
  }

 private:
  // How far the law is from the stationary one, when that is not far.
  void compare() {
    constexpr long double kClose = 1 + 1e-12L;
    if (still_.low.empty()) return;
    for (size_t x = 0; x < law_.high.size(); ++x)
      if ((law_.high[x] > 0) != (still_.high[x] > 0)) return;
    const Rounding up(Toward::kUp);
    const long double apart =
        times({farthest_share(law_.high, still_.low)}, farthest_share(still_.high, law_.low)).front();
    if (apart <= kClose) close_ = apart;
  }

  // A law between low and high times the stationary one stays there (docs/math.md, section 12): up to a
  // factor, the law of every time that follows is between the stationary one and `apart` times that.
  void settle(long double apart) {
    settled_ = true;
    law_ = still_;
    {
      const Rounding up(Toward::kUp);
      law_.high = times(still_.high, apart);
    }
    back_ = bounds_back(law_, matrix_, law_);
  }

  RealBounds matrix_, law_, still_, back_;
  long double close_ = 0;
  bool settled_ = false;
};

// The tables after 0, 1, 2, … steps to the right; the last is that of all further steps.
std::vector<Reals> right_tables(const Reals& odds, const RealBounds& matrix, PowerRatios& powers,
                                uint64_t length, const Progress& progress) {
  Passage right(odds, powers, SideOfTime::kAfter, length);
  std::vector<Reals> tables{right.table()};
  for (bool still = false; !still && tables.size() < length; tables.push_back(right.table())) {
    if (tables.size() % 1024 == 0) report(progress, 0.5, "what states pass on");
    right.step(matrix, {});
    still = right.settles(matrix, {});
  }
  return tables;
}

struct FarthestPair {
  PairGrowth found;
  ChainPlace place{0, 1, {0, 1}};
  long double at_named = 1;
};

// Two states of a time whose outputs tell them apart for certain, early on: nothing is farther.
std::optional<ChainPlace> told_apart(const ChainModel& model, size_t number, const Reals& odds,
                                     LawsBefore laws) {
  const size_t n = model.states.size();
  for (uint64_t time = 1; time <= std::min<uint64_t>(model.length, n); ++time, laws.step()) {
    const std::vector<size_t> possible = laws.possible();
    for (const size_t u : possible) {
      for (const size_t v : possible)
        if (u != v && std::isinf(odds[u * n + v])) return ChainPlace{number, time, {u, v}};
    }
  }
  return std::nullopt;
}

void weigh(const ChainModel& model, size_t number, const Reals& odds, const std::optional<ChainPlace>& named,
           FarthestPair& farthest, const Progress& progress) {
  const MarkovChain& chain = model.chains[number];
  const RealBounds matrix = real_bounds(flat(chain.transition));
  LawsBefore laws(chain, matrix);
  if (const auto place = told_apart(model, number, odds, laws)) {
    const long double infinite = std::numeric_limits<long double>::infinity();
    farthest = {{infinite, place->states.first, place->states.second}, *place, infinite};
    return;
  }
  PowerRatios powers(chain);
  const std::vector<Reals> right = right_tables(odds, matrix, powers, model.length, progress);
  const uint64_t last = right.size() - 1;
  Passage left(odds, powers, SideOfTime::kBefore, model.length);
  bool still = false;
  for (uint64_t time = 1; time <= model.length; ++time) {
    if (time % 1024 == 0) report(progress, 0.5, "what states pass on");
    if (time > 1 && !still) {
      laws.step();
      const Reals law = laws.odds();
      left.step(laws.back(), law);
      still = laws.settled() && left.settles(laws.back(), law);
    }
    // From here to `end` nothing changes on either side.
    const uint64_t end = still && model.length - time > last ? model.length - last : time;
    const Rounding up(Toward::kUp);
    const Reals& after = right[std::min(model.length - time, last)];
    const PairGrowth here = farthest_pair(odds, left.table(), after, laws.possible());
    if (here.growth > farthest.found.growth) {
      farthest.found = here;
      farthest.place = {number, time, {here.u, here.v}};
    }
    if (named && named->chain == number && named->time >= time && named->time <= end) {
      const std::vector<size_t> pair{named->states.first, named->states.second};
      farthest.at_named = farthest_pair(odds, left.table(), after, pair).growth;
    }
    time = end;
  }
}

}  // namespace

std::vector<Rational> odds_of_change(const ChainModel& model, const Rational& tail_ratio) {
  Rational factor(tail_ratio == 0 ? 0 : 1);
  for (int64_t step = 0; step < model.steps_per_node() && tail_ratio != 0; ++step) factor /= tail_ratio;
  const size_t n = model.states.size();
  std::vector<Rational> odds(n * n, Rational(1));
  for (size_t u = 0; u < n; ++u) {
    for (size_t v = 0; v < n; ++v) {
      const bool moves = !model.counted || u == *model.counted || v == *model.counted;
      if (u != v && moves) odds[u * n + v] = factor;
    }
  }
  return odds;
}

TransferLoss transfer_loss(const ChainModel& model, const std::vector<Rational>& odds,
                           const std::optional<ChainPlace>& named, const Progress& progress) {
  Reals factors = real_bounds(odds).high;
  for (long double& factor : factors)
    if (factor == 0) factor = std::numeric_limits<long double>::infinity();
  FarthestPair farthest;
  for (size_t k = 0; k < model.chains.size(); ++k) weigh(model, k, factors, named, farthest, progress);
  return {log_up(farthest.found.growth), farthest.place, log_up(farthest.at_named)};
}

}  // namespace fugu::inline in_verify
