#include "fugu/transport/transfer.h"

#include <algorithm>
#include <cmath>

#include "fugu/scenario/domain.h"

namespace fugu::inline in_transport {
namespace {

// log of the sum of mass e^log_g, whatever the size of the g.
double log_mean(const std::vector<double>& masses, const std::vector<double>& log_g) {
  double top = -HUGE_VAL;
  for (size_t k = 0; k < masses.size(); ++k) {
    if (masses[k] > 0) top = std::max(top, log_g[k]);
  }
  if (std::isinf(top)) return -HUGE_VAL;
  double sum = 0;
  for (size_t k = 0; k < masses.size(); ++k) sum += masses[k] * std::exp(log_g[k] - top);
  return top + std::log(sum);
}

Rational upper_mass(const Distribution& law, size_t k) { return law.mass(k) * (1 + law.blur()); }
Rational lower_mass(const Distribution& law, size_t k) { return law.mass(k) * (1 - law.blur()); }

std::vector<double> in_doubles(const std::vector<Rational>& masses) {
  std::vector<double> result;
  for (const Rational& mass : masses) result.push_back(static_cast<double>(mass));
  return result;
}

std::vector<Interval> in_intervals(const std::vector<Rational>& masses, Bits bits) {
  std::vector<Interval> result;
  for (const Rational& mass : masses) result.emplace_back(mass, bits);
  return result;
}

std::vector<Interval> kept_between(const std::vector<int64_t>& values, const Interval& ratio) {
  std::vector<Interval> kept;
  for (size_t k = 0; k + 1 < values.size(); ++k)
    kept.push_back(pow(ratio, static_cast<uint64_t>(values[k + 1] - values[k])));
  return kept;
}

// The same as carried_on(), without making intervals, which takes longer than multiplying them.
void carry_on(Interval& excess, const Interval& kept, const Interval& cost) {
  if (excess.certainly_not_positive()) {
    excess *= kept;
  } else if (excess.certainly_positive()) {
    excess *= cost;
  } else {
    excess = hull(excess * kept, positive_part(excess) * cost);
  }
}

std::optional<bool> decided(const Interval& excess) {
  if (excess.certainly_not_positive()) return true;
  if (excess.certainly_positive()) return false;
  return std::nullopt;
}

// Of two bounds one is enough.
std::optional<bool> either(const std::optional<bool>& a, const std::optional<bool>& b) {
  if (a == true || b == true) return true;
  return a == false && b == false ? std::optional(false) : std::nullopt;
}

}  // namespace

Rational least_transfer(const TransferLine<Rational>& line) {
  Rational growth(1);
  while (transfer_excess(line, growth) > 0) growth = transfer_of(line, steepest_slopes(line, growth));
  return growth;
}

LineTransfer::LineTransfer(const Scenario& scenario)
    : pairs_(scenario.pairs), secrets_(scenario.secrets.size()), boxed_(scenario.has_boxes()) {
  const std::optional<BoxedLaws> boxes = boxes_if_any(scenario);
  for (size_t p = 0; p < scenario.priors.size(); ++p) {
    const auto& by_secret = scenario.priors[p].by_secret;
    Laws laws{boxes ? boxes->domain : union_support(by_secret), {}, {}, {}, {}, {}};
    if (boxes && !boxes->bands.empty()) laws.bands = boxes->bands[p];
    for (size_t s = 0; s < by_secret.size(); ++s) {
      auto& most = laws.most.emplace_back(laws.values.size());
      auto& least = laws.least.emplace_back(laws.values.size());
      if (boxes) {
        for (size_t k = 0; k < most.size(); ++k) {
          most[k] = exact(boxes->boxes[p][s][k].high);
          least[k] = exact(boxes->boxes[p][s][k].low);
        }
      } else {
        for (size_t k = 0, at = 0; k < by_secret[s].size(); ++k, ++at) {
          while (laws.values[at] != by_secret[s].atoms()[k]) ++at;
          most[at] = upper_mass(by_secret[s], k);
          least[at] = lower_mass(by_secret[s], k);
        }
      }
      laws.high.push_back(in_doubles(most));
      laws.low.push_back(in_doubles(least));
    }
    work_ += 2 * static_cast<double>(scenario.pair_count()) * static_cast<double>(laws.values.size());
    laws_.push_back(std::move(laws));
  }
}

std::vector<LineTransfer::Place> LineTransfer::places() const {
  std::vector<Place> places;
  for (size_t p = 0; p < laws_.size(); ++p) {
    for (auto [a, b] : pairs_.list(secrets_)) {
      places.push_back({p, a, b});
      places.push_back({p, b, a});
    }
  }
  return places;
}

// Any value that may occur for any other.
bool LineTransfer::range_holds(const Laws& laws, const Interval& ratio, const Interval& growth) const {
  if (!boxed_) return false;
  const auto span = static_cast<uint64_t>(laws.values.back() - laws.values.front());
  return certainly_at_most(Interval(Integer(1), ratio.precision()), pow(ratio, span) * growth);
}

std::optional<bool> LineTransfer::holds(const Interval& ratio, const Interval& growth,
                                        const Progress& progress) const {
  const Bits bits = ratio.precision();
  std::optional<bool> all = true;
  for (size_t p = 0; p < laws_.size(); ++p) {
    const Laws& laws = laws_[p];
    if (range_holds(laws, ratio, growth)) continue;
    const std::vector<Interval> kept = kept_between(laws.values, ratio);
    std::vector<Interval> cost;
    for (const Interval& one : kept) cost.push_back(Interval(Integer(1), bits) / one);
    std::vector<std::vector<Interval>> most, grown;
    for (size_t s = 0; s < secrets_; ++s) {
      most.push_back(in_intervals(laws.most[s], bits));
      grown.push_back(in_intervals(laws.least[s], bits));
      for (Interval& mass : grown.back()) mass *= growth;
    }
    for (auto [a, b] : pairs_.list(secrets_)) {
      report(progress, 0.5, "transfer between secrets");
      for (auto [i, j] : {SecretPair{a, b}, SecretPair{b, a}}) {
        Interval excess = most[i][0] - grown[j][0];
        for (size_t k = 0; k < kept.size(); ++k) {
          carry_on(excess, kept[k], cost[k]);
          excess += most[i][k + 1];
          excess -= grown[j][k + 1];
        }
        auto here = decided(excess);
        if (here != true && !laws.bands.empty()) here = either(here, band_holds({p, i, j}, ratio, growth));
        if (here == false) return false;
        if (!here) all.reset();
      }
    }
  }
  return all;
}

std::optional<bool> LineTransfer::holds(const Place& place, const Interval& ratio,
                                        const Interval& growth) const {
  if (range_holds(laws_[place.prior], ratio, growth)) return true;
  const auto boxes = decided(transfer_excess(line(place, ratio), growth));
  return boxes == true ? boxes : either(boxes, band_holds(place, ratio, growth));
}

template <class Number, class Make>
BandLine<Number> LineTransfer::band_line(const Place& place, std::vector<Number> kept, Make make) const {
  const Laws& laws = laws_[place.prior];
  BandLine<Number> line;
  line.kept = std::move(kept);
  for (size_t k = 0; k < line.kept.size(); ++k) {
    line.first_high.push_back(make(laws.bands[place.first][k].high));
    line.first_low.push_back(make(laws.bands[place.first][k].low));
    line.second_high.push_back(make(laws.bands[place.second][k].high));
    line.second_low.push_back(make(laws.bands[place.second][k].low));
  }
  return line;
}

std::optional<bool> LineTransfer::band_holds(const Place& place, const Interval& ratio,
                                             const Interval& growth) const {
  const Laws& laws = laws_[place.prior];
  if (laws.bands.empty()) return false;
  const Bits bits = ratio.precision();
  auto make = [&](double end) { return Interval(end, end, bits); };
  return decided(band_excess(band_line(place, kept_between(laws.values, ratio), make), growth, make(1)));
}

bool LineTransfer::band_seems_enough(const Place& place, double log_ratio, double growth) const {
  if (laws_[place.prior].bands.empty()) return false;
  const auto same = [](double end) { return end; };
  return band_excess(band_line(place, line(place, log_ratio).kept, same), growth, 1.0) <= 0;
}

TransferLine<Interval> LineTransfer::line(const Place& place, const Interval& ratio) const {
  const Laws& laws = laws_[place.prior];
  return {in_intervals(laws.most[place.first], ratio.precision()),
          in_intervals(laws.least[place.second], ratio.precision()), kept_between(laws.values, ratio)};
}

TransferLine<double> LineTransfer::line(const Place& place, double log_ratio) const {
  const Laws& laws = laws_[place.prior];
  TransferLine<double> line{laws.high[place.first], laws.low[place.second], {}};
  for (size_t k = 0; k + 1 < laws.values.size(); ++k)
    line.kept.push_back(std::exp(log_ratio * static_cast<double>(laws.values[k + 1] - laws.values[k])));
  return line;
}

bool LineTransfer::seems_enough(const Place& place, double log_ratio, double growth) const {
  return transfer_excess(line(place, log_ratio), growth) <= 0 || band_seems_enough(place, log_ratio, growth);
}

double LineTransfer::guess(const Place& place, double log_ratio) const {
  const Laws& laws = laws_[place.prior];
  const auto span = static_cast<double>(laws.values.back() - laws.values.front());
  const double most = boxed_ ? -log_ratio * span : HUGE_VAL;
  const TransferLine<double> two = line(place, log_ratio);
  std::vector<double> log_g(laws.values.size(), 0.0);
  double found = 0;
  for (int step = 0; step < 200 && found < 700; ++step) {
    const double growth = std::exp(found);
    if (transfer_excess(two, growth) <= 0) break;
    const Slopes falls = steepest_slopes(two, growth);
    double steepest = 0;
    for (size_t k = falls.size(); k-- > 0;) {
      const double gap = -log_ratio * static_cast<double>(laws.values[k + 1] - laws.values[k]);
      log_g[k] = log_g[k + 1] + (falls[k] ? gap : -gap);
      steepest = std::max(steepest, std::fabs(log_g[k]));
    }
    // A steep g leaves no digits for the next step, which is then one of the size of its errors.
    const double next = log_mean(two.first, log_g) - log_mean(two.second, log_g);
    found = std::max(next, found + 1e-15 * (1 + found + steepest));
  }
  found = std::min(found, most);
  if (laws.bands.empty() || !band_seems_enough(place, log_ratio, std::exp(found))) return found;
  double low = 0;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + found) / 2;
    (band_seems_enough(place, log_ratio, std::exp(middle)) ? found : low) = middle;
  }
  return found;
}

