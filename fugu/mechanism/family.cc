#include "fugu/mechanism/family.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fugu/core/error.h"
#include "fugu/mechanism/gaussian.h"
#include "fugu/mechanism/heavy.h"
#include "fugu/mechanism/laplace.h"

namespace fugu::inline in_mechanism {
namespace {

// exp(bounds) rounded up to a dyadic below 1, fine enough that its logarithm moves by at most 2^-60 of
// itself.
Dyadic round_ratio_up(const Interval& log_ratio) {
  const double nats = -log_ratio.upper();                      // > 0
  const double lost = nats / std::log(2.0) - std::log2(nats);  // -log2(r |ln r|)
  Dyadic ratio;
  ratio.bits = static_cast<uint64_t>(std::max(64.0, std::ceil(lost) + 62));
  ratio.numerator = exp(log_ratio).ceil_scaled(ratio.bits);
  return ratio;
}

}  // namespace

Noise NoiseFamily::at(Scale scale, const Lattice& lattice, int64_t reach) const {
  Noise noise = no_noise(name());
  if (scale.value == 0) return noise;
  noise.scale = scale;
  auto shape = [&](int64_t steps, Bits bits) {
    return log_weight(Rational(lattice.step * steps), scale, bits);
  };
  const double edge = reach == 0 ? 0 : -shape(reach, 64).upper();
  const double slope = edge + shape(reach + 1, 64).upper();  // negative; only its size matters here
  const Bits bits = static_cast<Bits>(256 + 2 * std::ceil(edge + std::fabs(slope)) +
                                      2 * std::fabs(std::log2(std::fabs(slope))));
  noise.tail = round_ratio_up(shape(reach + 1, bits) - shape(reach, bits));
  if (reach == 0) return noise;
  // The last weight keeps 64 significant bits.
  const auto scale_bits = static_cast<uint64_t>(64 + std::ceil(edge / std::log(2.0)));
  const auto size = static_cast<size_t>(reach);
  noise.weights.assign(2 * size + 1, Integer(1) << scale_bits);
  for (size_t z = 1; z <= size; ++z) {
    noise.weights[size + z] = exp(shape(static_cast<int64_t>(z), bits)).ceil_scaled(scale_bits);
    noise.weights[size - z] = noise.weights[size + z];
  }
  return noise;
}

int64_t checked_reach(double reach) {
  if (reach <= static_cast<double>(kMaxReach)) return static_cast<int64_t>(reach);
  throw Error(ErrorKind::kUsage,
              fmt::format("--noise: the table of this noise would be {} steps long, more than {}",
                          for_people(reach, 3), kMaxReach),
              "give a coarser --step, or use --noise laplace, which needs no table");
}

namespace {

// One line for each family; `parameter` is empty for a family that takes none.
struct Entry {
  std::string_view name, parameter, example;
  std::unique_ptr<NoiseFamily> (*make)(const Rational& parameter);
};

template <class Family>
std::unique_ptr<NoiseFamily> plain(const Rational&) {
  return std::make_unique<Family>();
}
template <class Family>
std::unique_ptr<NoiseFamily> with_parameter(const Rational& parameter) {
  return std::make_unique<Family>(parameter);
}

constexpr std::array kFamilies{
    Entry{"laplace", "", "", plain<Laplace>},
    Entry{"gaussian", "", "", plain<Gaussian>},
    Entry{"power", "P with 0 < P < 1", "power:0.5", with_parameter<PowerNoise>},
    Entry{"log", "ETA with ETA > 3", "log:5", with_parameter<LogNoise>},
};

}  // namespace

std::unique_ptr<NoiseFamily> family_named(std::string_view name) {
  const size_t colon = std::min(name.find(':'), name.size());
  const std::string_view text = name.substr(std::min(colon + 1, name.size()));
  std::string known;
  for (const Entry& entry : kFamilies) {
    known += (known.empty() ? "" : ", ") + std::string(entry.name) + (entry.parameter.empty() ? "" : ":") +
             std::string(entry.parameter.substr(0, entry.parameter.find(' ')));
    if (entry.name != name.substr(0, colon) || entry.parameter.empty() != (colon == name.size())) continue;
    if (entry.parameter.empty()) return entry.make(Rational(0));
    if (auto parameter = parse_number(text)) return entry.make(*parameter);
    throw Error(ErrorKind::kUsage, fmt::format("--noise: '{}' is not a number", text),
                fmt::format("write {}:{}, for example {}", entry.name, entry.parameter, entry.example));
  }
  throw Error(ErrorKind::kUsage, fmt::format("--noise: there is no noise '{}'", name), "use one of " + known);
}

}  // namespace fugu::inline in_mechanism
