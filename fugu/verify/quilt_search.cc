#include "fugu/verify/quilt_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fugu/core/interval.h"
#include "fugu/verify/chain_bounds.h"
#include "fugu/verify/rounding.h"

namespace fugu::inline in_verify {
namespace {

constexpr double kNoEnd = std::numeric_limits<double>::infinity();

double log_up(double ratio) {
  if (std::isinf(ratio)) return kNoEnd;
  return std::max(0.0, log(Interval(ratio, ratio, 64)).upper());
}

double cost_up(uint64_t near, double cost, double influence) {
  const Rounding up(Toward::kUp);
  return rounded_cost(near, cost, influence);
}

// The steps to the state before and to the one after. 0: none on that side; then every time to the end is
// near.
struct Ends {
  uint64_t before = 0, after = 0;
  friend bool operator==(const Ends&, const Ends&) = default;
};

class QuiltSearch {
 public:
  QuiltSearch(const MarkovChain& chain, uint64_t length, double cost)
      : powers_(chain), length_(length), cost_(cost) {}

  // The least loss of a time's quilts, or any that is enough.
  double least_loss(const AlikeTimes& times, uint64_t time, double enough) {
    times_ = &times;
    time_ = time;
    enough_ = enough;
    best_ = kNoEnd;
    // The quilt of the time before, as far as the sequence reaches: most often it will do.
    const Ends usual{last_.before < time ? last_.before : 0, last_.after <= length_ - time ? last_.after : 0};
    offer(usual, usual_influence(usual));
    if (best_ <= enough_) return best_;
    offer({}, 0);
    search_outward();
    last_ = best_ends_;
    return best_;
  }
  // Where the last quilt found tells most.
  LetterPair states() {
    if (best_ends_ == Ends{}) return {times_->secrets[0], times_->secrets[1]};
    const LargestProduct told = ratio(best_ends_);
    return {told.x, told.y};
  }
  // To be called when what was handed to least_loss() is gone.
  void forget_times() { known_for_ = nullptr; }

 private:
  uint64_t near(const Ends& ends) const {
    return (ends.before ? ends.before : time_) + (ends.after ? ends.after : length_ - time_ + 1) - 1;
  }

  // What the quilt tells of the state: the largest ratio of P(quilt | x) and P(quilt | y).
  LargestProduct ratio(const Ends& ends) {
    if (ends == Ends{}) return {1};
    const double* const before = ends.before ? powers_.before(ends.before) : nullptr;
    const double* const after = ends.after ? powers_.after(ends.after) : nullptr;
    const Rounding up(Toward::kUp);
    return largest_product(before ? times_->odds.data() : nullptr, before, after, times_->secrets,
                           powers_.states());
  }

  // Remembered: neighbouring times ask for the same.
  double usual_influence(const Ends& ends) {
    if (known_for_ != times_ || known_ends_ != ends) {
      known_for_ = times_;
      known_ends_ = ends;
      known_influence_ = log_up(ratio(ends).value);
    }
    return known_influence_;
  }

  void offer(const Ends& ends, double influence) {
    const double loss = cost_up(near(ends), cost_, influence);
    if (loss >= best_ && best_ < kNoEnd) return;
    best_ = loss;
    best_ends_ = ends;
  }

  // The quilts between two. None tells less than the farthest, and none has fewer near states than the
  // nearest: by that whole blocks are left out. Those of long quilts also where they would gain less than
  // 1e-5, and not what is wanted.
  void search(const Ends& nearest, const Ends& farthest) {
    constexpr uint64_t kLong = 4096;
    if (best_ <= enough_) return;
    const double told = ratio(farthest).value, least = std::log(told);
    if (static_cast<double>(near(farthest)) * cost_ + least < best_) offer(farthest, log_up(told));
    const double bound = static_cast<double>(near(nearest)) * cost_ + least;
    const bool is_wanted = bound <= enough_ * (1 + 1e-12);
    if (nearest == farthest || bound >= best_ ||
        (near(nearest) >= kLong && !is_wanted && bound >= best_ * (1 - 1e-5)))
      return;
    Ends middle = farthest, next = nearest;
    const uint64_t wide = farthest.before - nearest.before, high = farthest.after - nearest.after;
    if (wide >= high) {
      middle.before = nearest.before + wide / 2;
      next.before = middle.before + 1;
    } else {
      middle.after = nearest.after + high / 2;
      next.after = middle.after + 1;
    }
    search(nearest, middle);
    search(next, farthest);
  }

