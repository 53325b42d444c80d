#include "fugu/audit/odds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "fugu/core/interval.h"
#include "fugu/law/boxes.h"
#include "fugu/plan/plan.h"

namespace fugu::inline in_audit {
namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min(),
                  kHighest = std::numeric_limits<int64_t>::max();
constexpr double kCaution = 4;  // standard errors by which the choice of an event distrusts its counts

// Ranks events on the draws of the choice; nothing is proved by it.
class Chooser {
 public:
  Chooser(const Outputs& first, const Outputs& second, const Budget& budget, const TestSizes& sizes)
      : first_(static_cast<double>(sizes.first)),
        second_(static_cast<double>(sizes.second)),
        of_first_(first_ / static_cast<double>(first[0].size())),
        of_second_(second_ / static_cast<double>(second[0].size())),
        growth_(std::exp(static_cast<double>(budget.epsilon.value()))),
        delta_(static_cast<double>(budget.delta.value())) {}

  void offer(double first, double second, OutputEvent event) {
    // What the test may be expected to count.
    first *= of_first_;
    second *= of_second_;
    const double least = (first - kCaution * std::sqrt(first + 1)) / first_,
                 most = (second + kCaution * std::sqrt(second + 1) + kCaution) / second_;
    const double score =
        delta_ > 0 ? least - growth_ * most : (least > 0 ? std::log(least / most) : least - 1e3);
    if (score <= best_) return;
    best_ = score;
    event_ = std::move(event);
  }
  OutputEvent event() const { return event_; }
  double score() const { return best_; }

 private:
  double first_, second_, of_first_, of_second_, growth_, delta_;
  double best_ = -std::numeric_limits<double>::infinity();
  OutputEvent event_;
};

// How often each output came, of the first and of the second secret.
using Counts = std::map<int64_t, std::pair<double, double>>;

Counts count(const std::vector<int64_t>& first, const std::vector<int64_t>& second) {
  Counts counts;
  for (int64_t output : first) ++counts[output].first;
  for (int64_t output : second) ++counts[output].second;
  return counts;
}

// Every second output, and the others.
std::pair<std::vector<int64_t>, std::vector<int64_t>> halves(const std::vector<int64_t>& outputs) {
  std::pair<std::vector<int64_t>, std::vector<int64_t>> result;
  for (size_t k = 0; k < outputs.size(); ++k)
    (k % 2 == 0 ? result.first : result.second).push_back(outputs[k]);
  return result;
}

std::vector<std::pair<int64_t, int64_t>> everywhere(size_t columns) {
  return std::vector<std::pair<int64_t, int64_t>>(columns, {kLowest, kHighest});
}

void offer_half_lines(const Counts& counts, size_t column, size_t columns, Chooser& chooser) {
  double first = 0, second = 0, all_first = 0, all_second = 0;
  for (const auto& [output, seen] : counts) {
    all_first += seen.first;
    all_second += seen.second;
  }
  for (const auto& [output, seen] : counts) {
    OutputEvent above{everywhere(columns)}, below = above;
    above.ends[column].first = output;
    chooser.offer(all_first - first, all_second - second, above);
    first += seen.first;
    second += seen.second;
    below.ends[column].second = output;
    chooser.offer(first, second, below);
  }
}

// The outputs in the order of their odds: the first, the first two, … The order is that of other draws, or
// chance would put on top what it liked.
void offer_lists(const Counts& counts, const Counts& others, Chooser& chooser) {
  constexpr size_t kMost = 512;
  if (counts.size() > kMost) return;
  std::vector<std::pair<double, int64_t>> order;
  for (const auto& [output, seen] : counts) {
    const auto found = others.find(output);
    const auto other = found == others.end() ? std::pair(0.0, 0.0) : found->second;
    order.emplace_back(-(other.first + 0.5) / (other.second + 0.5), output);
  }
  std::sort(order.begin(), order.end());
  OutputEvent event;
  double first = 0, second = 0;
  for (const auto& [odds, output] : order) {
    event.list.insert(std::lower_bound(event.list.begin(), event.list.end(), output), output);
    first += counts.at(output).first;
    second += counts.at(output).second;
    chooser.offer(first, second, event);
  }
}

// Corners of two columns at some quantiles of theirs.
void offer_corners(const Outputs& first, const Outputs& second, Chooser& chooser) {
  constexpr size_t kCuts = 9;
  std::vector<std::vector<int64_t>> cuts;
  for (const std::vector<int64_t>& column : first) {
    std::vector<int64_t> sorted = column;
    std::sort(sorted.begin(), sorted.end());
    cuts.emplace_back();
    for (size_t k = 1; k <= kCuts; ++k) cuts.back().push_back(sorted[k * (sorted.size() - 1) / (kCuts + 1)]);
  }
  auto happened = [](const OutputEvent& event, const Outputs& outputs) {
    double seen = 0;
    for (size_t row = 0; row < outputs[0].size(); ++row) seen += event.holds(outputs, row) ? 1 : 0;
    return seen;
  };
  for (size_t a = 0; a < first.size(); ++a) {
    for (size_t b = a + 1; b < first.size(); ++b) {
      for (size_t k = 0; k < 4 * kCuts * kCuts; ++k) {
        OutputEvent event{everywhere(first.size())};
        const int64_t cut_a = cuts[a][k / 4 % kCuts], cut_b = cuts[b][k / 4 / kCuts];
        (k % 2 == 0 ? event.ends[a].first : event.ends[a].second) = cut_a;
        (k / 2 % 2 == 0 ? event.ends[b].first : event.ends[b].second) = cut_b;
        const double seen_first = happened(event, first), seen_second = happened(event, second);
        chooser.offer(seen_first, seen_second, std::move(event));
      }
    }
  }
}

std::string ends_text(const Scenario& scenario, std::pair<int64_t, int64_t> ends, const std::string& what) {
  if (ends.first == kLowest && ends.second == kHighest) return "";
  if (ends.first == kLowest) return fmt::format("{} is at most {}", what, scenario.value_text(ends.second));
  return fmt::format("{} is at least {}", what, scenario.value_text(ends.first));
}

}  // namespace

