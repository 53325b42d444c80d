#include "fugu/law/budget.h"

#include <fmt/format.h>

#include <cmath>

#include "fugu/core/interval.h"

namespace fugu::inline in_law {
namespace {

Rational parse_budget(std::string_view text, const std::string& place, ErrorKind kind,
                      const std::string& hint) {
  auto value = parse_number(text);
  if (!value) throw Error(kind, fmt::format("{}: '{}' is not a number that fugu can use", place, text), hint);
  return *value;
}

}  // namespace

Epsilon Epsilon::parse(std::string_view text, const std::string& place, ErrorKind kind) {
  static const std::string kHint =
      "give a number greater than 0 and at most 100, for example 0.5; smaller hides more";
  Rational value = parse_budget(text, place, kind, kHint);
  if (value <= 0)
    throw Error(kind, fmt::format("{}: epsilon must be greater than 0, not {}", place, text), kHint);
  if (value < Rational(1, pow(Integer(10), 15))) {
    throw Error(kind, fmt::format("{}: epsilon below 1e-15 asks for more noise than can be drawn", place),
                kHint);
  }
  if (value > 100) {
    throw Error(kind, fmt::format("{}: epsilon {} is above 100 and would promise nothing", place, text),
                kHint);
  }
  return Epsilon(std::move(value));
}

Delta Delta::parse(std::string_view text, const std::string& place, ErrorKind kind) {
  static const std::string kHint = "give a number from 0 (pure epsilon) to below 1, for example 1e-6";
  Rational value = parse_budget(text, place, kind, kHint);
  if (value < 0 || value >= 1) {
    throw Error(kind, fmt::format("{}: delta must be at least 0 and below 1, not {}", place, text), kHint);
  }
  if (value > 0 && value < Rational(1, pow(Integer(10), 60))) {
    throw Error(kind, fmt::format("{}: delta below 1e-60 is as good as 0", place), kHint);
  }
  return Delta(std::move(value));
}

namespace {

// The greatest decimal of fifteen digits that is certainly not above delta e^-lambda.
Rational shrunk(const Rational& delta, const Rational& lambda) {
  constexpr Bits kBits = 256;
  const double below = (Interval(delta, kBits) * exp(Interval(Rational(-lambda), kBits))).lower();
  const int places = 14 - static_cast<int>(std::floor(std::log10(below)));
  const Integer scale = pow(Integer(10), static_cast<unsigned>(places));
  return Rational(floor(Rational(exact(below) * scale)), scale);
}

}  // namespace

Budget tightened(const Budget& stated, const Rational& lambda, const std::string& place, ErrorKind kind) {
  const Rational epsilon = stated.epsilon.value() - 2 * lambda;
  if (epsilon < Rational(1, pow(Integer(10), 15))) {
    throw Error(
        kind,
        fmt::format("{}: {} leaves nothing of epsilon {}: twice the closeness is taken from it", place,
                    short_text(lambda), stated.epsilon.text()),
        fmt::format("give a closeness below {}, a larger epsilon, or one column of at most 1,000 values and "
                    "--method exact with Laplace noise, which looks at every close belief",
                    short_text(Rational(stated.epsilon.value() / 2))));
  }
  Budget left{Epsilon::parse(to_text(epsilon), place, kind)};
  if (!stated.delta.is_zero())
    left.delta = Delta::parse(to_text(shrunk(stated.delta.value(), lambda)), place, kind);
  return left;
}

}  // namespace fugu::inline in_law
