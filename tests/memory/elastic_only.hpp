// The counterpart of fixed_size_only (support/conveyor_setup.hpp).
#pragma once

#include <vector>

#include "support/conveyor_setup.hpp"

namespace boxcar::test {

inline std::vector<conveyor_setup> elastic_only(std::vector<conveyor_setup> setups) {
  std::erase_if(setups, [](const conveyor_setup& setup) { return !setup.elastic; });
  return setups;
}

}  // namespace boxcar::test