std::optional<Interval> LineTransfer::bound(const Interval& ratio, const Rational& hoped) const {
  const Bits bits = ratio.precision();
  const double log_ratio = log(ratio).lower();
  std::optional<Place> worst;
  double most = 0;
  for (const Place& place : places()) {
    const double here = guess(place, log_ratio);
    if (worst && here <= most) continue;
    worst = place;
    most = here;
  }
  if (!(most < 1e4)) return std::nullopt;
  const Interval wish(hoped, bits);
  if (std::fabs(most - static_cast<double>(hoped)) < 1e-9 && holds(ratio, exp(wish)) == true) return wish;
  // The worst line's number to the last digit, by Newton's steps from a little below what doubles found. A
  // little is added, more where that was not enough.
  Interval found(exact(most), bits);
  if (!boxed_) {
    const TransferLine<Interval> two = line(*worst, ratio);
    Interval growth = exp(Interval(exact(std::max(0.0, most - 1e-9 * (1 + most))), bits));
    const Interval little(1 + Rational(Integer(1), Integer(1) << static_cast<unsigned>(bits / 2)), bits);
    for (int step = 0; step < 60 && !transfer_excess(two, growth).certainly_not_positive(); ++step) {
      Interval next = transfer_of(two, steepest_slopes(two, growth));
      growth = lower_less(growth, next) ? std::move(next) : growth * little;
    }
    found = log(growth);
  }
  for (double more : {0x1p-90, 0x1p-44, 0x1p-36, 0x1p-28, 0x1p-20, 0x1p-10}) {
    const Interval limit(found + Interval(exact(more * (1 + most)), bits));
    if (holds(ratio, exp(limit)) == true) return limit;
  }
  return std::nullopt;
}

}  // namespace fugu::inline in_transport