bool OutputEvent::holds(const Outputs& outputs, size_t row) const {
  if (!list.empty()) return std::binary_search(list.begin(), list.end(), outputs[0][row]);
  for (size_t c = 0; c < ends.size(); ++c) {
    const int64_t output = outputs[c][row];
    if (output < ends[c].first || output > ends[c].second) return false;
  }
  return true;
}

std::string OutputEvent::text(const Scenario& scenario) const {
  constexpr size_t kShown = 4;
  if (!list.empty()) {
    std::string text = list.size() == 1 ? "the released value is " : "the released value is one of ";
    for (size_t k = 0; k < std::min(kShown, list.size()); ++k)
      text += (k > 0 ? ", " : "") + scenario.value_text(list[k]);
    return list.size() > kShown ? text + fmt::format(" and {} more", list.size() - kShown) : text;
  }
  std::string text;
  for (size_t c = 0; c < ends.size(); ++c) {
    const bool joint = scenario.is_joint();
    const std::string what = joint ? column_name(scenario, c) : "the released value";
    const std::string part = ends_text(joint ? scenario.column(c) : scenario, ends[c], what);
    if (!part.empty()) text += (text.empty() ? "" : " and ") + part;
  }
  return text.empty() ? "anything is released" : text;
}

OutputEvent loudest_event(const Outputs& first, const Outputs& second, const Budget& budget,
                          const TestSizes& sizes) {
  Chooser chooser(first, second, budget, sizes);
  for (size_t c = 0; c < first.size(); ++c) {
    offer_half_lines(count(first[c], second[c]), c, first.size(), chooser);
  }
  if (first.size() > 1) {
    offer_corners(first, second, chooser);
  } else {
    const auto [first_a, first_b] = halves(first[0]);
    const auto [second_a, second_b] = halves(second[0]);
    Chooser of_half({first_a}, {second_a}, budget, sizes);
    offer_lists(count(first_a, second_a), count(first_b, second_b), of_half);
    if (of_half.score() > chooser.score()) return of_half.event();
  }
  return chooser.event();
}

SeenBound bound_seen(const OutputEvent& event, const Outputs& first, const Outputs& second,
                     const Budget& budget, const Rational& tail, const MissingRows& missing) {
  constexpr Bits kBits = 128;
  // `unseen` happened where nobody looked, as did not the others of the missing.
  auto box_of = [&](const Outputs& outputs, size_t all_missing, uint64_t unseen) {
    uint64_t seen = unseen;
    for (size_t row = 0; row < outputs[0].size(); ++row) seen += event.holds(outputs, row) ? 1 : 0;
    const size_t rows = outputs[0].size() + all_missing;
    MassBox box = clopper_pearson(seen, rows, tail);
    // Rows of a file have chances of their own. Then the bounds need a count that is one beyond the mean at
    // the end itself (trials.h), which only those of a single row are not, at any tail below 1/4.
    if (seen <= 1) box.low = 0;
    if (seen + 1 >= rows) box.high = 1;
    return box;
  };
  const Interval least(exact(box_of(first, missing.first, 0).low), kBits),
      most(exact(box_of(second, missing.second, missing.second).high), kBits);
  const Interval delta(budget.delta.value(), kBits);
  const Interval above = least - delta, growth = exp(Interval(budget.epsilon.value(), kBits));
  SeenBound seen;
  if (above.certainly_positive()) seen.epsilon = std::max(0.0, log(above / most).lower());
  seen.delta = std::max(0.0, (least - growth * most).lower());
  return seen;
}

}  // namespace fugu::inline in_audit
