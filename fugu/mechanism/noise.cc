#include "fugu/mechanism/noise.h"

#include <fmt/format.h>

#include <cmath>

#include "fugu/core/json_read.h"

namespace fugu::inline in_mechanism {
namespace {

constexpr uint64_t kMaxBits = 1 << 20;  // of a tail ratio's denominator

Error shape_error(const std::string& place, const std::string& message) {
  return Error(ErrorKind::kData, place + ": " + message, "the plan was changed or cut off; calibrate again");
}

}  // namespace

Noise no_noise(std::string family) {
  Noise noise;
  noise.family = std::move(family);
  noise.scale = Scale{0};
  return noise;
}

Rational total_weight(const Noise& noise) {
  Rational sum(0);
  for (const Integer& weight : noise.weights) sum += weight;
  const Rational r = noise.tail.value();
  return sum + Rational(noise.weights.front() + noise.weights.back()) * r / (1 - r);
}

Noise noise_from_json(const Json& json, const std::string& place) {
  Noise noise;
  noise.family = need_string(need(json, "noise", place), place + ".noise");
  if (const Json& scale = need(json, "scale", place); !scale.is_null()) {
    const double value = scale.if_number() ? std::strtod(scale.if_number()->literal.c_str(), nullptr) : -1;
    if (!(value >= 0) || std::isinf(value)) {
      throw shape_error(place + ".scale", "this must be a number that is not negative, or null");
    }
    noise.scale = Scale{value};
  }
  const bool* symmetric = need(json, "symmetric", place).if_boolean();
  if (!symmetric) throw shape_error(place + ".symmetric", "this must be true or false");
  noise.weights.clear();
  for (const Json& item : need_array(need(json, "weights", place), place + ".weights")) {
    noise.weights.push_back(need_natural(item, fmt::format("{}.weights[{}]", place, noise.weights.size())));
  }
  if (*symmetric && !noise.weights.empty()) {
    std::vector<Integer> left(noise.weights.rbegin(), noise.weights.rend() - 1);
    noise.weights.insert(noise.weights.begin(), left.begin(), left.end());
  }
  if (noise.weights.size() % 2 == 0 ||
      need_natural(need(json, "reach", place), place + ".reach") != noise.reach()) {
    throw shape_error(place + ".weights", "there must be one weight for each step of the reach");
  }
  if (noise.weights.front() == 0 || noise.weights.back() == 0 ||
      noise.weights[noise.weights.size() / 2] == 0) {
    throw shape_error(place + ".weights", "the middle weight and both ends must be greater than 0");
  }
  const Json& tail = need(json, "tail", place);
  check_keys(tail, place + ".tail", {"numerator", "log2_denominator"});
  noise.tail.numerator = need_natural(need(tail, "numerator", place + ".tail"), place + ".tail.numerator");
  Integer bits =
      need_natural(need(tail, "log2_denominator", place + ".tail"), place + ".tail.log2_denominator");
  if (bits > kMaxBits) throw shape_error(place + ".tail.log2_denominator", "the number is too large");
  noise.tail.bits = static_cast<uint64_t>(bits);
  if (noise.tail.numerator >= Integer(1) << noise.tail.bits) {
    throw shape_error(place + ".tail", "the ratio must be below 1");
  }
  return noise;
}

}  // namespace fugu::inline in_mechanism
