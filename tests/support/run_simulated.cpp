#include "support/run_simulated.hpp"

#include <cstddef>
#include <cstdlib>
#include <exception>

#include <boxcar/explore.hpp>
#include <boxcar/simulate.hpp>

namespace boxcar::test {

bool can_simulate() {
  return true;
}

void run_simulated(const world_shape& shape, const std::function<void(world&)>& body) {
  const int pes_per_node = (shape.pes + shape.nodes - 1) / shape.nodes;
  constexpr std::size_t stack_bytes = std::size_t{1} << 20;  // some tests keep arrays on the stack
  const simulate_options options{
      .pes = shape.pes, .pes_per_node = pes_per_node, .stack_bytes = stack_bytes};
  // Uses an order independent of time, as explore_options::replay names it.
  const char* const order = std::getenv("BOXCAR_TEST_ORDER");
  if (order == nullptr) {
    static_cast<void>(simulate(options, body));
  } else {
    const exploration done =
        explore({.machine = options, .longest = 100'000'000, .replay = order}, body);
    if (done.exception != nullptr) std::rethrow_exception(done.exception);
  }
}

}  // namespace boxcar::test
