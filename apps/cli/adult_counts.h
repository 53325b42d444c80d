// The paper's table: race and occupation of 28,856 people of the Adult data set, as counts.
#pragma once

#include <array>
#include <cstdint>

namespace fugu::cli {

struct AdultOccupation {
  const char* name;
  uint32_t white;
  uint32_t asian_pac_islander;
};

// In the paper's order, which is that of the data set's description.
inline constexpr std::array kAdultOccupations{
    AdultOccupation{"Tech-support", 806, 44},       AdultOccupation{"Craft-repair", 3694, 89},
    AdultOccupation{"Other-service", 2523, 128},    AdultOccupation{"Sales", 3237, 108},
    AdultOccupation{"Exec-managerial", 3646, 135},  AdultOccupation{"Prof-specialty", 3651, 186},
    AdultOccupation{"Handlers-cleaners", 1134, 23}, AdultOccupation{"Machine-op-inspct", 1611, 59},
    AdultOccupation{"Adm-clerical", 3084, 139},     AdultOccupation{"Farming-fishing", 915, 16},
    AdultOccupation{"Transport-moving", 1360, 28},  AdultOccupation{"Priv-house-serv", 114, 4},
    AdultOccupation{"Protective-serv", 519, 15},    AdultOccupation{"other or missing", 1523, 65},
};

}  // namespace fugu::cli
