#include "fugu/law/normal_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fugu/core/interval.h"
#include "fugu/core/json_read.h"

namespace fugu::inline in_law {
namespace {

constexpr Bits kFirstBits = 192, kLastBits = 8192;
constexpr unsigned kNominalBits = 128, kRelativeBits = 120;
// Of the integers behind a distribution: each as long as the smallest mass is small.
constexpr uint64_t kMostPlaces = 1 << 16;
constexpr int64_t kMostBitsInAll = int64_t{1} << 28;

Normal read_normal(const Json& json, const std::string& place) {
  check_keys(json, place, {"mean", "sd"});
  Normal normal{need_number(need(json, "mean", place), place + ".mean"),
                need_number(need(json, "sd", place), place + ".sd")};
  if (normal.sd <= 0)
    throw data_error(place + ".sd", "a standard deviation must be greater than 0", "for example 12.5");
  return normal;
}

Json normal_to_json(const Normal& normal) {
  Json json = Json::object();
  json.add("mean", number_to_json(normal.mean));
  json.add("sd", number_to_json(normal.sd));
  return json;
}

// The tail that a boundary cuts off on its own side of the mean.
struct Boundary {
  Interval tail;
  bool is_above;  // the mean, or at it
};

Boundary boundary_at(const Normal& normal, const Rational& at, Bits bits) {
  const Rational distance = (at - normal.mean) / normal.sd;
  const Interval two(Integer(2), bits);
  return {erfc(Interval(abs(distance), bits) / sqrt(two)) / two, distance >= 0};
}

// Far out the two tails of a cell are small numbers of one sign: their difference keeps its relative accuracy
// up to the digits in which they agree, whatever their size.
Interval between(const Boundary& left, const Boundary& right) {
  if (left.is_above) return left.tail - right.tail;
  if (!right.is_above) return right.tail - left.tail;
  return Interval(Integer(1), left.tail.precision()) - left.tail - right.tail;
}

Interval below(const Boundary& at) {
  return at.is_above ? Interval(Integer(1), at.tail.precision()) - at.tail : at.tail;
}
Interval above(const Boundary& at) {
  return at.is_above ? at.tail : Interval(Integer(1), at.tail.precision()) - at.tail;
}

std::vector<Interval> masses_of(const Normal& normal, const Lattice& lattice, const PointRange& grid,
                                Bits bits) {
  auto upper_end = [&](int64_t k) {
    return boundary_at(normal, Rational(lattice.value(k) + lattice.step / 2), bits);
  };
  std::vector<Interval> masses;
  Boundary left = upper_end(grid.low);
  masses.push_back(below(left));
  for (int64_t k = grid.low + 1; k < grid.high; ++k) {
    Boundary right = upper_end(k);
    masses.push_back(between(left, right));
    left = std::move(right);
  }
  masses.push_back(above(left));
  return masses;
}

std::vector<Interval> masses_of(const NormalLaw& law, const Lattice& lattice, const PointRange& grid,
                                Bits bits) {
  Rational whole(0);
  for (const auto& [weight, unused] : law.parts) whole += weight;
  std::vector<Interval> sums(static_cast<size_t>(grid.high - grid.low) + 1, Interval(bits));
  for (const auto& [weight, normal] : law.parts) {
    const Interval share(Rational(weight / whole), bits);
    const auto masses = masses_of(normal, lattice, grid, bits);
    for (size_t k = 0; k < sums.size(); ++k) sums[k] += share * masses[k];
  }
  return sums;
}

// How many places after the point a binary number of the mass's size needs for kNominalBits digits.
uint64_t places_for(const Interval& mass) {
  for (uint64_t places : {uint64_t{512}, kMostPlaces}) {
    const auto digits = static_cast<uint64_t>(msb(mass.ceil_scaled(places)));
    if (digits >= kNominalBits) return places - (digits - kNominalBits);
  }
  throw Error(ErrorKind::kData, "the grid reaches so far into a tail that its masses take too long to write",
              "give a narrower \"clip\" in \"source\"");
}

// A short number not below the mass, and within the relative error of it; nullopt when the mass is not known
// well enough for that.
std::optional<Rational> nominal_of(const Interval& mass) {
  const uint64_t places = places_for(mass);  // more digits make a tail no larger
  if (!mass.certainly_positive()) return std::nullopt;
  const Rational nominal(mass.ceil_scaled(places), Integer(1) << static_cast<unsigned>(places));
  const Bits bits = mass.precision();
  const Interval limit(Rational(1 + Rational(1, Integer(1) << kRelativeBits)), bits);
  if (!certainly_at_most(Interval(nominal, bits) / mass, limit)) return std::nullopt;
  return nominal;
}

std::optional<std::vector<Rational>> nominal_masses(const std::vector<Interval>& masses) {
  std::vector<Rational> result;
  for (const Interval& mass : masses) {
    const auto nominal = nominal_of(mass);
    if (!nominal) return std::nullopt;
    result.push_back(*nominal);
  }
  return result;
}

}  // namespace

bool is_normal_law(const Json& json) {
  return json.if_object() && (json.find("gaussian") || json.find("mixture"));
}

NormalLaw normal_law_from_json(const Json& json, const std::string& place) {
  check_keys(json, place, {"gaussian", "mixture"});
  NormalLaw law;
  if (const Json* single = json.find("gaussian")) {
    if (json.find("mixture"))
      throw data_error(place, "a law is either a gaussian or a mixture", "leave out one of the two");
    law.parts = {{Rational(1), read_normal(*single, place + ".gaussian")}};
    return law;
  }
  law.is_mixture = true;
  for (const Json& part : need_array(need(json, "mixture", place), place + ".mixture")) {
    const std::string where = fmt::format("{}.mixture[{}]", place, law.parts.size());
    check_keys(part, where, {"weight", "gaussian"});
    const Rational weight = need_number(need(part, "weight", where), where + ".weight");
    if (weight <= 0)
      throw data_error(where + ".weight", "a weight must be greater than 0", "leave out what has none");
    law.parts.emplace_back(weight, read_normal(need(part, "gaussian", where), where + ".gaussian"));
  }
  if (law.parts.empty())
    throw data_error(place + ".mixture", "the mixture is empty", "give at least one part");
  return law;
}

Json normal_law_to_json(const NormalLaw& law) {
  Json json = Json::object();
  if (!law.is_mixture) {
    json.add("gaussian", normal_to_json(law.parts.front().second));
    return json;
  }
  Json parts = Json::array();
  for (const auto& [weight, normal] : law.parts) {
    Json part = Json::object();
    part.add("weight", number_to_json(weight));
    part.add("gaussian", normal_to_json(normal));
    parts.if_array()->push_back(std::move(part));
  }
  json.add("mixture", std::move(parts));
  return json;
}

std::string in_words(const NormalLaw& law) {
  std::vector<std::string> parts;
  for (const auto& [weight, normal] : law.parts) {
    std::string text = fmt::format("normal with mean {} and standard deviation {}", short_text(normal.mean),
                                   short_text(normal.sd));
    if (law.parts.size() > 1) text += fmt::format(" (weight {})", short_text(weight));
    parts.push_back(std::move(text));
  }
  return parts.size() == 1 ? parts.front() : fmt::format("a mixture: {}", fmt::join(parts, ", "));
}

std::pair<Rational, Rational> natural_range(const NormalLaw& law) {
  const Rational deviations(10);
  auto low_of = [&](const Normal& normal) { return Rational(normal.mean - deviations * normal.sd); };
  auto high_of = [&](const Normal& normal) { return Rational(normal.mean + deviations * normal.sd); };
  const Normal& first = law.parts.front().second;
  std::pair<Rational, Rational> range{low_of(first), high_of(first)};
  for (const auto& [unused, normal] : law.parts) {
    range.first = std::min(range.first, low_of(normal));
    range.second = std::max(range.second, high_of(normal));
  }
  return range;
}

Distribution on_grid(const NormalLaw& law, const Lattice& lattice, const PointRange& grid) {
  if (grid.high == grid.low) return Distribution::from_counts({grid.low}, {1});
  if (grid.high - grid.low >= kMostGridPoints) {
    throw Error(ErrorKind::kData, fmt::format("the grid has more than {} points", kMostGridPoints),
                "give a coarser \"lattice\" or --step, or a narrower \"clip\" in \"source\"");
  }
  const auto nominal = decide_with_more_bits(
      [&](Bits bits) { return nominal_masses(masses_of(law, lattice, grid, bits)); }, kFirstBits, kLastBits);
  if (!nominal) {
    throw Error(ErrorKind::kData, "the step is too fine for the masses of a law to be computed",
                "give a coarser \"lattice\" or --step");
  }
  std::vector<int64_t> atoms;
  int64_t longest = 0;
  for (int64_t k = grid.low; k <= grid.high; ++k) {
    atoms.push_back(k);
    longest =
        std::max<int64_t>(longest, static_cast<int64_t>(msb(denominator((*nominal)[atoms.size() - 1]))));
  }
  if (longest > kMostBitsInAll / static_cast<int64_t>(atoms.size())) {
    throw Error(ErrorKind::kData,
                "the grid reaches so far into a tail that its masses take too long to write",
                "give a narrower \"clip\" in \"source\", or a coarser \"lattice\" or --step");
  }
  return Distribution::from_bounds(atoms, *nominal, Rational(1, Integer(1) << kRelativeBits));
}

}  // namespace fugu::inline in_law
