#include "fugu/mechanism/heavy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fugu/core/error.h"

namespace fugu::inline in_mechanism {
namespace {

constexpr Bits kHeavyBits = 256;

}  // namespace

int64_t heavy_reach(Scale scale, const Lattice& lattice, int64_t farthest) {
  const double widths = std::ceil(32 * scale.value / static_cast<double>(lattice.step));
  return checked_reach(std::max({1.0, static_cast<double>(farthest), std::min(widths, 4096.0)}));
}

PowerNoise::PowerNoise(Rational power) : power_(std::move(power)) {
  if (power_ >= Rational(1, 20) && power_ < 1) return;
  throw Error(ErrorKind::kUsage,
              fmt::format("--noise: the power must be at least 0.05 and below 1, not {}", short_text(power_)),
              "write for example power:0.5; power 1 is --noise laplace");
}

Interval PowerNoise::log_weight(const Rational& distance, Scale scale, Bits precision) const {
  if (distance == 0) return Interval(precision);
  const Interval base(Rational(distance / exact(scale.value)), precision);
  return Interval(precision) - exp(log(base) * Interval(power_, precision));
}

double PowerNoise::log_weight(double distance, Scale scale) const {
  return -std::pow(distance / scale.value, static_cast<double>(power_));
}

Scale PowerNoise::scale_for(const Rational& distance, const Rational& epsilon, const Rational&) const {
  if (distance == 0) return Scale{0};
  // (D/theta)^P = epsilon.
  const Interval root = exp(log(Interval(epsilon, kHeavyBits)) / Interval(power_, kHeavyBits));
  return Scale{(Interval(distance, kHeavyBits) / root).upper()};
}

int64_t PowerNoise::reach(Scale scale, const Lattice& lattice, int64_t farthest, const Rational&) const {
  return heavy_reach(scale, lattice, farthest);
}

LogNoise::LogNoise(Rational eta) : eta_(std::move(eta)) {
  if (eta_ > 100) {
    throw Error(ErrorKind::kUsage, fmt::format("--noise: log:{} is next to Laplace noise", short_text(eta_)),
                "ETA may be up to 100; use --noise laplace");
  }
  if (eta_ > 3) return;
  throw Error(ErrorKind::kUsage, fmt::format("--noise: log:{} has no variance", short_text(eta_)),
              "ETA must be greater than 3, for example log:5");
}

Interval LogNoise::log_weight(const Rational& distance, Scale scale, Bits precision) const {
  return Interval(Rational(-eta_), precision) *
         log(Interval(Rational(1 + distance / exact(scale.value)), precision));
}

double LogNoise::log_weight(double distance, Scale scale) const {
  return -static_cast<double>(eta_) * std::log1p(distance / scale.value);
}

Scale LogNoise::scale_for(const Rational& distance, const Rational& epsilon, const Rational&) const {
  if (distance == 0) return Scale{0};
  // c = D / (e^(epsilon/ETA) - 1).
  const Interval growth =
      exp(Interval(Rational(epsilon / eta_), kHeavyBits)) - Interval(Integer(1), kHeavyBits);
  return Scale{(Interval(distance, kHeavyBits) / growth).upper()};
}

int64_t LogNoise::reach(Scale scale, const Lattice& lattice, int64_t farthest, const Rational&) const {
  return heavy_reach(scale, lattice, farthest);
}

}  // namespace fugu::inline in_mechanism