  // Twice as far each time, until being near alone costs too much: far powers of the matrix are not asked for
  // in vain.
  void search_outward() {
    const uint64_t most_before = std::min(time_ - 1, powers_.farthest()),
                   most_after = std::min(length_ - time_, powers_.farthest());
    Ends done;
    for (uint64_t far = 16; best_ > enough_; far *= 2) {
      const Ends now{std::min(far, most_before), std::min(far, most_after)};
      if (now.before > done.before) {
        search({done.before + 1, 0}, {now.before, 0});
        if (now.after > 0) search({done.before + 1, 1}, now);
      }
      if (now.after > done.after) {
        search({0, done.after + 1}, {0, now.after});
        if (done.before > 0) search({1, done.after + 1}, {done.before, now.after});
      }
      done = now;
      if (now == Ends{most_before, most_after} || static_cast<double>(far) * cost_ >= best_) return;
    }
  }

  PowerRatios powers_;
  uint64_t length_;
  double cost_;
  Ends last_;

  // The time that is looked at.
  const AlikeTimes* times_ = nullptr;
  uint64_t time_ = 1;
  double enough_ = 0, best_ = kNoEnd;
  Ends best_ends_;

  const AlikeTimes* known_for_ = nullptr;
  Ends known_ends_;
  double known_influence_ = 0;
};

void look_at_chain(const ChainModel& model, size_t chain, double cost, const std::optional<ChainPlace>& named,
                   QuiltLossAt& worst, const Progress& progress) {
  QuiltSearch search(model.chains[chain], model.length, cost);
  const StateLaws laws(model.chains[chain], model.length);
  auto look = [&](const AlikeTimes& times, uint64_t time) {
    if (times.secrets.size() < 2) return;
    if (const double loss = search.least_loss(times, time, worst.loss); loss > worst.loss) {
      worst.loss = loss;
      worst.place = {chain, time, search.states()};
    }
    if (!named || named->chain != chain || named->time != time) return;
    auto is_secret = [&](size_t state) {
      return std::find(times.secrets.begin(), times.secrets.end(), state) != times.secrets.end();
    };
    const auto [a, b] = named->states;
    if (a != b && is_secret(a) && is_secret(b)) worst.at_named = search.least_loss(times, time, 0);
  };
  if (const auto& settled = laws.settled()) {
    // In the middle the ends of the sequence help least: the loss found there makes the others quick.
    look(*settled, settled->first + (settled->last - settled->first) / 2);
    for (uint64_t time = settled->first; time <= settled->last; ++time) look(*settled, time);
  }
  laws.each_unsettled([&](const AlikeTimes& times) {
    if (times.first % 1024 == 0)
      report(progress, static_cast<double>(times.first) / static_cast<double>(model.length), "quilts");
    search.forget_times();
    look(times, times.first);
  });
}

// The steps m of least m * cost + weight * log R_m, about.
uint64_t best_steps(const MixingBounds& bounds, uint64_t length, double cost, double weight) {
  uint64_t best = 1;
  double least = kNoEnd;
  for (uint64_t steps = 1; steps <= length && static_cast<double>(steps) * cost < least; ++steps) {
    const double here = static_cast<double>(steps) * cost + weight * std::log1p(bounds.spread_about(steps));
    if (here >= least) continue;
    least = here;
    best = steps;
  }
  return best;
}

// At least weight * log R_m.
double log_ratio(const MixingBounds& bounds, uint64_t steps, int weight) {
  const double spread = bounds.spread(steps);
  if (std::isinf(spread)) return kNoEnd;
  const Interval ratio = Interval(Integer(1), 64) + Interval(spread, spread, 64);
  return (Interval(Integer(weight), 64) * log(ratio)).upper();
}

}  // namespace

QuiltLossAt loss_by_quilts(const ChainModel& model, double cost, double known,
                           const std::optional<ChainPlace>& named, const Progress& progress) {
  QuiltLossAt worst{known, {}, 0};
  for (size_t k = 0; k < model.chains.size(); ++k) look_at_chain(model, k, cost, named, worst, progress);
  return worst;
}

// A quilt is {a, b} for every time, without the states that the sequence does not have: leaving one out tells
// less. Its influence is at most 2 log R_a + log R_b, whatever the law of the state (docs/math.md, section
// 12).
QuiltLossAt loss_by_one_quilt(const ChainModel& model, double cost, const std::optional<ChainPlace>& named) {
  QuiltLossAt worst;
  for (size_t k = 0; k < model.chains.size(); ++k) {
    const MixingBounds bounds(model.chains[k], model.length);
    const uint64_t before = best_steps(bounds, model.length, cost, 2),
                   after = best_steps(bounds, model.length, cost, 1);
    const double told = cost_up(1, log_ratio(bounds, before, 2), log_ratio(bounds, after, 1));
    const double loss = std::min(cost_up(model.length, cost, 0), cost_up(before + after - 1, cost, told));
    if (loss > worst.loss) {
      worst.loss = loss;
      worst.place = {k, 0, {0, 1}};
    }
    if (named && named->chain == k && named->time == 0 && named->states == LetterPair{0, 1})
      worst.at_named = loss;
  }
  return worst;
}

}  // namespace fugu::inline in_verify
