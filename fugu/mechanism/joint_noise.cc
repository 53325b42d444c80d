#include "fugu/mechanism/joint_noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fugu/core/json_read.h"

namespace fugu::inline in_mechanism {

bool JointNoise::is_none() const {
  return std::all_of(columns.begin(), columns.end(), [](const Noise& noise) { return noise.is_none(); });
}

JointNoise joint_noise_from_json(const Json& json, const std::string& place) {
  JointNoise noise;
  const std::string hint = "the plan was changed or cut off; calibrate again";
  const Json::Number* scale = need(json, "scale", place).if_number();
  noise.scale.value = scale ? std::strtod(scale->literal.c_str(), nullptr) : -1;
  if (!(noise.scale.value >= 0) || std::isinf(noise.scale.value))
    throw data_error(place + ".scale", "this must be a number that is not negative", hint);
  const std::string family = need_string(need(json, "noise", place), place + ".noise");
  for (const Json& item : need_array(need(json, "columns", place), place + ".columns")) {
    const std::string where = fmt::format("{}.columns[{}]", place, noise.columns.size());
    noise.columns.push_back(noise_from_json(item, where));
    if (noise.columns.back().reach() != 0 || noise.columns.back().family != family ||
        !noise.columns.back().scale)
      throw data_error(where, "the noise of several columns must be laplace", hint);
  }
  if (family != "laplace" || noise.columns.size() < 2)
    throw data_error(place, "this is no noise of several columns", hint);
  return noise;
}

}  // namespace fugu::inline in_mechanism
