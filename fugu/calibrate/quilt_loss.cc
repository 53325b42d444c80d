#include "fugu/calibrate/quilt_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fugu/calibrate/influence.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

double up(double value) { return std::nextafter(value, kNoBound); }

double log_up(double ratio) {
  if (std::isinf(ratio)) return kNoBound;
  return std::max(0.0, log(Interval(ratio, ratio, 64)).upper());
}

// near states at `cost`, and the influence.
double loss_of(uint64_t near, double cost, double influence) {
  return up(up(static_cast<double>(near) * cost) + influence);
}

// The search of one chain.
class ChainSearch {
 public:
  ChainSearch(const MarkovChain& chain, uint64_t length)
      : influence_(chain), laws_(chain, length), length_(length) {}

  // Raises `peak` to the largest loss over the times, where that is more.
  void raise(QuiltPeak& peak, double cost, size_t chain, const Progress& progress) {
    peak_ = &peak;
    cost_ = cost;
    chain_ = chain;
    cached_ = nullptr;
    last_ = {};
    if (const auto& settled = laws_.settled()) {
      // In the middle the ends of the sequence help least: the loss found there makes the others quick.
      look(*settled, settled->first + (settled->last - settled->first) / 2);
      for (uint64_t time = settled->first; time <= settled->last; ++time) look(*settled, time);
    }
    laws_.each_unsettled([&](const TimesAlike& times) {
      if (times.first % 1024 == 0)
        report(progress, static_cast<double>(times.first) / static_cast<double>(length_), "quilts");
      cached_ = nullptr;
      look(times, times.first);
    });
  }

 private:
  uint64_t near(const Quilt& quilt) const {
    return (quilt.before ? quilt.before : time_) + (quilt.after ? quilt.after : length_ - time_ + 1) - 1;
  }

  // What the quilt tells of the state: the largest ratio of P(quilt | x) and P(quilt | y).
  double ratio(const Quilt& quilt, std::pair<size_t, size_t>* states = nullptr) {
    if (!quilt.before && !quilt.after) return 1;
    const size_t n = influence_.states();
    const double* after = quilt.after ? influence_.after(quilt.after) : nullptr;
    const double* before = quilt.before ? influence_.before(quilt.before) : nullptr;
    double most = 0;
    for (size_t x = 0; x < n; ++x) {
      if (!(times_->secrets >> x & 1)) continue;
      for (size_t y = 0; y < n; ++y) {
        if (x == y || !(times_->secrets >> y & 1)) continue;
        const size_t at = x * n + y;
        double here = 1;
        if (before) here = times_->odds[at] * before[at] * (1 + 0x1p-50);
        if (after) here *= after[at] * (1 + 0x1p-50);
        if (std::isnan(here)) here = kNoBound;
        if (here > most) {
          most = here;
          if (states) *states = {x, y};
        }
      }
    }
    return most;
  }

  // The last quilt that was asked for, remembered: neighbouring times ask for the same.
  double influence(const Quilt& quilt) {
    if (cached_ != times_ || cached_quilt_ != quilt) {
      cached_ = times_;
      cached_quilt_ = quilt;
      cached_influence_ = log_up(ratio(quilt));
    }
    return cached_influence_;
  }

  void offer(const Quilt& quilt, double influence) {
    const double loss = loss_of(near(quilt), cost_, influence);
    if (loss < best_ || best_ == kNoBound) {
      best_ = loss;
      best_quilt_ = quilt;
    }
  }

  bool good_enough() const { return best_ <= peak_->loss; }

