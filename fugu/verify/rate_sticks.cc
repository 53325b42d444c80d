#include "fugu/verify/rate_sticks.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "fugu/core/interval.h"
#include "fugu/verify/rate_rounded.h"
#include "fugu/verify/rounding.h"
#include "fugu/verify/sum_rounded.h"

namespace fugu::inline in_verify {
namespace {

constexpr double kMostProducts = 3e9;
constexpr uint64_t kMostBlocks = 256, kFewBlocks = 32;
constexpr double kNarrow = 600;  // cells up to which there are most blocks

// About how many cells the law of the sum has, once what is negligible is not seen.
double about_width(const RateModel& model) {
  const auto rows = static_cast<double>(model.rows), span = static_cast<double>(model.steps_per_row());
  return std::min(rows * span + 1, 12 * span * std::sqrt(rows) + span + 24);
}

struct Block {
  uint64_t low, high, change;
};

// The first change that has to be looked at.
uint64_t first_change(const RateModel& model) { return is_ordered(model) ? model.within : 1; }

std::vector<Block> blocks_of(const RateModel& model) {
  const uint64_t most = about_width(model) <= kNarrow ? kMostBlocks : kFewBlocks;
  std::vector<Block> blocks;
  for (uint64_t change = first_change(model); change <= model.within; ++change) {
    const uint64_t tables = model.rows - change + 1, size = (tables + most - 1) / most;
    for (uint64_t low = 0; low < tables; low += size)
      blocks.push_back({low, std::min(low + size, tables) - 1, change});
  }
  return blocks;
}

LawBounds row_law(const RateModel& model, size_t secret) {
  return bounds_of_user({model.laws[secret], model.values, 1});
}

LawBounds sum_of_rows(LawBounds row, uint64_t rows, double negligible) {
  LawBounds result;
  for (;; rows /= 2) {
    if (rows % 2 == 1) result = sum_of(std::move(result), row, negligible);
    if (rows <= 1) return result;
    row = sum_of(row, row, negligible);
  }
}

// The noise's ratio r, its mass at 0, and r / (1 - r): how much lies beyond the window for what lies at its
// end.
struct LaplaceBounds {
  explicit LaplaceBounds(const Noise& noise) {
    const Rational r = noise.tail.value();
    auto bounds = [](const Rational& value) {
      const Interval around(value, 128);
      return std::pair(around.lower(), around.upper());
    };
    ratio = bounds(r);
    norm = bounds(Rational((1 - r) / (1 + r)));
    beyond = bounds(Rational(r / (1 - r))).second;
  }
  std::pair<double, double> ratio, norm;
  double beyond;
};

// A bound of both hockey-sticks between two laws, with the noise.
double largest_stick(const LawBounds& a, const LawBounds& b, const LaplaceBounds& noise, double growth) {
  const int64_t first = std::min(a.first, b.first);
  auto end = [](const LawBounds& law) { return law.first + static_cast<int64_t>(law.high.size()); };
  const auto width = static_cast<size_t>(std::max(end(a), end(b)) - first);
  auto spread = [&](const LawBounds& law, const std::vector<double>& cells, double ratio, double norm) {
    return with_laplace(cells, static_cast<size_t>(law.first - first), width, ratio, norm);
  };
  std::vector<double> low[2], high[2];
  {
    const Rounding down(Toward::kDown);
    low[0] = spread(a, a.low, noise.ratio.first, noise.norm.first);
    low[1] = spread(b, b.low, noise.ratio.first, noise.norm.first);
  }
  const Rounding up(Toward::kUp);
  high[0] = spread(a, a.high, noise.ratio.second, noise.norm.second);
  high[1] = spread(b, b.high, noise.ratio.second, noise.norm.second);
  double largest = 0;
  for (size_t k = 0; k < 2; ++k) {
    const std::span<const double> over(high[k]), under(low[1 - k]);
    double sum = rounded_sum(excess(over, under, 0, -growth), k == 0 ? a.unseen : b.unseen);
    for (size_t end_at : {size_t{0}, width - 1}) {
      const double at_end = excess(over.subspan(end_at, 1), under.subspan(end_at, 1), 0, -growth);
      sum = rounded_sum(sum, rounded_product(at_end, noise.beyond));
    }
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace

bool RateSticks::are_few(const RateModel& model) {
  const double width = about_width(model);
  const double changes = static_cast<double>(model.within - first_change(model) + 1);
  const double blocks = std::min(static_cast<double>(model.rows), width <= kNarrow ? 256.0 : 32.0);
  return width * width * blocks * changes <= kMostProducts;
}

RateSticks::RateSticks(const RateModel& model, const Budget& budget, const Progress& progress)
    : growth_(exp(Interval(budget.epsilon.value(), 128)).lower()) {
  const double negligible = std::max(
      0x1p-900, static_cast<double>(budget.delta.value()) * 0x1p-52 / static_cast<double>(model.rows));
  const std::vector<Block> blocks = blocks_of(model);
  const LawBounds none = row_law(model, 0), all = row_law(model, 1);
  sticks_.resize(blocks.size());
  report(progress, 0.1, "laws of the sum");
  tbb::parallel_for(size_t{0}, blocks.size(), [&](size_t k) {
    const auto& [low, high, change] = blocks[k];
    const LawBounds common = sum_of(sum_of_rows(all, low, negligible),
                                    sum_of_rows(none, model.rows - change - high, negligible), negligible);
    sticks_[k] = {{low, low + change},
                  sum_of(common, sum_of_rows(none, change, negligible), negligible),
                  sum_of(common, sum_of_rows(all, change, negligible), negligible)};
  });
}

RatePeak RateSticks::peak(const Noise& noise) const {
  const LaplaceBounds laplace(noise);
  std::vector<double> uppers(sticks_.size());
  tbb::parallel_for(size_t{0}, sticks_.size(), [&](size_t k) {
    uppers[k] = largest_stick(sticks_[k].without, sticks_[k].with, laplace, growth_);
  });
  RatePeak peak{-1, {0, 1}};
  for (size_t k = 0; k < uppers.size(); ++k)
    if (uppers[k] > peak.upper) peak = {uppers[k], sticks_[k].pair};
  return peak;
}

}  // namespace fugu::inline in_verify
