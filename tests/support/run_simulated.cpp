#include "support/run_simulated.hpp"

#include <cstddef>

#include <boxcar/simulate.hpp>

namespace boxcar::test {

bool can_simulate() {
  return true;
}

void run_simulated(const world_shape& shape, const std::function<void(world&)>& body) {
  const int pes_per_node = (shape.pes + shape.nodes - 1) / shape.nodes;
  constexpr std::size_t stack_bytes = std::size_t{1} << 20;  // some tests keep arrays on it
  static_cast<void>(
      simulate({.pes = shape.pes, .pes_per_node = pes_per_node, .stack_bytes = stack_bytes}, body));
}

}  // namespace boxcar::test