  // The best quilt of a block of them. The influence falls as either state moves away (docs/math.md, section
  // 12), so no quilt of the block is better than its nearest would be with its farthest's influence. What is
  // left out is decided in plain doubles: that may miss the best quilt by a hair, never state a better one.
  // Blocks of long quilts are left out also where they could gain no more than 1e-5.
  void search(const Quilt& nearest, const Quilt& farthest) {
    constexpr uint64_t kLong = 4096;
    if (good_enough()) return;
    const double told = ratio(farthest), least = std::log(told);
    if (static_cast<double>(near(farthest)) * cost_ + least < best_) offer(farthest, log_up(told));
    const double worth = near(nearest) < kLong ? best_ : best_ * (1 - 1e-5);
    if (nearest == farthest || static_cast<double>(near(nearest)) * cost_ + least >= worth) return;
    const uint64_t wide = farthest.before - nearest.before, high = farthest.after - nearest.after;
    Quilt middle = farthest, next = nearest;
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

  // All quilts of this time, the nearest first, until the cost of being near alone is too much.
  void search_all() {
    const uint64_t most_before = std::min(time_ - 1, influence_.farthest()),
                   most_after = std::min(length_ - time_, influence_.farthest());
    uint64_t done_before = 0, done_after = 0;
    for (uint64_t limit = 16; !good_enough(); limit *= 2) {
      const uint64_t before = std::min(limit, most_before), after = std::min(limit, most_after);
      if (before > done_before) {
        search({done_before + 1, 0}, {before, 0});
        if (after > 0) search({done_before + 1, 1}, {before, after});
      }
      if (after > done_after) {
        search({0, done_after + 1}, {0, after});
        if (done_before > 0) search({1, done_after + 1}, {done_before, after});
      }
      done_before = before;
      done_after = after;
      if (before == most_before && after == most_after) break;
      if (loss_of(limit, cost_, 0) >= best_) break;
    }
  }

  void look(const TimesAlike& times, uint64_t time) {
    if (std::popcount(times.secrets) < 2) return;
    times_ = &times;
    time_ = time;
    best_ = kNoBound;
    // The quilt of the time before, as far as the sequence reaches: most often it will do.
    const Quilt usual{last_.before < time ? last_.before : 0,
                      last_.after <= length_ - time ? last_.after : 0};
    offer(usual, influence(usual));
    if (good_enough()) return;
    offer({0, 0}, 0);
    search_all();
    last_ = best_quilt_;
    if (best_ <= peak_->loss) return;
    peak_->loss = best_;
    peak_->chain = chain_;
    peak_->time = time;
    peak_->quilt = best_quilt_;
    peak_->near = near(best_quilt_);
    peak_->influence = log_up(ratio(best_quilt_, &peak_->states));
    if (!best_quilt_.before && !best_quilt_.after) peak_->states = first_two(times.secrets);
  }

  static std::pair<size_t, size_t> first_two(StateSet set) {
    const auto first = static_cast<size_t>(std::countr_zero(set));
    return {first, static_cast<size_t>(std::countr_zero(set & (set - 1)))};
  }

  Influence influence_;
  TimeLaws laws_;
  uint64_t length_;
  Quilt last_{};
  QuiltPeak* peak_ = nullptr;
  double cost_ = 0;
  size_t chain_ = 0;

  // The time that is looked at.
  const TimesAlike* times_ = nullptr;
  uint64_t time_ = 1;
  double best_ = kNoBound;
  Quilt best_quilt_{};

  const TimesAlike* cached_ = nullptr;
  Quilt cached_quilt_{};
  double cached_influence_ = 0;
};

class BestQuilts : public QuiltLoss {
 public:
  BestQuilts(const ChainModel& model, const Progress& progress) : progress_(progress) {
    for (const MarkovChain& chain : model.chains) searches_.emplace_back(chain, model.length);
  }
  QuiltPeak at(double cost) override {
    QuiltPeak peak;
    for (size_t k = 0; k < searches_.size(); ++k) searches_[k].raise(peak, cost, k, progress_);
    return peak;
  }

 private:
  std::vector<ChainSearch> searches_;
  Progress progress_;
};

// A quilt is {a, b} for every time, without the states that the sequence does not have: leaving one out tells
// less. Its influence is at most 2 log R_a + log R_b, whatever the law of the state (docs/math.md, section
// 12).
class OneQuilt : public QuiltLoss {
 public:
  OneQuilt(const ChainModel& model, const Progress&) : length_(model.length) {
    for (const MarkovChain& chain : model.chains) bounds_.emplace_back(chain, model.length);
  }

  QuiltPeak at(double cost) override {
    QuiltPeak peak;
    for (size_t k = 0; k < bounds_.size(); ++k) {
      QuiltPeak here = whole(cost);
      const uint64_t before = best_steps(bounds_[k], cost, 2), after = best_steps(bounds_[k], cost, 1);
      const double influence = up(2 * bounds_[k].after(before) + bounds_[k].after(after));
      const uint64_t near = before + after - 1;
      if (const double loss = loss_of(near, cost, influence); loss < here.loss) {
        here.loss = loss;
        here.quilt = {before, after};
        here.near = near;
        here.influence = influence;
      }
      here.chain = k;
      if (here.loss > peak.loss) peak = here;
    }
    return peak;
  }

 private:
  QuiltPeak whole(double cost) const {
    QuiltPeak peak;
    peak.near = length_;
    peak.loss = loss_of(length_, cost, 0);
    return peak;
  }

  // The steps m of least m * cost + times * log R_m.
  uint64_t best_steps(const InfluenceBound& bound, double cost, double times) const {
    uint64_t best = 1;
    double least = kNoBound;
    for (uint64_t steps = 1; steps <= length_ && static_cast<double>(steps) * cost < least; ++steps) {
      const double here = static_cast<double>(steps) * cost + times * std::log1p(bound.spread(steps));
      if (here < least) {
        least = here;
        best = steps;
      }
    }
    return best;
  }

  uint64_t length_;
  std::vector<InfluenceBound> bounds_;
};

}  // namespace

std::unique_ptr<QuiltLoss> best_quilts(const ChainModel& model, const Progress& progress) {
  return std::make_unique<BestQuilts>(model, progress);
}

std::unique_ptr<QuiltLoss> one_quilt(const ChainModel& model, const Progress& progress) {
  return std::make_unique<OneQuilt>(model, progress);
}

}  // namespace fugu::inline in_calibrate
