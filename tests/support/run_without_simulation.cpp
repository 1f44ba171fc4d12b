#include <stdexcept>

#include "support/run_simulated.hpp"

namespace boxcar::test {

bool can_simulate() {
  return false;
}

void run_simulated(const world_shape&, const std::function<void(world&)>&) {
  throw std::logic_error("there is no simulated machine in this build");
}

}  // namespace boxcar::test
